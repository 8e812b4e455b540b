#include "core/http/http2_connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/answer.h"
#include "core/http/body_queue.h"
#include "core/http/endpoint.h"
#include "core/http/http2_session.h"
#include "core/http/response_writer.h"
#include "core/http/server_message.h"
#include "core/http/service.h"
#include "core/http/web_socket_handshake.h"

namespace byoshin::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// The size of a read, onto the stack, and the number of reads before other
// connections get their turn.
constexpr std::size_t kHttp2ReadBytes = std::size_t{16} << 10;
constexpr int kHttp2ReadsPerTurn = 4;
// About the size of a write.
constexpr std::size_t kHttp2WriteBytes = std::size_t{64} << 10;

std::chrono::steady_clock::time_point DeadlineIn(absl::Duration timeout) {
  return timeout >= kForever ? std::chrono::steady_clock::time_point::max()
                             : std::chrono::steady_clock::now() +
                                   absl::ToChronoNanoseconds(timeout);
}

}  // namespace

Http2Connection::Http2Connection(tcp::socket socket, const Service& service,
                                 OnActivity on_activity)
    : service_(service),
      on_activity_(std::move(on_activity)),
      socket_(std::move(socket)),
      remote_(RemoteOf(socket_)),
      session_(
          {.max_header_bytes = service.options.max_header_bytes,
           .max_body_bytes = service.options.max_body_bytes,
           .max_concurrent_streams = service.options.max_concurrent_streams}),
      writable_(socket_.get_executor(), SteadyTime::max()),
      idle_deadline_(DeadlineIn(service.options.idle_timeout)),
      timer_(socket_.get_executor()) {}

asio::awaitable<void> Http2Connection::Run(std::string input) {
  on_activity_(Activity::kIdle);
  if (!session_.Feed(input)) Lose("the client broke the protocol");
  std::string().swap(input);
  Pump();
  while (!ended_) {
    const auto [error] =
        co_await socket_.async_wait(tcp::socket::wait_read, kAwait);
    while (waiting_to_write_ && !ended_) co_await writable_.async_wait(kAwait);
    if (ended_) break;
    if (error) {
      Lose(absl::StrCat("connection lost: ", error.message()));
    } else {
      ReadAvailable();
    }
  }
}

void Http2Connection::Drain() {
  if (ended_ || std::exchange(draining_, true)) return;
  // What has arrived, but has not been read, may be requests.
  if (!waiting_to_write_) ReadAvailable();
  if (ended_) return;
  session_.GoAway();
  Pump();
}

bool Http2Connection::CloseIfIdle() {
  Error error;
  if (ended_ || activity_ == Activity::kBusy || socket_.available(error) > 0 ||
      error) {
    return false;
  }
  session_.GoAway();
  Pump();
  End();
  return true;
}

void Http2Connection::End() {
  if (std::exchange(ended_, true)) return;
  Error ignored;
  socket_.close(ignored);
  // This does not reach an OnTimer() that is queued already, which therefore
  // looks at `ended_`.
  timer_.cancel();
  writable_.cancel();
  for (auto& [stream, exchange] : exchanges_) {
    if (exchange.answer != nullptr) exchange.answer->Abandon();
    if (exchange.body != nullptr) {
      exchange.body->Close();
      exchange.served.status = exchange.status;
    }
    if (exchange.served.error.empty()) {
      exchange.served.error =
          absl::StrCat(end_reason_, exchange.body == nullptr
                                        ? " before the answer"
                                        : " before the end of the answer");
    }
    Report(exchange);
  }
  exchanges_.clear();
}

void Http2Connection::Lose(absl::string_view reason) {
  if (ended_) return;
  end_reason_ = std::string(reason);
  End();
}

