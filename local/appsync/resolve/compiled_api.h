// An API ready to be executed: its schema parsed, its code loaded.
//
//   CompiledApis compiled(runtime);
//   std::shared_ptr<const CompiledApi> api = compiled.Get(state);
//   if (api->schema == nullptr) …  // there is none yet
//   const CompiledResolver* resolver = api->FindResolver(field);
#ifndef BYOSHIN_LOCAL_APPSYNC_RESOLVE_COMPILED_API_H_
#define BYOSHIN_LOCAL_APPSYNC_RESOLVE_COMPILED_API_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/script/runtime.h"

namespace byoshin::local::appsync {

// What calls a data source: a unit resolver, or a function of a pipeline.
struct CompiledStep {
  std::string name{};
  std::shared_ptr<const DataSource> source{};
  // Null if the function of the data source is called without code.
  std::shared_ptr<const script::Script> script{};
  std::int64_t max_batch_size = 0;
};

struct CompiledResolver {
  std::string arn{};
  // Whether it is a pipeline, `script` is then its own code.
  bool pipeline = false;
  std::shared_ptr<const script::Script> script{};
  std::vector<CompiledStep> steps{};
  // Why it can't run, such as a data source that was deleted; else empty.
  std::string problem{};
};

// Immutable, so thread-safe.
struct CompiledApi {
  std::shared_ptr<const ApiState> state{};
  std::string arn{};
  // Null if the API has no schema.
  std::shared_ptr<const graphql::Schema> schema{};
  absl::flat_hash_map<const graphql::FieldDefinition*, CompiledResolver>
      resolvers{};
  // ctx.env, as JSON.
  std::string environment = "{}";
  // The subscriptions of each mutation's name.
  absl::flat_hash_map<std::string, std::vector<const graphql::FieldDefinition*>>
      subscriptions{};

  // Null if the field has none.
  const CompiledResolver* FindResolver(
      const graphql::FieldDefinition& field) const {
    const auto found = resolvers.find(&field);
    return found == resolvers.end() ? nullptr : &found->second;
  }
};

// Thread-safe.
class CompiledApis {
 public:
  using Pointer = std::shared_ptr<const CompiledApi>;

  // Whether it is still the state of its API.
  using IsCurrent = std::function<bool(const ApiState& state)>;

  // `runtime` must outlive it. `is_current` must not be null.
  CompiledApis(script::Runtime& runtime, std::string account_id,
               IsCurrent is_current)
      : runtime_(runtime),
        account_id_(std::move(account_id)),
        is_current_(std::move(is_current)) {}

  // Compiled once for each state of an API.
  Pointer Get(const std::shared_ptr<const ApiState>& state);

  // Drops what is kept of the API, and returns it. Null if there is nothing.
  // Its state must not be current any more.
  Pointer Forget(const std::string& api_id);

 private:
  Pointer Compile(const std::shared_ptr<const ApiState>& state,
                  std::shared_ptr<const graphql::Schema> schema) const;
  CompiledResolver CompileResolver(const ApiState& state,
                                   const Resolver& resolver) const;
  CompiledStep Step(const ApiState& state, const std::string& name,
                    const std::string& data_source, const std::string& code,
                    std::string& problem) const;
  std::shared_ptr<const script::Script> Load(const std::string& code,
                                             std::string& problem) const;

  script::Runtime& runtime_;
  const std::string account_id_;
  const IsCurrent is_current_;
  sync::Mutex mutex_;
  // The newest of each API, by id.
  std::map<std::string, Pointer> compiled_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_RESOLVE_COMPILED_API_H_
