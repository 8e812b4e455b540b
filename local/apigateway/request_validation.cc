#include "local/apigateway/request_validation.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "local/apigateway/header_text.h"

namespace byoshin::local::apigateway {
namespace {

constexpr char kAnyContentType[] = "$default";

std::optional<GatewayError> CheckParameters(const RequestRules& rules,
                                            const RequestValues& values) {
  std::vector<std::string> missing;
  for (const ParameterSource& source : rules.required_parameters) {
    const std::optional<std::string> value = ValueOf(source, values);
    if (!value.has_value() || value->empty()) missing.push_back(source.name);
  }
  if (missing.empty()) return std::nullopt;
  std::string message = absl::StrCat("Missing required request parameters: [",
                                     absl::StrJoin(missing, ", "), "]");
  return GatewayError{.type = ResponseType::kBadRequestParameters,
                      .message = message,
                      .validation_error = message};
}

// The name of the model for the request's body; empty if there is none.
std::string ModelFor(const RequestRules& rules, const RequestValues& values) {
  const std::string type = MediaType(values.request.FindHeader("Content-Type"));
  for (const std::string& key : {type, std::string(kAnyContentType)}) {
    const auto found = rules.models.find(key);
    if (found != rules.models.end()) return found->second;
  }
  return "";
}

std::optional<GatewayError> CheckBody(const RequestRules& rules,
                                      const SchemaSet& known,
                                      const RequestValues& values,
                                      Schemas& schemas) {
  const std::string model = ModelFor(rules, values);
  if (model.empty()) return std::nullopt;
  const absl::StatusOr<std::vector<std::string>> faults =
      schemas.Validate(known, model, values.request.body);
  if (!faults.ok() && !absl::IsInvalidArgument(faults.status())) {
    return GatewayError{.type = ResponseType::kApiConfigurationError,
                        .message = "Internal server error",
                        .reason = std::string(faults.status().message())};
  }
  if (faults.ok() && faults->empty()) return std::nullopt;
  return GatewayError{
      .type = ResponseType::kBadRequestBody,
      .message = "Invalid request body",
      .validation_error =
          faults.ok() ? absl::StrCat("[", absl::StrJoin(*faults, ", "), "]")
                      : std::string(faults.status().message())};
}

}  // namespace

std::optional<GatewayError> ValidateRequest(const RequestRules& rules,
                                            const RequestValidator& validator,
                                            const SchemaSet& known,
                                            const RequestValues& values,
                                            Schemas& schemas) {
  if (validator.validate_parameters) {
    if (auto error = CheckParameters(rules, values)) return error;
  }
  if (!validator.validate_body) return std::nullopt;
  return CheckBody(rules, known, values, schemas);
}

}  // namespace byoshin::local::apigateway