void Http2Connection::ReadAvailable() {
  std::array<char, kHttp2ReadBytes> chunk;
  for (int i = 0; i < kHttp2ReadsPerTurn && !ended_; ++i) {
    const ssize_t size = ::recv(socket_.native_handle(), chunk.data(),
                                chunk.size(), MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (size < 0) {
      const Error error(errno, boost::system::system_category());
      return Lose(absl::StrCat("connection lost: ", error.message()));
    }
    if (size == 0) return Lose("the client disconnected");
    if (lingering_) continue;
    if (!session_.Feed(absl::string_view(chunk.data(), size))) {
      return Lose("the client broke the protocol");
    }
    if (static_cast<std::size_t>(size) < chunk.size()) break;
  }
  Pump();
}

void Http2Connection::PumpLater() {
  if (std::exchange(pump_due_, true)) return;
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->pump_due_ = false;
    self->Pump();
  });
}

void Http2Connection::Pump() {
  if (ended_ || lingering_ || std::exchange(pumping_, true)) return;
  while (!ended_) {
    HandleEvents();
    if (waiting_to_write_ || ended_) break;
    if (output_.empty()) output_ = session_.TakeOutput(kHttp2WriteBytes);
    // Taking it may have ended streams.
    HandleEvents();
    if (output_.empty() || !Write()) break;
  }
  pumping_ = false;
  if (ended_) return;
  // An answer may have ended for the session, but not have been sent.
  SetActivity(exchanges_.empty() && output_.empty() ? Activity::kIdle
                                                    : Activity::kBusy);
  if (output_.empty() && session_.finished()) return BeginLinger();
  ArmTimer();
}

bool Http2Connection::Write() {
  while (written_ < output_.size()) {
    const ssize_t size =
        ::send(socket_.native_handle(), output_.data() + written_,
               output_.size() - written_, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) {
      WaitToWrite();
      return false;
    }
    if (size < 0) {
      const Error error(errno, boost::system::system_category());
      Lose(absl::StrCat("connection lost: ", error.message()));
      return false;
    }
    written_ += size;
  }
  output_.clear();
  written_ = 0;
  write_deadline_ = SteadyTime::max();
  return true;
}

void Http2Connection::WaitToWrite() {
  waiting_to_write_ = true;
  if (write_deadline_ == SteadyTime::max()) {
    write_deadline_ = DeadlineIn(service_.options.write_timeout);
  }
  socket_.async_wait(
      tcp::socket::wait_write, [self = shared_from_this()](const Error& error) {
        if (self->ended_) return;
        if (error) {
          return self->Lose(absl::StrCat("connection lost: ", error.message()));
        }
        self->waiting_to_write_ = false;
        if (self->Write()) self->Pump();
        if (!self->waiting_to_write_) self->writable_.cancel();
      });
}

void Http2Connection::BeginLinger() {
  lingering_ = true;
  Error error;
  socket_.shutdown(tcp::socket::shutdown_send, error);
  // The client may close at its leisure, but the server must stop.
  if (error || (draining_ && socket_.available(error) == 0)) return End();
  linger_deadline_ = DeadlineIn(kLingerTimeout);
  ArmTimer();
}

void Http2Connection::HandleEvents() {
  while (!ended_) {
    std::vector<Http2Session::Event> events = session_.TakeEvents();
    if (events.empty()) return;
    for (Http2Session::Event& event : events) Handle(std::move(event));
  }
}

void Http2Connection::Handle(Http2Session::Event event) {
  using Kind = Http2Session::Event::Kind;
  const Stream stream = event.stream;
  if (event.kind == Kind::kBegun) return Begin(stream);
  const auto found = exchanges_.find(stream);
  if (found == exchanges_.end()) return;
  switch (event.kind) {
    case Kind::kBegun:
      return;
    case Kind::kHeader:
      return Enter(found->second, Phase::kBody);
    case Kind::kRequest:
      return OnRequest(stream, std::move(event));
    case Kind::kSending:
      return Enter(found->second, Phase::kAnswer);
    case Kind::kSent:
      Enter(found->second, Phase::kHandler);
      return WaitForPieces(stream);
    case Kind::kClosed:
      return OnClosed(event);
  }
}

void Http2Connection::Begin(Stream stream) {
  SetActivity(Activity::kBusy);
  Exchange& exchange = exchanges_[stream];
  exchange.started = std::chrono::steady_clock::now();
  exchange.served.remote = remote_;
  Enter(exchange, Phase::kHeader);
}

