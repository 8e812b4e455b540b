// The declaration of an API's authorizers. authorization.h asks them.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_AUTHORIZER_H_
#define BYOSHIN_LOCAL_APIGATEWAY_AUTHORIZER_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/apigateway/parameter_source.h"

namespace byoshin::local::apigateway {

// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-apigateway-authorizer.html
inline constexpr absl::Duration kDefaultAuthorizerTtl = absl::Seconds(300);
inline constexpr absl::Duration kMaxAuthorizerTtl = absl::Seconds(3600);

struct Authorizer {
  enum class Type {
    kToken,    // a function that gets one header
    kRequest,  // a function that gets the request without its body
    kCognito,  // a user pool
  };
  std::string id{};
  std::string name{};
  Type type = Type::kToken;
  std::string function_arn{};
  // The role that calls the function; empty if the function's own policy
  // decides.
  std::string role_arn{};
  std::vector<std::string> provider_arns{};  // of user pools
  // What identifies a caller. One header, unless it is kRequest.
  std::vector<ParameterSource> identity_sources{};
  // A regular expression for the whole token, or for the aud claim if it is
  // kCognito; empty if any will do.
  std::string validation_expression{};
  // How long a function's answer is used; zero if it is not kept.
  absl::Duration ttl = kDefaultAuthorizerTtl;
  // Only reported.
  std::string uri{};
  std::string auth_type{};
};

// "TOKEN".
absl::string_view NameOf(Authorizer::Type type);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_AUTHORIZER_H_
