#include "local/cloudformation/stack_store.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "local/cloudformation/stack.h"
#include "local/store/store.h"

namespace byoshin::local::cloudformation {
namespace {

// stack/NAME/head, stack/NAME/resource/ID, stack/NAME/begun/ID,
// stack/NAME/event/NUMBER. Neither names nor ids have slashes.
constexpr absl::string_view kPrefix = "stack/";

std::string StackPrefix(absl::string_view name) {
  return absl::StrCat(kPrefix, name, "/");
}
std::string HeadKey(absl::string_view name) {
  return absl::StrCat(StackPrefix(name), "head");
}
std::string ResourceKey(absl::string_view name, absl::string_view id) {
  return absl::StrCat(StackPrefix(name), "resource/", id);
}
std::string BegunKey(absl::string_view name, absl::string_view id) {
  return absl::StrCat(StackPrefix(name), "begun/", id);
}
std::string EventKey(absl::string_view name, uint64_t number) {
  return absl::StrCat(StackPrefix(name), "event/",
                      absl::StrFormat("%020u", number));
}

}  // namespace

// The store remembers the first change that fails, and Commit() returns its
// error.

absl::Status StackStore::Load() {
  absl::Status damage;
  const sync::MutexLock lock(mutex_);
  stacks_.clear();
  const auto visit = [&](absl::string_view key, absl::string_view value) {
    mutex_.AssertHeld();
    const std::vector<std::string> parts = absl::StrSplit(key, '/');
    absl::StatusOr<Json::Value> json = json::ParseValue(value);
    if (!json.ok() || parts.size() < 3) {
      damage = absl::DataLossError(
          absl::StrCat("what is stored under ", key, " can't be read"));
      return Store::Visit::kStop;
    }
    Entry& entry = stacks_[parts[1]];
    if (parts[2] == "head") {
      Stack head = ReadStackHead(*json);
      head.resources = std::move(entry.stack.resources);
      head.begun = std::move(entry.stack.begun);
      head.events = std::move(entry.stack.events);
      entry.stack = std::move(head);
    } else if (parts[2] == "resource") {
      StackResource resource = ReadStackResource(*json);
      entry.stack.resources[resource.logical_id] = std::move(resource);
    } else if (parts[2] == "begun") {
      StackResource resource = ReadStackResource(*json);
      entry.stack.begun[resource.logical_id] = std::move(resource);
    } else if (parts[2] == "event" && parts.size() == 4) {
      StackEvent event = ReadStackEvent(*json);
      if (absl::SimpleAtoi(parts[3], &event.number)) {
        entry.next_event = event.number + 1;
      }
      entry.stack.events.push_back(std::move(event));
    }
    return Store::Visit::kContinue;
  };
  absl::Status status =
      store_.Scan(PrefixRange(kPrefix), Store::Direction::kForward, visit);
  return status.ok() ? damage : status;
}

std::optional<Stack> StackStore::Find(const std::string& name) const {
  const sync::MutexLock lock(mutex_);
  const auto entry = stacks_.find(name);
  if (entry == stacks_.end()) return std::nullopt;
  return entry->second.stack;
}

std::vector<std::string> StackStore::Names() const {
  const sync::MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, entry] : stacks_) names.push_back(name);
  return names;
}

const Stack* StackStore::Get(const std::string& name) const {
  const sync::MutexLock lock(mutex_);
  const auto entry = stacks_.find(name);
  return entry == stacks_.end() ? nullptr : &entry->second.stack;
}

void StackStore::Add(Stack stack) {
  const sync::MutexLock lock(mutex_);
  const std::string name = stack.name;
  store_.Put(HeadKey(name), WriteStackHead(stack)).IgnoreError();
  stacks_[name] = Entry{.stack = std::move(stack)};
}

void StackStore::Remove(const std::string& name) {
  const sync::MutexLock lock(mutex_);
  store_.DeleteRange(PrefixRange(StackPrefix(name))).IgnoreError();
  stacks_.erase(name);
}

void StackStore::ChangeHead(const std::string& name,
                            absl::FunctionRef<void(Stack& stack)> change) {
  const sync::MutexLock lock(mutex_);
  Stack& stack = stacks_[name].stack;
  change(stack);
  store_.Put(HeadKey(name), WriteStackHead(stack)).IgnoreError();
}

void StackStore::PutResource(const std::string& name, StackResource resource) {
  const sync::MutexLock lock(mutex_);
  const std::string id = resource.logical_id;
  resource.changed = clock_.Now();
  store_.Put(ResourceKey(name, id), WriteStackResource(resource)).IgnoreError();
  stacks_[name].stack.resources[id] = std::move(resource);
}

void StackStore::RemoveResource(const std::string& name,
                                const std::string& logical_id) {
  const sync::MutexLock lock(mutex_);
  store_.Delete(ResourceKey(name, logical_id)).IgnoreError();
  stacks_[name].stack.resources.erase(logical_id);
}

void StackStore::PutBegun(const std::string& name, StackResource resource) {
  const sync::MutexLock lock(mutex_);
  const std::string id = resource.logical_id;
  resource.changed = clock_.Now();
  store_.Put(BegunKey(name, id), WriteStackResource(resource)).IgnoreError();
  stacks_[name].stack.begun[id] = std::move(resource);
}

void StackStore::RemoveBegun(const std::string& name,
                             const std::string& logical_id) {
  const sync::MutexLock lock(mutex_);
  store_.Delete(BegunKey(name, logical_id)).IgnoreError();
  stacks_[name].stack.begun.erase(logical_id);
}

void StackStore::AddEvent(const std::string& name, StackEvent event) {
  event.time = clock_.Now();
  {
    const sync::MutexLock lock(mutex_);
    Entry& entry = stacks_[name];
    event.number = entry.next_event;
    store_.Put(EventKey(name, entry.next_event), WriteStackEvent(event))
        .IgnoreError();
    entry.stack.events.push_back(event);
    ++entry.next_event;
    if (entry.stack.events.size() > kMaxEvents) {
      store_.Delete(EventKey(name, entry.next_event - kMaxEvents - 1))
          .IgnoreError();
      entry.stack.events.erase(entry.stack.events.begin());
    }
  }
  if (listener_ != nullptr) listener_(name, event);
}

}  // namespace byoshin::local::cloudformation
