// What the last requests did, and how long each resolver took, for a page.
//
//   for (const RequestTrace& trace : traces.Newest(api_id, 20)) Show(trace);
#ifndef BYOSHIN_LOCAL_APPSYNC_RESOLVE_TRACE_H_
#define BYOSHIN_LOCAL_APPSYNC_RESOLVE_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"

namespace byoshin::local::appsync {

// One call of a resolver.
struct ResolverTrace {
  std::string path{};         // "/listGroups[0]/nodes"; cut if it is long
  std::string parent_type{};  // "Query"
  std::string field_name{};
  std::string return_type{};
  // Names, in order: one of a unit resolver, those of a pipeline's functions.
  std::vector<std::string> data_sources{};
  // In real time, since the request began.
  absl::Duration start{};
  absl::Duration duration{};
  // The message of its error, cut if it is long; empty if there is none.
  std::string error{};
};

struct RequestTrace {
  // Rises with each trace.
  std::uint64_t number = 0;
  std::string request_id{};
  std::string api_id{};
  // On the cloud's clock.
  absl::Time time = absl::InfinitePast();
  enum class Kind { kQuery, kMutation, kSubscription };
  Kind kind = Kind::kQuery;
  // These are cut if they are long.
  std::string operation_name{};
  std::string query{};
  // In real time.
  absl::Duration duration{};
  std::size_t errors = 0;
  // Subscribers that got a message of it.
  std::size_t deliveries = 0;
  // The first ones of many.
  std::vector<ResolverTrace> resolvers{};
};

// Thread-safe.
class Traces {
 public:
  struct Limits {
    std::size_t requests = 500;
    std::size_t resolvers = 200;  // of a request
    std::size_t query_bytes = 4096;
    // Of a path, an error or an operation's name.
    std::size_t text_bytes = 512;
  };
  using Pointer = std::shared_ptr<const RequestTrace>;

  Traces() : Traces(Limits{}) {}
  explicit Traces(Limits limits) : limits_(limits) {}

  const Limits& limits() const { return limits_; }

  // `listener` is called after each addition, on any thread; it must not block
  // or call this. Once this returns, the previous one is no longer called. May
  // be null.
  void set_listener(std::function<void()> listener);

  // Forgets the oldest one beyond the limit.
  void Add(RequestTrace trace);

  // The newest ones of an API, or of all if the id is empty; newest first.
  std::vector<Pointer> Newest(absl::string_view api_id, std::size_t max) const;

 private:
  const Limits limits_;
  mutable sync::Mutex mutex_;
  std::deque<Pointer> traces_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t last_number_ ABSL_GUARDED_BY(mutex_) = 0;
  std::function<void()> listener_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_RESOLVE_TRACE_H_
