// Where a value comes from, as templates write it for identity sources and for
// headers of responses.
//
//   absl::StatusOr<ParameterSource> source =
//       ParseParameterSource("method.request.header.Authorization");
//   std::optional<std::string> token = ValueOf(*source, values);
//
// https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-parameter-mapping.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_PARAMETER_SOURCE_H_
#define BYOSHIN_LOCAL_APIGATEWAY_PARAMETER_SOURCE_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/apigateway/proxy.h"

namespace byoshin::local::apigateway {

struct ParameterSource {
  enum class Kind {
    kConstant,       // 'text'
    kHeader,         // method.request.header.NAME
    kQueryString,    // method.request.querystring.NAME
    kPath,           // method.request.path.NAME
    kContext,        // context.NAME
    kStageVariable,  // stageVariables.NAME
  };
  Kind kind = Kind::kConstant;
  std::string name{};  // the text of a constant

  friend bool operator==(const ParameterSource&,
                         const ParameterSource&) = default;
};

// Values of $context by their names: "requestId".
using ContextVariables = std::map<std::string, std::string>;

// A request and what is known of it. All outlive this.
struct RequestValues {
  const http::ServerRequest& request;
  const RequestContext& context;
  const ContextVariables& variables;
};

// Unimplemented for any other form.
absl::StatusOr<ParameterSource> ParseParameterSource(absl::string_view text);
// As ParseParameterSource() reads it.
std::string ToText(const ParameterSource& source);

// Sources separated by commas.
absl::StatusOr<std::vector<ParameterSource>> ParseParameterSources(
    absl::string_view text);

// The last value if there are several; nullopt if there is none.
std::optional<std::string> ValueOf(const ParameterSource& source,
                                   const RequestValues& values);

// The value of $input.params('name'): of the path, the query string or the
// headers, in this order.
std::optional<std::string> AnyParameter(absl::string_view name,
                                        const RequestValues& values);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_PARAMETER_SOURCE_H_
