// Identifiers, ARNs and URLs of GraphQL APIs.
#ifndef BYOSHIN_LOCAL_APPSYNC_MODEL_NAMES_H_
#define BYOSHIN_LOCAL_APPSYNC_MODEL_NAMES_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::appsync {

// As clients recognise it in the name of a host.
inline constexpr std::size_t kApiIdLength = 26;

// 26 lower-case letters and digits.
std::string NewId();
// "da2-" and such an id.
std::string NewKeyId();

struct Place {
  std::string region{};
  std::string account_id{};
};

// "arn:aws:appsync:REGION:ACCOUNT:apis/ID", followed by `rest`, such as
// "/datasources/orders".
std::string ApiArn(const Place& place, absl::string_view api_id,
                   absl::string_view rest = "");

// The path of an API's endpoint: "/graphql/ID/graphql". With "/realtime" after
// it, that of its WebSockets.
std::string EndpointPath(absl::string_view api_id);
inline constexpr char kRealtimeSuffix[] = "/realtime";

// "http://127.0.0.1:4566" and EndpointPath().
std::string GraphqlUrl(absl::string_view endpoint, absl::string_view api_id);
// The same with "ws" and "/realtime".
std::string RealtimeUrl(absl::string_view endpoint, absl::string_view api_id);

// Whether it is a name of GraphQL: letters, digits and underscores, not
// beginning with a digit, and at most 65536 bytes.
bool IsGraphqlName(absl::string_view text);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_MODEL_NAMES_H_
