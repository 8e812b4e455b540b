// Checks requests against what their method declares, before the integration
// is called.
//
//   std::optional<GatewayError> error =
//       ValidateRequest(rules, values, schemas);
//
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-method-request-validation.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_REQUEST_VALIDATION_H_
#define BYOSHIN_LOCAL_APIGATEWAY_REQUEST_VALIDATION_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "local/apigateway/gateway_response.h"
#include "local/apigateway/models/schemas.h"
#include "local/apigateway/parameter_source.h"

namespace byoshin::local::apigateway {

struct RequestValidator {
  std::string id{};
  std::string name{};
  bool validate_body = false;
  bool validate_parameters = false;
};

struct Model {
  std::string id{};
  std::string name{};
  std::string content_type{};
  std::string description{};
  std::string schema{};  // JSON text; empty if there is none
};

// Models that exist in every API.
inline constexpr char kEmptyModel[] = "Empty";
inline constexpr char kErrorModel[] = "Error";

// What a method requires of its requests.
struct RequestRules {
  std::vector<ParameterSource> required_parameters{};
  // Names of models by content type.
  std::map<std::string, std::string> models{};
};

// nullopt if the request is valid. `known` are the API's models.
std::optional<GatewayError> ValidateRequest(const RequestRules& rules,
                                            const RequestValidator& validator,
                                            const SchemaSet& known,
                                            const RequestValues& values,
                                            Schemas& schemas);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_REQUEST_VALIDATION_H_
