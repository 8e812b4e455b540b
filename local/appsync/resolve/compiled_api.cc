#include "local/appsync/resolve/compiled_api.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/model/names.h"
#include "local/appsync/model/record.h"
#include "local/appsync/script/runtime.h"

namespace byoshin::local::appsync {

CompiledApis::Pointer CompiledApis::Get(
    const std::shared_ptr<const ApiState>& state) {
  Pointer before;
  {
    const sync::MutexLock lock(mutex_);
    const auto found = compiled_.find(state->api->id);
    if (found != compiled_.end()) before = found->second;
  }
  if (before != nullptr && before->state->version >= state->version) {
    return before;
  }
  // A schema that has not changed keeps its identity, and so do documents and
  // subscriptions that were prepared with it.
  std::shared_ptr<const graphql::Schema> schema;
  if (state->schema != nullptr) {
    schema = before != nullptr && before->state->schema == state->schema
                 ? before->schema
                 : graphql::Schema::Parse(*state->schema).schema;
  }
  Pointer compiled = Compile(state, std::move(schema));
  const sync::MutexLock lock(mutex_);
  // Otherwise it was or will be forgotten, maybe since the API was deleted:
  // this request is the last to use it.
  if (!is_current_(*state)) return compiled;
  Pointer& kept = compiled_[state->api->id];
  if (kept == nullptr || kept->state->version < state->version) {
    kept = compiled;
  }
  return compiled;
}

CompiledApis::Pointer CompiledApis::Forget(const std::string& api_id) {
  const sync::MutexLock lock(mutex_);
  const auto found = compiled_.find(api_id);
  if (found == compiled_.end()) return nullptr;
  Pointer forgotten = std::move(found->second);
  compiled_.erase(found);
  return forgotten;
}

CompiledApis::Pointer CompiledApis::Compile(
    const std::shared_ptr<const ApiState>& state,
    std::shared_ptr<const graphql::Schema> schema) const {
  auto compiled = std::make_shared<CompiledApi>();
  compiled->state = state;
  compiled->arn =
      ApiArn({.region = state->api->region, .account_id = account_id_},
             state->api->id);
  compiled->environment =
      json::WriteValue(TextMapJson(state->api->environment));
  compiled->schema = std::move(schema);
  if (compiled->schema == nullptr) return compiled;
  for (const auto& [name, resolver] : state->resolvers) {
    const graphql::FieldDefinition* field =
        compiled->schema->FindField(name.first, name.second);
    // The schema has changed since the resolver was made.
    if (field == nullptr) continue;
    CompiledResolver made = CompileResolver(*state, *resolver);
    made.arn = absl::StrCat(compiled->arn, "/types/", name.first, "/resolvers/",
                            name.second);
    compiled->resolvers.emplace(field, std::move(made));
  }
  if (const graphql::NamedType* subscription =
          compiled->schema->subscription_type()) {
    for (const graphql::FieldDefinition& field : subscription->fields) {
      for (const std::string& mutation : field.subscribes_to) {
        compiled->subscriptions[mutation].push_back(&field);
      }
    }
  }
  return compiled;
}

std::shared_ptr<const script::Script> CompiledApis::Load(
    const std::string& code, std::string& problem) const {
  if (code.empty()) return nullptr;
  script::LoadedScript loaded = runtime_.Load(code);
  if (loaded.script == nullptr) problem = "The code contains errors.";
  return loaded.script;
}

CompiledStep CompiledApis::Step(const ApiState& state, const std::string& name,
                                const std::string& data_source,
                                const std::string& code,
                                std::string& problem) const {
  CompiledStep step{.name = name, .script = Load(code, problem)};
  const auto source = state.data_sources.find(data_source);
  if (source == state.data_sources.end()) {
    problem = absl::StrCat("No data source found named ", data_source);
  } else {
    step.source = source->second;
  }
  return step;
}

CompiledResolver CompiledApis::CompileResolver(const ApiState& state,
                                               const Resolver& resolver) const {
  CompiledResolver compiled;
  compiled.pipeline = resolver.kind == Resolver::Kind::kPipeline;
  if (!compiled.pipeline) {
    compiled.steps.push_back(Step(state, resolver.field_name,
                                  resolver.data_source, resolver.code,
                                  compiled.problem));
    compiled.steps[0].max_batch_size = resolver.max_batch_size;
    return compiled;
  }
  compiled.script = Load(resolver.code, compiled.problem);
  for (const std::string& id : resolver.functions) {
    const auto function = state.functions.find(id);
    if (function == state.functions.end()) {
      compiled.problem = absl::StrCat("No function found with id ", id);
      continue;
    }
    compiled.steps.push_back(Step(state, function->second->name,
                                  function->second->data_source,
                                  function->second->code, compiled.problem));
    compiled.steps.back().max_batch_size = function->second->max_batch_size;
  }
  return compiled;
}

}  // namespace byoshin::local::appsync
