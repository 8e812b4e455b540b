#include "local/appsync/model/catalog.h"

#include <json/json.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "local/appsync/model/record.h"

namespace byoshin::local::appsync {
namespace {

// A record's key is its kind, the API's id and the rest, joined by slashes, of
// which names and ids have none. "api" sorts first, so that an API is read
// before what belongs to it.
constexpr char kApiKind[] = "api";
constexpr char kDataSourceKind[] = "datasource";
constexpr char kFunctionKind[] = "function";
constexpr char kKeyKind[] = "key";
constexpr char kResolverKind[] = "resolver";
constexpr char kSchemaKind[] = "schema";

std::string RecordKey(absl::string_view kind, absl::string_view api_id,
                      absl::string_view rest) {
  return absl::StrCat(kind, "/", api_id, "/", rest);
}

std::string ResolverRest(const std::string& type, const std::string& field) {
  return absl::StrCat(type, "/", field);
}

std::string FunctionRecord(const Function& function) {
  Json::Value record(Json::objectValue);
  record["id"] = function.id;
  record["settings"] = function.settings;
  return json::WriteValue(record);
}

absl::StatusOr<Function> FunctionFromRecord(absl::string_view text) {
  const absl::StatusOr<Json::Value> record = ReadRecord(text);
  if (!record.ok()) return record.status();
  absl::StatusOr<Function> function = ReadFunction((*record)["settings"]);
  if (!function.ok()) return DamagedRecord();
  function->id = json::TextMember(*record, "id");
  return function;
}

template <typename Value>
std::shared_ptr<const Value> Shared(Value value) {
  return std::make_shared<const Value>(std::move(value));
}

}  // namespace

absl::Status Catalog::LoadRecord(
    absl::string_view key, absl::string_view record,
    std::map<std::string, ApiState>& states) const {
  const std::vector<std::string> parts =
      absl::StrSplit(key, absl::MaxSplits('/', 2));
  if (parts.size() != 3) return DamagedRecord();
  const std::string& kind = parts[0];
  if (kind == kApiKind) {
    absl::StatusOr<GraphqlApi> api = GraphqlApiFromRecord(record);
    if (!api.ok()) return api.status();
    states[parts[1]].api = Shared(*std::move(api));
    return absl::OkStatus();
  }
  const auto found = states.find(parts[1]);
  if (found == states.end()) return DamagedRecord();
  ApiState& state = found->second;
  if (kind == kSchemaKind) {
    state.schema = Shared(std::string(record));
  } else if (kind == kKeyKind) {
    absl::StatusOr<ApiKey> read = ApiKeyFromRecord(record);
    if (!read.ok()) return read.status();
    state.keys[parts[2]] = Shared(*std::move(read));
  } else if (kind == kDataSourceKind) {
    const absl::StatusOr<Json::Value> settings = ReadRecord(record);
    if (!settings.ok()) return settings.status();
    absl::StatusOr<DataSource> read =
        ReadDataSource(*settings, state.api->region);
    if (!read.ok()) return DamagedRecord();
    state.data_sources[parts[2]] = Shared(*std::move(read));
  } else if (kind == kFunctionKind) {
    absl::StatusOr<Function> read = FunctionFromRecord(record);
    if (!read.ok()) return read.status();
    state.functions[parts[2]] = Shared(*std::move(read));
  } else if (kind == kResolverKind) {
    const absl::StatusOr<Json::Value> settings = ReadRecord(record);
    if (!settings.ok()) return settings.status();
    absl::StatusOr<Resolver> read = ReadResolver(*settings);
    if (!read.ok()) return DamagedRecord();
    std::pair field(read->type_name, read->field_name);
    state.resolvers[std::move(field)] = Shared(*std::move(read));
  }
  return absl::OkStatus();
}

absl::Status Catalog::Load() {
  std::map<std::string, ApiState> loaded;
  absl::Status damage;
  absl::Status scanned = store_.Scan(
      {}, Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view record) {
        damage = LoadRecord(key, record, loaded);
        return damage.ok() ? Store::Visit::kContinue : Store::Visit::kStop;
      });
  scanned.Update(damage);
  if (!scanned.ok()) return scanned;
  States before;
  States after;
  {
    const sync::MutexLock lock(mutex_);
    before.swap(states_);
    for (auto& [id, state] : loaded) {
      state.version = ++last_version_;
      states_[id] = Shared(std::move(state));
    }
    after = states_;
  }
  for (const auto& [id, state] : before) Tell(state, after[id]);
  return absl::OkStatus();
}

void Catalog::Tell(const StatePointer& before,
                   const StatePointer& after) const {
  if (listener_) listener_(before, after);
}

