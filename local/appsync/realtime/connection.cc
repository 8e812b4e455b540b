#include "local/appsync/realtime/connection.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/async/gate.h"
#include "core/http/web_socket.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/appsync/auth/authentication.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/auth/field_access.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/projection.h"
#include "local/appsync/realtime/event_filter.h"
#include "local/appsync/realtime/frames.h"
#include "local/appsync/realtime/hub.h"
#include "local/appsync/realtime/limits.h"
#include "local/appsync/resolve/operations.h"
#include "local/appsync/resolve/request_execution.h"

namespace byoshin::local::appsync {
namespace {

constexpr char kUnsupported[] = "UnsupportedOperation";

std::string ErrorsOf(const std::vector<graphql::Error>& errors) {
  return graphql::ToData(errors).ToJson();
}

absl::StatusOr<std::optional<EventFilter>> FilterOf(
    const std::optional<std::string>& json) {
  if (!json.has_value() || *json == "null") return std::nullopt;
  absl::StatusOr<EventFilter> filter = EventFilter::Parse(*json);
  if (!filter.ok()) return filter.status();
  return *std::move(filter);
}

}  // namespace

void Connection::Open(const std::shared_ptr<http::WebSocket>& socket) {
  socket_ = socket;
}

void Connection::Receive(absl::string_view text) {
  const time::Hold hold(world_.clock);
  ClientFrame frame = ParseFrame(text);
  switch (frame.type) {
    case ClientFrame::Type::kInvalid:
      return Send(ErrorFrame(frame.id, kUnsupported, frame.problem));
    case ClientFrame::Type::kInit:
      return Init();
    case ClientFrame::Type::kStart:
      return Start(std::move(frame));
    case ClientFrame::Type::kStop:
      return Stop(*frame.id);
  }
}

void Connection::Closed() {
  std::map<std::string, Slot, std::less<>> ended;
  {
    const sync::MutexLock lock(mutex_);
    state_ = State::kClosed;
    ended.swap(subscriptions_);
  }
  for (const auto& [id, slot] : ended) {
    if (slot.subscription != nullptr) hub_->Remove(slot.subscription);
  }
}

bool Connection::Tick() {
  bool ready = false;
  {
    const sync::MutexLock lock(mutex_);
    if (state_ == State::kClosed) return false;
    ready = state_ == State::kReady;
  }
  const bool over = world_.clock.Now() - opened_ >= kConnectionLife;
  // A client that has not introduced itself by now never will.
  if (!ready || over || world_.find_api(client_.api_id) == nullptr) {
    socket_->Close(http::kCloseGoingAway, "the connection's time is over");
    return false;
  }
  Send(KeepAliveFrame());
  return true;
}

void Connection::Init() {
  {
    const sync::MutexLock lock(mutex_);
    if (state_ != State::kNew) return;
    state_ = State::kChecking;
  }
  const std::shared_ptr<const ApiState> state = world_.find_api(client_.api_id);
  if (state == nullptr) return FinishInit(AuthRefusal{});
  const Authentication::Operation operation{.request_id =
                                                world_.new_request_id()};
  world_.authentication.Check(*state,
                              {.http = client_.credentials,
                               .operation = operation,
                               .signatures = client_.signatures},
                              [self = shared_from_this(), gate = world_.gate](
                                  const Authentication::Outcome& outcome) {
                                const async::Gate::Pass pass(*gate);
                                if (pass.granted()) self->FinishInit(outcome);
                              });
}

void Connection::FinishInit(const Authentication::Outcome& outcome) {
  if (const auto* refusal = std::get_if<AuthRefusal>(&outcome)) {
    Send(ConnectionErrorFrame(refusal->error_type, refusal->message,
                              refusal->status));
    return socket_->Close(http::kCloseNormal, "not authorized");
  }
  {
    const sync::MutexLock lock(mutex_);
    if (state_ != State::kChecking) return;
    state_ = State::kReady;
  }
  Send(AckFrame());
  Send(KeepAliveFrame());
}

std::optional<Connection::Attempt> Connection::Begin(const std::string& id) {
  const sync::MutexLock lock(mutex_);
  if (state_ == State::kClosed) return std::nullopt;
  if (state_ != State::kReady) {
    Send(ErrorFrame(id, kUnsupported,
                    "send connection_init and wait for connection_ack first"));
    return std::nullopt;
  }
  if (subscriptions_.contains(id)) {
    Send(ErrorFrame(id, "DuplicatedOperationError",
                    absl::StrCat("Duplicated operation id ", id)));
    return std::nullopt;
  }
  if (subscriptions_.size() + stopped_ >= kMaxSubscriptions) {
    Send(ErrorFrame(id, "MaxSubscriptionsReachedError",
                    absl::StrCat("Max number of ", kMaxSubscriptions,
                                 " subscriptions reached")));
    return std::nullopt;
  }
  subscriptions_[id] = {.attempt = ++last_attempt_};
  return Attempt{.id = id, .number = last_attempt_};
}

void Connection::Start(ClientFrame frame) {
  const std::string& id = *frame.id;
  std::optional<Attempt> begun = Begin(id);
  if (!begun.has_value()) return;
  Attempt& attempt = *begun;
  std::variant<OperationText, RequestRefusal> text = ParseOperation(frame.data);
  if (const auto* refusal = std::get_if<RequestRefusal>(&text)) {
    return GiveUp(attempt, ErrorsFrame(id, refusal->errors));
  }
  const std::shared_ptr<const ApiState> state = world_.find_api(client_.api_id);
  if (state == nullptr) {
    return GiveUp(attempt, ErrorFrame(id, "UnauthorizedException",
                                      AuthRefusal().message));
  }
  std::variant<PreparedOperation, RequestRefusal> prepared =
      world_.operations.Prepare(state,
                                std::get<OperationText>(std::move(text)));
  if (const auto* refusal = std::get_if<RequestRefusal>(&prepared)) {
    return GiveUp(attempt, ErrorsFrame(id, refusal->errors));
  }
  PreparedOperation& operation = std::get<PreparedOperation>(prepared);
  if (operation.operation->type != graphql::OperationType::kSubscription) {
    return GiveUp(attempt,
                  ErrorFrame(id, kUnsupported,
                             "only subscriptions are supported through the "
                             "realtime channel"));
  }
  const http::ServerRequest credentials =
      CredentialsOf(frame, client_.endpoint_path);
  attempt.headers = WithHeaders(client_.headers, credentials);
  const Authentication::Operation told{.request_id = world_.new_request_id(),
                                       .query = operation.text.query,
                                       .name = operation.text.name,
                                       .variables = operation.text.variables};
  world_.authentication.Check(
      *state,
      {.http = credentials,
       .operation = told,
       .signatures = client_.signatures},
      [self = shared_from_this(), gate = world_.gate, attempt,
       operation](const Authentication::Outcome& outcome) {
        const async::Gate::Pass pass(*gate);
        if (pass.granted()) self->Authorized(attempt, operation, outcome);
      });
}

bool Connection::IsCurrent(const Attempt& attempt) {
  const auto found = subscriptions_.find(attempt.id);
  if (found != subscriptions_.end() &&
      found->second.attempt == attempt.number) {
    return true;
  }
  if (stopped_ > 0) --stopped_;
  return false;
}

void Connection::GiveUp(const Attempt& attempt, std::string frame) {
  {
    const sync::MutexLock lock(mutex_);
    if (!IsCurrent(attempt)) return;
    subscriptions_.erase(attempt.id);
  }
  Send(std::move(frame));
}

void Connection::Authorized(const Attempt& attempt, PreparedOperation prepared,
                            const Authentication::Outcome& outcome) {
  if (const auto* refusal = std::get_if<AuthRefusal>(&outcome)) {
    return GiveUp(
        attempt, ErrorFrame(attempt.id, refusal->error_type, refusal->message));
  }
  const auto shared =
      std::make_shared<const PreparedOperation>(std::move(prepared));
  const CallerPointer caller = std::get<CallerPointer>(outcome);
  world_.operations.Execute(*shared, caller,
                            {.request_id = world_.new_request_id(),
                             .headers = attempt.headers,
                             .source_ip = client_.source_ip},
                            [self = shared_from_this(), attempt, shared,
                             caller](RequestOutcome done) {
                              self->Executed(attempt, *shared, *caller,
                                             std::move(done));
                            });
}

void Connection::Executed(const Attempt& attempt,
                          const PreparedOperation& prepared,
                          const ApiCaller& caller, RequestOutcome outcome) {
  const std::string& id = attempt.id;
  // Most subscriptions have no resolver: there would be nothing to see, and
  // they would displace requests.
  if (!outcome.trace.resolvers.empty()) {
    world_.traces.Add(std::move(outcome.trace));
  }
  const std::vector<graphql::Error>& errors = outcome.result.errors;
  if (!errors.empty()) {
    return GiveUp(attempt, ErrorsFrame(id, ErrorsOf(errors)));
  }
  graphql::ProjectionResult made = graphql::Projection::Make(
      prepared.document, *prepared.operation, prepared.text.variables);
  if (made.projection == nullptr) {
    return GiveUp(attempt, ErrorsFrame(id, ErrorsOf(made.errors)));
  }
  // What is published later is not checked again.
  for (const auto& [type, field] : made.projection->SelectedFields()) {
    if (MayAccess(caller, prepared.api->arn, *type, *field)) continue;
    const graphql::FieldError refusal = graphql::NotAuthorized(*type, *field);
    return GiveUp(attempt, ErrorFrame(id, refusal.error_type.value_or(""),
                                      refusal.message));
  }
  absl::StatusOr<std::optional<EventFilter>> filter =
      FilterOf(outcome.effects.subscription_filter);
  absl::StatusOr<std::optional<EventFilter>> invalidation =
      FilterOf(outcome.effects.invalidation_filter);
  for (const absl::Status& status : {filter.status(), invalidation.status()}) {
    if (status.ok()) continue;
    return GiveUp(attempt, ErrorFrame(id, "InvalidFilter", status.message()));
  }
  const auto subscription = std::make_shared<Subscription>();
  subscription->id = id;
  subscription->socket = socket_;
  subscription->field = std::string(made.projection->field().name);
  subscription->arguments = made.projection->arguments();
  subscription->bytes = made.projection->memory_bytes();
  // Not kept here: the hub forgets a selection that nobody has any more.
  subscription->projection = std::move(made.projection);
  subscription->filter = *std::move(filter);
  subscription->invalidation = *std::move(invalidation);
  // AppSync ends the subscription and the connection.
  subscription->on_invalidated = [id, socket = socket_] {
    socket->SendText(IdFrame("complete", id));
    socket->Close(http::kCloseNormal, "the subscription was invalidated");
  };
  switch (Take(attempt, subscription)) {
    case Taken::kYes:
      break;
    case Taken::kStopped:
      return;
    case Taken::kTooLarge:
      return GiveUp(
          attempt,
          ErrorFrame(id, "MaxSubscriptionsReachedError",
                     absl::StrCat("The subscriptions of the connection "
                                  "take more than ",
                                  kMaxSubscriptionBytes, " bytes")));
  }
  hub_->Add(subscription, IdFrame("start_ack", id));
  // A disconnection in between did not find it in the hub.
  const sync::MutexLock lock(mutex_);
  const auto found = subscriptions_.find(id);
  if (found == subscriptions_.end() ||
      found->second.subscription != subscription) {
    hub_->Remove(subscription);
  }
}

Connection::Taken Connection::Take(
    const Attempt& attempt, const std::shared_ptr<Subscription>& subscription) {
  const sync::MutexLock lock(mutex_);
  if (!IsCurrent(attempt)) return Taken::kStopped;
  if (subscription->bytes > kMaxSubscriptionBytes - subscription_bytes_) {
    return Taken::kTooLarge;
  }
  subscription_bytes_ += subscription->bytes;
  subscriptions_[attempt.id].subscription = subscription;
  return Taken::kYes;
}

void Connection::Stop(const std::string& id) {
  std::shared_ptr<Subscription> subscription;
  {
    const sync::MutexLock lock(mutex_);
    const auto found = subscriptions_.find(id);
    if (found == subscriptions_.end()) {
      return Send(ErrorFrame(id, "UnknownOperationError",
                             absl::StrCat("Unknown operation id ", id)));
    }
    subscription = std::move(found->second.subscription);
    if (subscription != nullptr) {
      subscription_bytes_ -= subscription->bytes;
    } else {
      ++stopped_;
    }
    subscriptions_.erase(found);
  }
  if (subscription != nullptr) hub_->Remove(subscription);
  Send(IdFrame("complete", id));
}

}  // namespace byoshin::local::appsync
