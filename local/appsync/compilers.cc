#include "local/appsync/compilers.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/appsync/control/operation.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/model/errors.h"
#include "local/appsync/script/evaluate_code.h"
#include "local/appsync/script/runtime.h"
#include "local/gateway/error.h"

namespace byoshin::local::appsync {
namespace {

absl::Status CheckSchema(absl::string_view sdl) {
  const graphql::ParsedSchema parsed = graphql::Schema::Parse(sdl);
  if (parsed.schema != nullptr) return absl::OkStatus();
  std::string message = "Schema creation failed.";
  for (const graphql::Error& error : parsed.errors) {
    absl::StrAppend(&message, " ", error.message);
    if (error.locations.has_value() && !error.locations->empty()) {
      absl::StrAppend(&message, " (line ", error.locations->front().line,
                      ", column ", error.locations->front().column, ")");
    }
    message += '.';
  }
  return absl::InvalidArgumentError(message);
}

bool HasField(absl::string_view sdl, const std::string& type,
              const std::string& field) {
  const graphql::ParsedSchema parsed = graphql::Schema::Parse(sdl);
  return parsed.schema != nullptr &&
         parsed.schema->FindField(type, field) != nullptr;
}

std::string Introspect(absl::string_view sdl) {
  const graphql::ParsedSchema parsed = graphql::Schema::Parse(sdl);
  return parsed.schema == nullptr ? "{}" : parsed.schema->ToIntrospectionJson();
}

// https://docs.aws.amazon.com/appsync/latest/APIReference/API_BadRequestDetail.html
absl::Status CheckCode(script::Runtime& runtime, absl::string_view code) {
  const script::LoadedScript loaded = runtime.Load(code);
  if (loaded.script != nullptr) return absl::OkStatus();
  return ServiceError(
      {.code = kBadRequestException,
       .message = script::kCodeErrorsMessage,
       .json_members = absl::StrCat(
           R"("reason":"CODE_ERROR","detail":)", R"({"codeErrors":)",
           script::CodeErrorsJson(loaded.errors), "}")});
}

}  // namespace

Compilers NewCompilers(script::Runtime& runtime) {
  return {.check_schema = CheckSchema,
          .has_field = HasField,
          .introspect = Introspect,
          .check_code =
              [&runtime](absl::string_view code) {
                return CheckCode(runtime, code);
              },
          .evaluate_code =
              [&runtime](absl::string_view body) {
                return script::EvaluateCode(runtime, body);
              }};
}

}  // namespace byoshin::local::appsync
