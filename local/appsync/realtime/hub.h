// The subscriptions of an API: delivers what mutations publish.
//
//   Hub hub;
//   std::shared_ptr<Subscription> subscription = …;
//   hub.Add(subscription, ack);
//   hub.Publish("onUpdate", published);  // to those whose arguments match
//   hub.Remove(*subscription);
//
// A message is rendered once for all subscribers that select the same. A
// socket gets messages in the order of the calls of Publish().
#ifndef BYOSHIN_LOCAL_APPSYNC_REALTIME_HUB_H_
#define BYOSHIN_LOCAL_APPSYNC_REALTIME_HUB_H_

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/http/web_socket.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "local/appsync/graphql/projection.h"
#include "local/appsync/realtime/event_filter.h"

namespace byoshin::local::appsync {

struct Subscription {
  // Of the client's choice.
  std::string id{};
  std::shared_ptr<http::WebSocket> socket{};
  // The subscription's field: "onUpdate".
  std::string field{};
  // What it selects; the hub shares it among those that select the same. Null
  // once the hub has removed it.
  std::shared_ptr<const graphql::Projection> projection{};
  // What filters it: arguments by equality or, if the API's code has set one,
  // a filter.
  json::Data arguments{};
  std::optional<EventFilter> filter{};
  std::optional<EventFilter> invalidation{};
  // What it takes, about.
  std::size_t bytes = 0;
  // Called if it is invalidated. Must not call the hub. Never null.
  std::function<void()> on_invalidated{};

  // The hub's own.
  std::string head{};
  std::string values{};
};

// Thread-safe.
class Hub {
 public:
  // Sends `ack`, then what is published from now on.
  void Add(const std::shared_ptr<Subscription>& subscription, std::string ack)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Nothing is sent to it any more. One that is not there is ignored.
  void Remove(const std::shared_ptr<Subscription>& subscription)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns how many subscribers got it. Messages beyond the limit are dropped.
  std::size_t Publish(const std::vector<absl::string_view>& fields,
                      const json::Data& published) ABSL_LOCKS_EXCLUDED(mutex_);

  // Ends the subscriptions to the field whose invalidation filter matches.
  void Invalidate(absl::string_view field, const json::Data& payload)
      ABSL_LOCKS_EXCLUDED(mutex_);

  std::size_t size() const ABSL_LOCKS_EXCLUDED(mutex_);
  // How many distinct selections its subscriptions have.
  std::size_t selections() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Pointer = std::shared_ptr<Subscription>;
  // Those with the same names of arguments, by the values.
  struct Group {
    std::vector<std::string> names;
    absl::flat_hash_map<std::string, std::vector<Pointer>> by_values;
  };
  using Messages = absl::flat_hash_map<const graphql::Projection*,
                                       std::shared_ptr<const std::string>>;

  Group& GroupOf(const Subscription& subscription)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Nothing is kept of a selection that the subscription was the last to have.
  void ForgetProjection(Subscription& subscription)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::size_t PublishTo(const std::vector<Pointer>& subscribers,
                        const json::Data& published, Messages& messages)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable sync::Mutex mutex_;
  absl::flat_hash_map<std::string, std::list<Group>> fields_
      ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, std::weak_ptr<const graphql::Projection>>
      projections_ ABSL_GUARDED_BY(mutex_);
  std::size_t size_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_REALTIME_HUB_H_