void Http2Connection::OnRequest(Stream stream, Http2Session::Event event) {
  Exchange& exchange = exchanges_.at(stream);
  ServerRequest& request = event.request;
  request.remote = remote_;
  exchange.served.method = request.method;
  exchange.served.target = request.target;
  exchange.served.request_body_bytes = request.body.size();
  Enter(exchange, Phase::kHandler);
  if (event.failure.has_value()) {
    exchange.served.error = event.failure->reason;
    return Respond(stream,
                   ErrorResponse(event.failure->status, event.failure->reason),
                   nullptr);
  }
  if (HasTooManyAbandoned()) {
    exchange.served.error = "too many requests were cancelled";
    return session_.Reset(stream, kHttp2RefusedStream);
  }
  const auto answer = std::make_shared<Answer>();
  exchange.answer = answer;
  CallHandler(service_, request, answer);
  const bool wait =
      answer->NotifyWhenSettled([self = shared_from_this(), stream] {
        asio::post(self->socket_.get_executor(),
                   [self, stream] { self->OnSettled(stream); });
      });
  if (!wait) OnSettled(stream);
}

void Http2Connection::OnSettled(Stream stream) {
  const auto found = exchanges_.find(stream);
  if (ended_ || found == exchanges_.end()) return;
  const std::shared_ptr<Answer> answer = std::move(found->second.answer);
  if (answer == nullptr) return;
  std::optional<ServerResponse> response = answer->Close();
  if (response.has_value()) {
    Respond(stream, *std::move(response), answer->TakeBody());
  } else if (answer->TakeUpgrade() != nullptr) {
    Respond(stream, UpgradeRequired("a WebSocket needs HTTP/1.1"), nullptr);
  } else {
    found->second.served.error = "the handler gave no answer";
    session_.Reset(stream, kHttp2InternalError);
  }
  PumpLater();
}

void Http2Connection::Respond(Stream stream, ServerResponse response,
                              std::shared_ptr<BodyQueue> body) {
  Exchange& exchange = exchanges_.at(stream);
  if (absl::Status status = CheckResponse(response); !status.ok()) {
    if (body != nullptr) std::exchange(body, nullptr)->Close();
    response = HandlerFailure();
    exchange.served.error =
        absl::StrCat("the handler's answer is malformed: ", status.message());
  }
  const bool close = WantsClose(response);
  exchange.status = response.status;
  exchange.body = body;
  const bool omits_body =
      exchange.served.method == "HEAD" || !HasBody(response.status);
  session_.Respond(stream, {.response = std::move(response),
                            .body = std::move(body),
                            .omits_body = omits_body,
                            .date = DateFor(service_)});
  if (close) session_.GoAway();
}

void Http2Connection::WaitForPieces(Stream stream) {
  const auto resume = [self = shared_from_this(), stream] {
    if (self->ended_) return;
    self->session_.Resume(stream);
    self->PumpLater();
  };
  const bool wait = exchanges_.at(stream).body->NotifyWhenReady(
      [self = shared_from_this(), resume] {
        asio::post(self->socket_.get_executor(), resume);
      });
  // It is still within TakeOutput(), or right after it.
  if (!wait) asio::post(socket_.get_executor(), resume);
}

void Http2Connection::OnClosed(const Http2Session::Event& event) {
  const auto found = exchanges_.find(event.stream);
  Exchange& exchange = found->second;
  ServedRequest& served = exchange.served;
  if (exchange.answer != nullptr) {
    exchange.answer->Abandon();
    abandoned_.push_back(exchange.answer);
  }
  if (served.method.empty()) {
    served.method = event.request.method;
    served.target = event.request.target;
  }
  served.response_body_bytes = event.body_bytes;
  const bool is_whole = event.error_code == kHttp2NoError;
  if (is_whole || exchange.body != nullptr) served.status = exchange.status;
  if (!is_whole && served.error.empty()) {
    served.error =
        exchange.body != nullptr ? exchange.body->failure() : std::string();
    if (served.error.empty()) {
      served.error = absl::StrCat("the request was cancelled: ",
                                  Http2ErrorName(event.error_code));
    }
  }
  Report(exchange);
  exchanges_.erase(found);
}

