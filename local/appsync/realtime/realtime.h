// The real-time endpoint of all APIs: accepts sockets, keeps them alive, and
// publishes what mutations return.
#ifndef BYOSHIN_LOCAL_APPSYNC_REALTIME_REALTIME_H_
#define BYOSHIN_LOCAL_APPSYNC_REALTIME_REALTIME_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/sync/mutex.h"
#include "core/time/alarms.h"
#include "local/appsync/realtime/connection.h"
#include "local/appsync/realtime/hub.h"
#include "local/appsync/resolve/compiled_api.h"
#include "local/appsync/resolve/request_execution.h"

namespace byoshin::local::appsync {

// Thread-safe. The server's threads end before it is destroyed.
class Realtime {
 public:
  explicit Realtime(RealtimeWorld world);
  Realtime(const Realtime&) = delete;
  Realtime& operator=(const Realtime&) = delete;
  ~Realtime();

  struct Address {
    std::string api_id{};
    std::string endpoint_path{};
  };
  // `request` asks for a WebSocket.
  void Accept(const http::ServerRequest& request,
              const http::Responder& respond, const Address& address);

  // Publishes the results of a mutation's fields, and invalidates subscriptions
  // as its code has asked. Returns how many messages were delivered.
  std::size_t Publish(const CompiledApi& api, const RequestOutcome& outcome);

  // The sockets of an API.
  std::size_t connections(absl::string_view api_id) const;

 private:
  // Of an API with sockets; null if it has none.
  std::shared_ptr<Hub> FindHub(const std::string& api_id);
  std::shared_ptr<Hub> HubOf(const std::string& api_id);
  void Schedule(absl::Time time, std::weak_ptr<Connection> connection)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Ring();

  const RealtimeWorld world_;
  mutable sync::Mutex mutex_;
  // By API. Its connections own it.
  std::map<std::string, std::weak_ptr<Hub>> hubs_ ABSL_GUARDED_BY(mutex_);
  // When each connection is due for a keep-alive.
  std::multimap<absl::Time, std::weak_ptr<Connection>> due_
      ABSL_GUARDED_BY(mutex_);
  bool alarm_set_ ABSL_GUARDED_BY(mutex_) = false;
  std::unique_ptr<time::Alarms> alarms_;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_REALTIME_REALTIME_H_
