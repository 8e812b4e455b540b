#include "local/appsync/model/resolver.h"

#include <json/json.h>

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/appsync/runtime.h"
#include "local/appsync/model/errors.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/model/names.h"
#include "local/appsync/model/record.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::appsync {
namespace {

constexpr const char* kFunctionSettings[] = {
    "name", "description", "dataSourceName", "code", "runtime", "maxBatchSize"};
constexpr const char* kResolverSettings[] = {
    "typeName", "fieldName", "dataSourceName", "kind",         "pipelineConfig",
    "code",     "runtime",   "maxBatchSize",   "metricsConfig"};

// What functions and resolvers have in common.
template <typename Unit>
absl::Status ReadCode(JsonFields& fields, Unit& unit) {
  for (const char* name :
       {"requestMappingTemplate", "responseMappingTemplate"}) {
    if (!fields.Text(name).empty()) {
      return Unsupported(
          absl::StrCat("A mapping template (VTL, ", name,
                       "); write the code for the runtime APPSYNC_JS instead. "
                       "VTL"));
    }
  }
  if (fields.Has("syncConfig")) return Unsupported("syncConfig");
  unit.code = fields.Text("code");
  unit.max_batch_size = fields.Integer(
      "maxBatchSize", {.otherwise = 0, .min = 0, .max = kMaxBatchSize});
  std::optional<JsonFields> runtime = fields.Object("runtime");
  if (runtime.has_value()) {
    const std::string name = runtime->Required("name");
    const std::string version = runtime->Required("runtimeVersion");
    if (!runtime->status().ok()) return runtime->status();
    if (name != ::byoshin::appsync::kRuntimeName ||
        version != ::byoshin::appsync::kRuntimeVersion) {
      return BadRequest(absl::StrCat("The runtime ", name, " ", version,
                                     " is not one of ",
                                     ::byoshin::appsync::kRuntimeName, " ",
                                     ::byoshin::appsync::kRuntimeVersion, "."));
    }
    if (unit.code.empty())
      return BadRequest("Code is required with a runtime.");
  } else if (!unit.code.empty()) {
    return BadRequest("Runtime is required with code.");
  }
  return fields.status();
}

absl::Status ReadPipeline(JsonFields& fields, Resolver& resolver) {
  if (!resolver.data_source.empty()) {
    return BadRequest("A pipeline resolver has no data source of its own.");
  }
  std::optional<JsonFields> pipeline = fields.Object("pipelineConfig");
  if (pipeline.has_value()) {
    resolver.functions = pipeline->Texts("functions");
  }
  if (resolver.functions.size() > kMaxPipelineFunctions) {
    return BadRequest(absl::StrCat("A pipeline has at most ",
                                   kMaxPipelineFunctions, " functions."));
  }
  if (resolver.code.empty()) {
    return BadRequest("A pipeline resolver needs code and a runtime.");
  }
  return fields.status();
}

}  // namespace

absl::StatusOr<Function> ReadFunction(const Json::Value& settings) {
  JsonFields fields(settings, {.invalid_code = kBadRequestException});
  Function function;
  function.name = fields.Required("name");
  function.data_source = fields.Required("dataSourceName");
  if (absl::Status read = ReadCode(fields, function); !read.ok()) return read;
  if (!fields.status().ok()) return fields.status();
  if (!IsGraphqlName(function.name)) {
    return BadRequest(
        absl::StrCat("Function name ", function.name,
                     " must match the pattern [_A-Za-z][_0-9A-Za-z]*."));
  }
  function.settings = PickMembers(settings, kFunctionSettings);
  return function;
}

absl::StatusOr<Resolver> ReadResolver(const Json::Value& settings) {
  JsonFields fields(settings, {.invalid_code = kBadRequestException});
  Resolver resolver;
  resolver.type_name = fields.Required("typeName");
  resolver.field_name = fields.Required("fieldName");
  resolver.data_source = fields.Text("dataSourceName");
  const std::string kind = fields.Text("kind");
  if (!kind.empty()) fields.OneOf("kind", {"UNIT", "PIPELINE"});
  if (fields.Has("cachingConfig")) return Unsupported("cachingConfig");
  if (absl::Status read = ReadCode(fields, resolver); !read.ok()) return read;
  if (!fields.status().ok()) return fields.status();
  resolver.settings = PickMembers(settings, kResolverSettings);
  resolver.settings["kind"] = kind.empty() ? "UNIT" : kind;
  if (kind == "PIPELINE") {
    resolver.kind = Resolver::Kind::kPipeline;
    if (absl::Status read = ReadPipeline(fields, resolver); !read.ok()) {
      return read;
    }
    return resolver;
  }
  if (fields.Has("pipelineConfig")) {
    return BadRequest("A unit resolver has no pipelineConfig.");
  }
  if (resolver.data_source.empty()) {
    return BadRequest("A unit resolver needs dataSourceName.");
  }
  return resolver;
}

}  // namespace byoshin::local::appsync
