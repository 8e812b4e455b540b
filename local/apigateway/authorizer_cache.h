// Results of Lambda authorizers, kept for a time on the cloud's clock.
//
//   AuthorizerCache cache;
//   if (auto result = cache.Find(key, clock.Now())) return Decide(*result);
//   ...
//   cache.Put(key, result, {.size = payload.size(), .expires = now + ttl});
#ifndef BYOSHIN_LOCAL_APIGATEWAY_AUTHORIZER_CACHE_H_
#define BYOSHIN_LOCAL_APIGATEWAY_AUTHORIZER_CACHE_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/apigateway/authorizer_result.h"

namespace byoshin::local::apigateway {

// Thread-safe.
class AuthorizerCache {
 public:
  struct Limits {
    std::size_t entries = 10'000;
    // Of all keys and payloads together.
    std::size_t bytes = std::size_t{16} << 20;
  };
  struct Terms {
    std::size_t size = 0;  // of the payload that the result was read from
    absl::Time expires = absl::InfinitePast();
  };
  using Result = std::shared_ptr<const AuthorizerResult>;

  AuthorizerCache() = default;
  explicit AuthorizerCache(Limits limits) : limits_(limits) {}

  // Null if there is none, or it has expired.
  Result Find(const std::string& key, absl::Time now);

  // Beyond the limits, those that expire first are dropped.
  void Put(const std::string& key, Result result, Terms terms);

 private:
  struct Entry {
    Result result;
    Terms terms;
  };
  using Entries = std::map<std::string, Entry>;

  void Drop(Entries::iterator entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Limits limits_{};
  sync::Mutex mutex_;
  Entries entries_ ABSL_GUARDED_BY(mutex_);
  std::multimap<absl::Time, Entries::iterator> by_expiry_
      ABSL_GUARDED_BY(mutex_);
  std::size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_AUTHORIZER_CACHE_H_
