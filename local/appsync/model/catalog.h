// All GraphQL APIs, in memory and in the store.
//
//   Catalog catalog(store);
//   if (absl::Status loaded = catalog.Load(); !loaded.ok()) return loaded;
//   catalog.Save(api);
//   std::shared_ptr<const ApiState> state = catalog.Find(api.id);
//   catalog.Save(api.id, key);
//
// A reader keeps the state that it has found; a change makes a new one.
#ifndef BYOSHIN_LOCAL_APPSYNC_MODEL_CATALOG_H_
#define BYOSHIN_LOCAL_APPSYNC_MODEL_CATALOG_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/appsync/model/api_state.h"
#include "local/store/store.h"

namespace byoshin::local::appsync {

// Find() and List() are thread-safe; the rest belongs to the thread of the
// store. A change is written to the store at once, for its loop to commit.
class Catalog {
 public:
  using StatePointer = std::shared_ptr<const ApiState>;
  // The state of an API before and after a change; null if there is none.
  using Listener = std::function<void(const StatePointer& before,
                                      const StatePointer& after)>;

  // `store` must outlive it. `listener` may be null; it is called on the thread
  // of the store once Find() gives the new state.
  explicit Catalog(Store& store, Listener listener = nullptr)
      : store_(store), listener_(std::move(listener)) {}

  // Reads all again, also after a rollback. DataLoss if a record is damaged.
  absl::Status Load();

  // Null if there is none.
  StatePointer Find(absl::string_view api_id) const;
  // By id.
  std::vector<StatePointer> List() const;

  // These add or replace. All but the first need an existing API.
  void Save(const GraphqlApi& api);
  void SaveSchema(const std::string& api_id, const std::string& sdl);
  void Save(const std::string& api_id, const ApiKey& key);
  void Save(const std::string& api_id, const DataSource& source);
  void Save(const std::string& api_id, const Function& function);
  void Save(const std::string& api_id, const Resolver& resolver);

  // With everything that belongs to it.
  void RemoveApi(const std::string& api_id);
  void RemoveKey(const std::string& api_id, const std::string& id);
  void RemoveDataSource(const std::string& api_id, const std::string& name);
  void RemoveFunction(const std::string& api_id, const std::string& id);
  void RemoveResolver(const std::string& api_id, const std::string& type_name,
                      const std::string& field_name);

 private:
  using States = std::map<std::string, StatePointer, std::less<>>;

  absl::Status LoadRecord(absl::string_view key, absl::string_view record,
                          std::map<std::string, ApiState>& states) const;
  void Change(const std::string& api_id,
              absl::FunctionRef<void(ApiState&)> change);
  void Tell(const StatePointer& before, const StatePointer& after) const;
  void Put(absl::string_view key, absl::string_view record);
  void Delete(absl::string_view key);

  Store& store_;
  const Listener listener_;
  mutable sync::Mutex mutex_;
  States states_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t last_version_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_MODEL_CATALOG_H_
