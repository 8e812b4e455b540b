// Operations on the functions of pipelines.
#include <json/json.h>

#include <algorithm>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "local/appsync/control/answers.h"
#include "local/appsync/control/operation.h"
#include "local/appsync/control/unit_check.h"
#include "local/appsync/model/catalog.h"
#include "local/appsync/model/errors.h"
#include "local/appsync/model/names.h"
#include "local/appsync/model/resolver.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {
namespace {

bool Uses(const Resolver& resolver, const std::string& function_id) {
  return std::find(resolver.functions.begin(), resolver.functions.end(),
                   function_id) != resolver.functions.end();
}

Answer FunctionAnswer(const OperationContext& context,
                      const Function& function) {
  return MemberAnswer("functionConfiguration",
                      ToJson(function, {context.place(), context.parts[0]}));
}

absl::StatusOr<Function> CheckedFunction(const OperationContext& context,
                                         const ApiState& state) {
  absl::StatusOr<Function> function = ReadFunction(context.body);
  if (!function.ok()) return function.status();
  const absl::Status valid = CheckUnit(context.compilers, state,
                                       function->data_source, function->code);
  if (!valid.ok()) return valid;
  return function;
}

absl::StatusOr<Answer> CreateFunction(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  absl::StatusOr<Function> function = CheckedFunction(context, **state);
  if (!function.ok()) return function.status();
  function->id = NewId();
  context.catalog.Save(context.parts[0], *function);
  return FunctionAnswer(context, *function);
}

// The function that the path names, of an existing API.
absl::StatusOr<Function> FindFunction(const OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  const auto found = (*state)->functions.find(context.parts[1]);
  if (found == (*state)->functions.end()) {
    return NotFound(absl::StrCat("Function ", context.parts[1], " not found."));
  }
  return *found->second;
}

absl::StatusOr<Answer> GetFunction(OperationContext& context) {
  const absl::StatusOr<Function> function = FindFunction(context);
  if (!function.ok()) return function.status();
  return FunctionAnswer(context, *function);
}

absl::StatusOr<Answer> UpdateFunction(OperationContext& context) {
  const absl::StatusOr<Function> before = FindFunction(context);
  if (!before.ok()) return before.status();
  absl::StatusOr<Function> function =
      CheckedFunction(context, *context.catalog.Find(context.parts[0]));
  if (!function.ok()) return function.status();
  function->id = before->id;
  context.catalog.Save(context.parts[0], *function);
  return FunctionAnswer(context, *function);
}

absl::StatusOr<Answer> ListFunctions(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  std::map<std::string, Json::Value> items;
  for (const auto& [id, function] : (*state)->functions) {
    items[id] = ToJson(*function, {context.place(), context.parts[0]});
  }
  return ListAnswer(context, "functions", items);
}

absl::StatusOr<Answer> DeleteFunction(OperationContext& context) {
  const absl::StatusOr<Function> function = FindFunction(context);
  if (!function.ok()) return function.status();
  for (const auto& [field, resolver] :
       context.catalog.Find(context.parts[0])->resolvers) {
    if (!Uses(*resolver, function->id)) continue;
    return BadRequest(absl::StrCat("Function ", function->id,
                                   " is used by the resolver of ", field.first,
                                   ".", field.second, "."));
  }
  context.catalog.RemoveFunction(context.parts[0], function->id);
  return EmptyAnswer();
}

absl::StatusOr<Answer> ListResolversByFunction(OperationContext& context) {
  const absl::StatusOr<Function> function = FindFunction(context);
  if (!function.ok()) return function.status();
  std::map<std::string, Json::Value> items;
  for (const auto& [field, resolver] :
       context.catalog.Find(context.parts[0])->resolvers) {
    if (!Uses(*resolver, function->id)) continue;
    items[absl::StrCat(field.first, ".", field.second)] =
        ToJson(*resolver, {context.place(), context.parts[0]});
  }
  return ListAnswer(context, "resolvers", items);
}

constexpr Operation kFunctionOperations[] = {
    {"CreateFunction", "POST", "/v1/apis/{apiId}/functions", CreateFunction},
    {"ListFunctions", "GET", "/v1/apis/{apiId}/functions", ListFunctions},
    {"GetFunction", "GET", "/v1/apis/{apiId}/functions/{id}", GetFunction},
    {"UpdateFunction", "POST", "/v1/apis/{apiId}/functions/{id}",
     UpdateFunction},
    {"DeleteFunction", "DELETE", "/v1/apis/{apiId}/functions/{id}",
     DeleteFunction},
    {"ListResolversByFunction", "GET",
     "/v1/apis/{apiId}/functions/{id}/resolvers", ListResolversByFunction}};

}  // namespace

absl::Span<const Operation> FunctionOperations() { return kFunctionOperations; }

}  // namespace byoshin::local::appsync
