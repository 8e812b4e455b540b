// Operations on schemas, and EvaluateCode.
#include <json/json.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "local/appsync/control/operation.h"
#include "local/appsync/model/catalog.h"
#include "local/appsync/model/errors.h"
#include "local/appsync/model/limits.h"
#include "local/gateway/rest.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {
namespace {

Answer StatusAnswer(const std::string& status, const std::string& details) {
  Json::Value answer(Json::objectValue);
  answer["status"] = status;
  if (!details.empty()) answer["details"] = details;
  return RestAnswer(answer);
}

// AWS parses the schema later; what is wrong with it is only seen in the
// status. Here, too, so that the same programs work.
absl::StatusOr<Answer> StartSchemaCreation(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  std::string sdl;
  if (!absl::Base64Unescape(TextIn(context, "definition"), &sdl) ||
      sdl.empty()) {
    return BadRequest("definition must be a schema, encoded in base 64.");
  }
  if (sdl.size() > kMaxSchemaBytes) {
    return BadRequest(
        absl::StrCat("The schema is longer than ", kMaxSchemaBytes, " bytes."));
  }
  const std::string& id = (*state)->api->id;
  const absl::Status valid = context.compilers.check_schema(sdl);
  if (valid.ok()) {
    context.schema_failures.erase(id);
    context.catalog.SaveSchema(id, sdl);
  } else {
    context.schema_failures[id] = std::string(valid.message());
  }
  return StatusAnswer("PROCESSING", "");
}

absl::StatusOr<Answer> GetSchemaCreationStatus(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  const auto failure = context.schema_failures.find((*state)->api->id);
  if (failure != context.schema_failures.end()) {
    return StatusAnswer("FAILED", failure->second);
  }
  return (*state)->schema == nullptr
             ? StatusAnswer("NOT_APPLICABLE", "")
             : StatusAnswer("SUCCESS", "Successfully created schema.");
}

absl::StatusOr<Answer> GetIntrospectionSchema(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  if ((*state)->schema == nullptr) {
    return NotFound(
        absl::StrCat("The API ", context.parts[0], " has no schema."));
  }
  const std::string format = FindParameter(context.call, "format");
  if (format == "SDL") {
    return Answer{.content_type = "application/json",
                  .body = *(*state)->schema};
  }
  if (format == "JSON") {
    return Answer{.content_type = "application/json",
                  .body = context.compilers.introspect(*(*state)->schema)};
  }
  return BadRequest("format must be SDL or JSON.");
}

absl::StatusOr<Answer> EvaluateCodeOperation(OperationContext& context) {
  absl::StatusOr<std::string> result =
      context.compilers.evaluate_code(context.call.body);
  if (!result.ok()) return BadRequest(result.status().message());
  return Answer{.content_type = kRestContentType, .body = *std::move(result)};
}

constexpr Operation kSchemaOperations[] = {
    {"StartSchemaCreation", "POST", "/v1/apis/{apiId}/schemacreation",
     StartSchemaCreation},
    {"GetSchemaCreationStatus", "GET", "/v1/apis/{apiId}/schemacreation",
     GetSchemaCreationStatus},
    {"GetIntrospectionSchema", "GET", "/v1/apis/{apiId}/schema",
     GetIntrospectionSchema},
    {.name = "EvaluateCode",
     .method = "POST",
     .path = "/v1/dataplane-evaluatecode",
     .run = EvaluateCodeOperation,
     .runs_on = RunsOn::kLongThread}};

}  // namespace

absl::Span<const Operation> SchemaOperations() { return kSchemaOperations; }

}  // namespace byoshin::local::appsync