Catalog::StatePointer Catalog::Find(absl::string_view api_id) const {
  const sync::MutexLock lock(mutex_);
  const auto found = states_.find(api_id);
  return found == states_.end() ? nullptr : found->second;
}

std::vector<Catalog::StatePointer> Catalog::List() const {
  const sync::MutexLock lock(mutex_);
  std::vector<StatePointer> list;
  for (const auto& [id, state] : states_) list.push_back(state);
  return list;
}

void Catalog::Change(const std::string& api_id,
                     absl::FunctionRef<void(ApiState&)> change) {
  StatePointer before;
  StatePointer after;
  {
    const sync::MutexLock lock(mutex_);
    StatePointer& kept = states_[api_id];
    before = kept;
    ApiState state = kept == nullptr ? ApiState() : *kept;
    change(state);
    state.version = ++last_version_;
    kept = Shared(std::move(state));
    after = kept;
  }
  Tell(before, after);
}

// A failure of the store shows in the commit.
void Catalog::Put(absl::string_view key, absl::string_view record) {
  store_.Put(key, record).IgnoreError();
}

void Catalog::Delete(absl::string_view key) {
  store_.Delete(key).IgnoreError();
}

void Catalog::Save(const GraphqlApi& api) {
  Put(RecordKey(kApiKind, api.id, ""), ToRecord(api));
  Change(api.id, [&](ApiState& state) { state.api = Shared(api); });
}

void Catalog::SaveSchema(const std::string& api_id, const std::string& sdl) {
  Put(RecordKey(kSchemaKind, api_id, ""), sdl);
  Change(api_id, [&](ApiState& state) { state.schema = Shared(sdl); });
}

void Catalog::Save(const std::string& api_id, const ApiKey& key) {
  Put(RecordKey(kKeyKind, api_id, key.id), ToRecord(key));
  Change(api_id, [&](ApiState& state) { state.keys[key.id] = Shared(key); });
}

void Catalog::Save(const std::string& api_id, const DataSource& source) {
  Put(RecordKey(kDataSourceKind, api_id, source.name),
      json::WriteValue(source.settings));
  Change(api_id, [&](ApiState& state) {
    state.data_sources[source.name] = Shared(source);
  });
}

void Catalog::Save(const std::string& api_id, const Function& function) {
  Put(RecordKey(kFunctionKind, api_id, function.id), FunctionRecord(function));
  Change(api_id, [&](ApiState& state) {
    state.functions[function.id] = Shared(function);
  });
}

void Catalog::Save(const std::string& api_id, const Resolver& resolver) {
  Put(RecordKey(kResolverKind, api_id,
                ResolverRest(resolver.type_name, resolver.field_name)),
      json::WriteValue(resolver.settings));
  Change(api_id, [&](ApiState& state) {
    state.resolvers[{resolver.type_name, resolver.field_name}] =
        Shared(resolver);
  });
}

void Catalog::RemoveApi(const std::string& api_id) {
  for (const char* kind : {kApiKind, kDataSourceKind, kFunctionKind, kKeyKind,
                           kResolverKind, kSchemaKind}) {
    store_.DeleteRange(PrefixRange(RecordKey(kind, api_id, ""))).IgnoreError();
  }
  StatePointer before;
  {
    const sync::MutexLock lock(mutex_);
    const auto found = states_.find(api_id);
    if (found == states_.end()) return;
    before = std::move(found->second);
    states_.erase(found);
  }
  Tell(before, nullptr);
}

void Catalog::RemoveKey(const std::string& api_id, const std::string& id) {
  Delete(RecordKey(kKeyKind, api_id, id));
  Change(api_id, [&](ApiState& state) { state.keys.erase(id); });
}

void Catalog::RemoveDataSource(const std::string& api_id,
                               const std::string& name) {
  Delete(RecordKey(kDataSourceKind, api_id, name));
  Change(api_id, [&](ApiState& state) { state.data_sources.erase(name); });
}

void Catalog::RemoveFunction(const std::string& api_id, const std::string& id) {
  Delete(RecordKey(kFunctionKind, api_id, id));
  Change(api_id, [&](ApiState& state) { state.functions.erase(id); });
}

void Catalog::RemoveResolver(const std::string& api_id,
                             const std::string& type_name,
                             const std::string& field_name) {
  Delete(RecordKey(kResolverKind, api_id, ResolverRest(type_name, field_name)));
  Change(api_id, [&](ApiState& state) {
    state.resolvers.erase({type_name, field_name});
  });
}

}  // namespace byoshin::local::appsync
