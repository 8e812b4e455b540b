// What the code of a request asks for besides values, all resolvers together.
//
//   RequestEffects effects;
//   effects.Take(evaluation);  // of each resolver, on any thread
//   Effects all = effects.Finish();
#ifndef BYOSHIN_LOCAL_APPSYNC_RESOLVE_REQUEST_EFFECTS_H_
#define BYOSHIN_LOCAL_APPSYNC_RESOLVE_REQUEST_EFFECTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/http/client.h"
#include "core/sync/mutex.h"
#include "local/appsync/script/runtime.h"

namespace byoshin::local::appsync {

struct Effects {
  std::vector<script::SubscriptionInvalidation> invalidations{};
  std::optional<std::string> subscription_filter{};
  std::optional<std::string> invalidation_filter{};
  // With different names.
  std::vector<http::Header> response_headers{};
};

// Names and values of a request's response headers, also of those that others
// of the same name have replaced.
inline constexpr std::size_t kMaxResponseHeaderBytes = 4096;

// Thread-safe.
class RequestEffects {
 public:
  // Takes what the evaluation asks for. What is more than a request may have
  // becomes an error of the evaluation: a header an appended one, an
  // invalidation the one that ends it.
  void Take(script::Evaluation& evaluation) ABSL_LOCKS_EXCLUDED(mutex_);

  // Call it once, after all evaluations.
  Effects Finish() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // False if there are too many.
  bool AddInvalidation(const script::SubscriptionInvalidation& invalidation)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool AddHeader(const std::pair<std::string, std::string>& header)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  sync::Mutex mutex_;
  Effects effects_ ABSL_GUARDED_BY(mutex_);
  std::size_t header_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_RESOLVE_REQUEST_EFFECTS_H_
