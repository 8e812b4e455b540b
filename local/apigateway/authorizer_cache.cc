#include "local/apigateway/authorizer_cache.h"

#include <string>
#include <utility>

#include "absl/time/time.h"
#include "core/sync/mutex.h"

namespace byoshin::local::apigateway {

AuthorizerCache::Result AuthorizerCache::Find(const std::string& key,
                                              absl::Time now) {
  const sync::MutexLock lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  if (found->second.terms.expires <= now) {
    Drop(found);
    return nullptr;
  }
  return found->second.result;
}

void AuthorizerCache::Put(const std::string& key, Result result, Terms terms) {
  const sync::MutexLock lock(mutex_);
  if (const auto old = entries_.find(key); old != entries_.end()) Drop(old);
  terms.size += key.size();
  bytes_ += terms.size;
  const auto added =
      entries_.emplace(key, Entry{std::move(result), terms}).first;
  by_expiry_.emplace(terms.expires, added);
  while (entries_.size() > limits_.entries || bytes_ > limits_.bytes) {
    Drop(by_expiry_.begin()->second);
  }
}

void AuthorizerCache::Drop(Entries::iterator entry) {
  const auto [begin, end] = by_expiry_.equal_range(entry->second.terms.expires);
  for (auto it = begin; it != end; ++it) {
    if (it->second != entry) continue;
    by_expiry_.erase(it);
    break;
  }
  bytes_ -= entry->second.terms.size;
  entries_.erase(entry);
}

}  // namespace byoshin::local::apigateway
