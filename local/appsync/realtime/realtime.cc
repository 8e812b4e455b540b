#include "local/appsync/realtime/realtime.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/web_socket.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "core/time/alarms.h"
#include "local/appsync/auth/authentication.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/realtime/connection.h"
#include "local/appsync/realtime/frames.h"
#include "local/appsync/realtime/hub.h"
#include "local/appsync/realtime/limits.h"
#include "local/appsync/resolve/compiled_api.h"
#include "local/appsync/resolve/operations.h"
#include "local/appsync/script/runtime.h"
#include "local/gateway/guard.h"

namespace byoshin::local::appsync {
namespace {

// Sockets that are due within this time share an alarm.
constexpr absl::Duration kAlarmStep = absl::Seconds(1);

Connection::Client ClientOf(const http::ServerRequest& request,
                            const Realtime::Address& address) {
  http::ServerRequest credentials =
      CredentialsOf(request, address.endpoint_path);
  json::Data headers = WithHeaders(HeadersData(request), credentials);
  return {.api_id = address.api_id,
          .endpoint_path = address.endpoint_path,
          .credentials = std::move(credentials),
          .signatures = IsOfOwnOrigin(request)
                            ? Authentication::Signatures::kAccepted
                            : Authentication::Signatures::kRefused,
          .headers = std::move(headers),
          .source_ip = request.remote.substr(0, request.remote.rfind(':'))};
}

}  // namespace

Realtime::Realtime(RealtimeWorld world)
    : world_(std::move(world)),
      alarms_(std::make_unique<time::Alarms>(world_.clock)) {}

Realtime::~Realtime() { alarms_.reset(); }

void Realtime::Accept(const http::ServerRequest& request,
                      const http::Responder& respond, const Address& address) {
  const std::vector<absl::string_view> offered =
      http::OfferedSubprotocols(request);
  const bool offers =
      std::find(offered.begin(), offered.end(), kSubprotocol) != offered.end();
  if (!offers) {
    return respond({.status = 400,
                    .headers = {{"Content-Type", "application/json"}},
                    .body = R"({"message":"The subprotocol graphql-ws is )"
                            R"(required."})"});
  }
  const auto connection = std::make_shared<Connection>(
      world_, ClientOf(request, address), HubOf(address.api_id));
  respond.Upgrade(
      {.subprotocol = kSubprotocol,
       .options = {.max_message_bytes = kMaxFrameBytes,
                   .max_unsent_bytes = kMaxUnreadBytes},
       .on_open =
           [this, connection](const std::shared_ptr<http::WebSocket>& socket) {
             connection->Open(socket);
             const sync::MutexLock lock(mutex_);
             Schedule(world_.clock.Now() + kKeepAliveInterval, connection);
           },
       .on_message =
           [connection](const std::shared_ptr<http::WebSocket>&,
                        http::WebSocketMessage::Type,
                        const std::string& data) { connection->Receive(data); },
       .on_close = [connection](
                       const std::shared_ptr<http::WebSocket>&,
                       const http::WebSocketClose&) { connection->Closed(); }});
}

std::size_t Realtime::Publish(const CompiledApi& api,
                              const RequestOutcome& outcome) {
  const std::shared_ptr<Hub> hub = FindHub(api.state->api->id);
  if (hub == nullptr) return 0;
  std::size_t delivered = 0;
  for (const graphql::RootField& root : outcome.result.root_fields) {
    const auto found = api.subscriptions.find(root.field->name);
    if (root.failed || root.published.is_null() ||
        found == api.subscriptions.end()) {
      continue;
    }
    std::vector<absl::string_view> fields;
    for (const graphql::FieldDefinition* field : found->second) {
      fields.push_back(field->name);
    }
    delivered += hub->Publish(fields, root.published);
  }
  for (const script::SubscriptionInvalidation& invalidation :
       outcome.effects.invalidations) {
    hub->Invalidate(
        invalidation.subscription_field,
        json::Data::Parse(invalidation.payload).value_or(json::Data()));
  }
  return delivered;
}

std::size_t Realtime::connections(absl::string_view api_id) const {
  const sync::MutexLock lock(mutex_);
  std::size_t count = 0;
  for (const auto& [time, weak] : due_) {
    const std::shared_ptr<Connection> connection = weak.lock();
    if (connection != nullptr && connection->api_id() == api_id) ++count;
  }
  return count;
}

std::shared_ptr<Hub> Realtime::HubOf(const std::string& api_id) {
  const sync::MutexLock lock(mutex_);
  std::weak_ptr<Hub>& known = hubs_[api_id];
  std::shared_ptr<Hub> hub = known.lock();
  if (hub != nullptr) return hub;
  hub = std::make_shared<Hub>();
  known = hub;
  // Those whose connections have all ended.
  std::erase_if(hubs_,
                [](const auto& entry) { return entry.second.expired(); });
  return hub;
}

std::shared_ptr<Hub> Realtime::FindHub(const std::string& api_id) {
  const sync::MutexLock lock(mutex_);
  const auto found = hubs_.find(api_id);
  return found == hubs_.end() ? nullptr : found->second.lock();
}

void Realtime::Schedule(absl::Time time, std::weak_ptr<Connection> connection) {
  due_.emplace(time, std::move(connection));
  if (alarm_set_) return;
  // Later ones are never due earlier.
  alarm_set_ = true;
  alarms_->Set(due_.begin()->first, [this] { Ring(); });
}

void Realtime::Ring() {
  const absl::Time now = world_.clock.Now();
  std::vector<std::shared_ptr<Connection>> due;
  {
    const sync::MutexLock lock(mutex_);
    while (!due_.empty() && due_.begin()->first <= now + kAlarmStep) {
      if (std::shared_ptr<Connection> connection =
              due_.begin()->second.lock()) {
        due.push_back(std::move(connection));
      }
      due_.erase(due_.begin());
    }
    alarm_set_ = false;
  }
  std::vector<std::shared_ptr<Connection>> open;
  for (std::shared_ptr<Connection>& connection : due) {
    if (connection->Tick()) open.push_back(std::move(connection));
  }
  const sync::MutexLock lock(mutex_);
  for (const std::shared_ptr<Connection>& connection : open) {
    Schedule(now + kKeepAliveInterval, connection);
  }
  if (!alarm_set_ && !due_.empty()) {
    alarm_set_ = true;
    alarms_->Set(due_.begin()->first, [this] { Ring(); });
  }
}

}  // namespace byoshin::local::appsync