bool Http2Connection::HasTooManyAbandoned() {
  std::erase_if(abandoned_, [](const std::weak_ptr<Answer>& answer) {
    return answer.expired();
  });
  return abandoned_.size() >=
         static_cast<std::size_t>(service_.options.max_concurrent_streams);
}

void Http2Connection::Report(Exchange& exchange) {
  exchange.served.duration =
      absl::FromChrono(std::chrono::steady_clock::now() - exchange.started);
  if (service_.options.on_served) service_.options.on_served(exchange.served);
}

void Http2Connection::SetActivity(Activity activity) {
  if (std::exchange(activity_, activity) == activity) return;
  idle_deadline_ = activity == Activity::kIdle
                       ? DeadlineIn(service_.options.idle_timeout)
                       : SteadyTime::max();
  on_activity_(activity);
}

void Http2Connection::Enter(Exchange& exchange, Phase phase) {
  exchange.phase = phase;
  exchange.deadline = DeadlineIn(TimeoutOf(phase));
}

absl::Duration Http2Connection::TimeoutOf(Phase phase) const {
  switch (phase) {
    case Phase::kHeader:
      return service_.options.header_timeout;
    case Phase::kBody:
      return service_.options.body_timeout;
    case Phase::kAnswer:
      return service_.options.write_timeout;
    case Phase::kHandler:
      break;
  }
  return absl::InfiniteDuration();
}

Http2Connection::SteadyTime Http2Connection::NextDeadline() const {
  SteadyTime next =
      std::min({idle_deadline_, write_deadline_, linger_deadline_});
  for (const auto& [stream, exchange] : exchanges_) {
    next = std::min(next, exchange.deadline);
  }
  return next;
}

void Http2Connection::ArmTimer() {
  const SteadyTime next = NextDeadline();
  // An earlier one finds that it is too early, and arms it again.
  if (ended_ || next >= armed_) return;
  armed_ = next;
  timer_.expires_at(armed_);
  timer_.async_wait([self = shared_from_this()](const Error& error) {
    if (!error) self->OnTimer();
  });
}

void Http2Connection::OnTimer() {
  const SteadyTime now = std::chrono::steady_clock::now();
  // It may have expired and been armed again before this is called.
  if (ended_ || armed_ > now) return;
  armed_ = SteadyTime::max();
  if (linger_deadline_ <= now) return End();
  if (write_deadline_ <= now) {
    return Lose(absl::StrCat(
        "time-out: answer not taken within ",
        absl::FormatDuration(service_.options.write_timeout), ";"));
  }
  if (idle_deadline_ <= now) {
    idle_deadline_ = SteadyTime::max();
    session_.GoAway();
  }
  for (auto& [stream, exchange] : exchanges_) {
    if (exchange.deadline <= now) OnTimeout(stream, exchange);
  }
  Pump();
  ArmTimer();
}

void Http2Connection::OnTimeout(Stream stream, Exchange& exchange) {
  exchange.deadline = SteadyTime::max();
  const std::string limit = absl::FormatDuration(TimeoutOf(exchange.phase));
  switch (exchange.phase) {
    case Phase::kHeader:
      exchange.served.error =
          absl::StrCat("time-out: no whole header within ", limit);
      // Nothing else can be received before the rest of it.
      return session_.Terminate(kHttp2EnhanceYourCalm);
    case Phase::kBody:
      exchange.served.error =
          absl::StrCat("time-out: no whole body within ", limit);
      return session_.Reset(stream, kHttp2Cancel);
    case Phase::kAnswer:
      exchange.served.error =
          absl::StrCat("time-out: answer not taken within ", limit);
      return session_.Reset(stream, kHttp2Cancel);
    case Phase::kHandler:
      return;
  }
}

}  // namespace byoshin::http
