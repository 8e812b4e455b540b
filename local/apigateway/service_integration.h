// Integrations that map requests and answers by templates: of type AWS, which
// call an action of another service in the name of a role, and of type MOCK,
// which answer by themselves.
//
//   absl::StatusOr<std::string> body = IntegrationBody(mapping, values);
//   ...                                     // the service is called with it
//   absl::StatusOr<http::ServerResponse> response =
//       MethodResponse(mapping, answer, values);
//
// https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-integration-settings.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_SERVICE_INTEGRATION_H_
#define BYOSHIN_LOCAL_APIGATEWAY_SERVICE_INTEGRATION_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/apigateway/mapping_template.h"
#include "local/apigateway/parameter_source.h"
#include "local/gateway/service.h"

namespace byoshin::local::apigateway {

// The type of bodies that do not name one, and of all responses.
inline constexpr char kMappedContentType[] = "application/json";

// What happens to a body whose Content-Type has no template.
enum class Passthrough {
  kWhenNoMatch,      // it is passed on
  kWhenNoTemplates,  // it is passed on if there is no template at all
  kNever,            // it is rejected
};

struct IntegrationResponse {
  int status = 0;
  // A regular expression for the service's HTTP status; empty for the response
  // to all that no other matches.
  std::string selection_pattern{};
  // By content type; only application/json. Without one, the service's body is
  // passed on.
  std::map<std::string, MappingTemplate> templates{};
  // Header names with their constant values.
  std::map<std::string, std::string> headers{};
};

struct Mapping {
  Passthrough passthrough = Passthrough::kWhenNoMatch;
  // By content type.
  std::map<std::string, MappingTemplate> templates{};
  std::vector<IntegrationResponse> responses{};
};

struct ServiceIntegration {
  std::string service{};  // "states"
  std::string action{};   // "StartExecution"
  std::string region{};
  std::string role_arn{};
  Mapping mapping{};
};

// The body for the service. Unimplemented if the request's Content-Type is not
// supported, InvalidArgument if the body is not JSON as a template needs it.
absl::StatusOr<std::string> IntegrationBody(const Mapping& mapping,
                                            const RequestValues& values);

// The client's response to the service's answer. FailedPrecondition if no
// integration response matches.
absl::StatusOr<http::ServerResponse> MethodResponse(
    const Mapping& mapping, const Answer& answer, const RequestValues& values);

// The answer of an integration of type MOCK: the status that the request
// template says, {"statusCode": 200}, without a body. InvalidArgument if it
// says none.
absl::StatusOr<Answer> MockAnswer(absl::string_view rendered);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_SERVICE_INTEGRATION_H_
