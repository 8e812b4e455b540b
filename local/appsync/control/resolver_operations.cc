// Operations on resolvers.
#include <json/json.h>

#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "local/appsync/control/answers.h"
#include "local/appsync/control/operation.h"
#include "local/appsync/control/unit_check.h"
#include "local/appsync/model/catalog.h"
#include "local/appsync/model/errors.h"
#include "local/appsync/model/resolver.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {
namespace {

Answer ResolverAnswer(const OperationContext& context,
                      const Resolver& resolver) {
  return MemberAnswer("resolver",
                      ToJson(resolver, {context.place(), context.parts[0]}));
}

absl::StatusOr<Resolver> CheckedResolver(OperationContext& context,
                                         const ApiState& state,
                                         const std::string& field_name) {
  context.body["typeName"] = context.parts[1];
  context.body["fieldName"] = field_name;
  absl::StatusOr<Resolver> resolver = ReadResolver(context.body);
  if (!resolver.ok()) return resolver.status();
  if (state.schema == nullptr ||
      !context.compilers.has_field(*state.schema, resolver->type_name,
                                   field_name)) {
    return NotFound(absl::StrCat("No field named ", field_name,
                                 " found on type ", resolver->type_name));
  }
  for (const std::string& id : resolver->functions) {
    if (state.functions.contains(id)) continue;
    return NotFound(absl::StrCat("No function found with id ", id));
  }
  const absl::Status valid = CheckUnit(context.compilers, state,
                                       resolver->data_source, resolver->code);
  if (!valid.ok()) return valid;
  return resolver;
}

absl::StatusOr<Answer> CreateResolver(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  const absl::StatusOr<Resolver> resolver =
      CheckedResolver(context, **state, TextIn(context, "fieldName"));
  if (!resolver.ok()) return resolver.status();
  if ((*state)->resolvers.contains(
          {resolver->type_name, resolver->field_name})) {
    return BadRequest("Only one resolver is allowed per field.");
  }
  context.catalog.Save(context.parts[0], *resolver);
  return ResolverAnswer(context, *resolver);
}

// The resolver that the path names, of an existing API.
absl::StatusOr<Resolver> FindResolver(const OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  const auto found =
      (*state)->resolvers.find({context.parts[1], context.parts[2]});
  if (found == (*state)->resolvers.end()) {
    return NotFound("No resolver found.");
  }
  return *found->second;
}

absl::StatusOr<Answer> GetResolver(OperationContext& context) {
  const absl::StatusOr<Resolver> resolver = FindResolver(context);
  if (!resolver.ok()) return resolver.status();
  return ResolverAnswer(context, *resolver);
}

absl::StatusOr<Answer> UpdateResolver(OperationContext& context) {
  const absl::StatusOr<Resolver> before = FindResolver(context);
  if (!before.ok()) return before.status();
  const absl::StatusOr<Resolver> resolver = CheckedResolver(
      context, *context.catalog.Find(context.parts[0]), before->field_name);
  if (!resolver.ok()) return resolver.status();
  context.catalog.Save(context.parts[0], *resolver);
  return ResolverAnswer(context, *resolver);
}

absl::StatusOr<Answer> ListResolvers(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  std::map<std::string, Json::Value> items;
  for (const auto& [field, resolver] : (*state)->resolvers) {
    if (field.first != context.parts[1]) continue;
    items[field.second] =
        ToJson(*resolver, {context.place(), context.parts[0]});
  }
  return ListAnswer(context, "resolvers", items);
}

absl::StatusOr<Answer> DeleteResolver(OperationContext& context) {
  const absl::StatusOr<Resolver> resolver = FindResolver(context);
  if (!resolver.ok()) return resolver.status();
  context.catalog.RemoveResolver(context.parts[0], resolver->type_name,
                                 resolver->field_name);
  return EmptyAnswer();
}

constexpr Operation kResolverOperations[] = {
    {"CreateResolver", "POST", "/v1/apis/{apiId}/types/{type}/resolvers",
     CreateResolver},
    {"ListResolvers", "GET", "/v1/apis/{apiId}/types/{type}/resolvers",
     ListResolvers},
    {"GetResolver", "GET", "/v1/apis/{apiId}/types/{type}/resolvers/{field}",
     GetResolver},
    {"UpdateResolver", "POST",
     "/v1/apis/{apiId}/types/{type}/resolvers/{field}", UpdateResolver},
    {"DeleteResolver", "DELETE",
     "/v1/apis/{apiId}/types/{type}/resolvers/{field}", DeleteResolver}};

}  // namespace

absl::Span<const Operation> ResolverOperations() { return kResolverOperations; }

}  // namespace byoshin::local::appsync
