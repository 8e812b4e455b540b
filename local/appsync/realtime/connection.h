// One client of the real-time endpoint: the protocol's state, and the client's
// subscriptions.
#ifndef BYOSHIN_LOCAL_APPSYNC_REALTIME_CONNECTION_H_
#define BYOSHIN_LOCAL_APPSYNC_REALTIME_CONNECTION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/gate.h"
#include "core/http/server_message.h"
#include "core/http/web_socket.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/appsync/auth/authentication.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/realtime/frames.h"
#include "local/appsync/realtime/hub.h"
#include "local/appsync/resolve/operations.h"
#include "local/appsync/resolve/request_execution.h"
#include "local/appsync/resolve/trace.h"

namespace byoshin::local::appsync {

// All outlive the connections.
struct RealtimeWorld {
  // The API of this id; null if there is none. Never null itself.
  std::function<std::shared_ptr<const ApiState>(absl::string_view)> find_api;
  Authentication& authentication;
  Operations& operations;
  Traces& traces;
  time::Clock& clock;
  // A new id for each request. Never null.
  std::function<std::string()> new_request_id;
  // Answers of functions are dropped once it is closed.
  std::shared_ptr<async::Gate> gate;
};

// Thread-safe.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  struct Client {
    std::string api_id{};
    // The path of the API's endpoint, as the client signs it.
    std::string endpoint_path{};
    http::ServerRequest credentials{};
    Authentication::Signatures signatures =
        Authentication::Signatures::kAccepted;
    // For resolvers, with those in the credentials.
    json::Data headers{};
    std::string source_ip{};
  };

  // `world` outlives it.
  Connection(const RealtimeWorld& world, Client client,
             std::shared_ptr<Hub> hub)
      : world_(world),
        client_(std::move(client)),
        hub_(std::move(hub)),
        opened_(world.clock.Now()) {}

  // The socket's callbacks.
  void Open(const std::shared_ptr<http::WebSocket>& socket);
  void Receive(absl::string_view text);
  void Closed();

  // Sends a keep-alive, or closes the connection if its time is over. Returns
  // whether it is still open.
  bool Tick();

  const std::string& api_id() const { return client_.api_id; }

 private:
  void Init();
  void FinishInit(const Authentication::Outcome& outcome);
  void Start(ClientFrame frame);
  void Stop(const std::string& id);
  // A start of a subscription. The client may stop it, and start another with
  // the same id, before it has been checked.
  struct Attempt {
    std::string id{};
    std::uint64_t number = 0;
    json::Data headers{};  // ctx.request.headers
  };
  // An attempt at starting a subscription with this id; nullopt, and an error
  // is sent, if there can't be one.
  std::optional<Attempt> Begin(const std::string& id);
  // Ends an attempt that failed, and sends `frame` unless it was stopped.
  void GiveUp(const Attempt& attempt, std::string frame);
  void Authorized(const Attempt& attempt, PreparedOperation prepared,
                  const Authentication::Outcome& outcome);
  void Executed(const Attempt& attempt, const PreparedOperation& prepared,
                const ApiCaller& caller, RequestOutcome outcome);
  // Whether it was taken to the subscriptions.
  enum class Taken { kYes, kStopped, kTooLarge };
  Taken Take(const Attempt& attempt,
             const std::shared_ptr<Subscription>& subscription);
  // Whether the attempt has not been stopped. If it has been, it no longer
  // counts towards the limit.
  bool IsCurrent(const Attempt& attempt) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Send(std::string frame) { socket_->SendText(std::move(frame)); }

  const RealtimeWorld& world_;
  const Client client_;
  const std::shared_ptr<Hub> hub_;
  const absl::Time opened_;
  // Set once, by Open().
  std::shared_ptr<http::WebSocket> socket_;

  mutable sync::Mutex mutex_;
  enum class State { kNew, kChecking, kReady, kClosed };
  State state_ ABSL_GUARDED_BY(mutex_) = State::kNew;
  struct Slot {
    std::uint64_t attempt = 0;
    // Null while it is being started.
    std::shared_ptr<Subscription> subscription{};
  };
  // By the client's ids.
  std::map<std::string, Slot, std::less<>> subscriptions_
      ABSL_GUARDED_BY(mutex_);
  std::uint64_t last_attempt_ ABSL_GUARDED_BY(mutex_) = 0;
  // Attempts that were stopped and are still being checked: they count as
  // subscriptions, so that a client can't have any number of them.
  std::size_t stopped_ ABSL_GUARDED_BY(mutex_) = 0;
  // Of those that have started.
  std::size_t subscription_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_REALTIME_CONNECTION_H_
