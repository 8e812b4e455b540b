#include "core/http/connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/answer.h"
#include "core/http/body_queue.h"
#include "core/http/endpoint.h"
#include "core/http/http2_connection.h"
#include "core/http/http2_session.h"
#include "core/http/request_parser.h"
#include "core/http/response_writer.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/service.h"
#include "core/http/web_socket.h"
#include "core/http/web_socket_handshake.h"
#include "core/http/web_socket_loop.h"
#include "core/http/web_socket_session.h"

namespace byoshin::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// The size of a read; every connection has a buffer of this size.
constexpr std::size_t kReadBytes = 4096;

constexpr absl::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// What stands before and after `bytes`, which may be empty, in a chunked body.
std::string ChunkBegin(absl::string_view bytes) {
  return bytes.empty() ? "" : absl::StrCat(absl::Hex(bytes.size()), "\r\n");
}
absl::string_view ChunkEnd(absl::string_view bytes, bool is_last) {
  if (bytes.empty()) return is_last ? "0\r\n\r\n" : "";
  return is_last ? "\r\n0\r\n\r\n" : "\r\n";
}

// Moves a connection to a socket of another executor.
boost::system::error_code MoveDescriptor(tcp::socket& from, tcp::socket& to) {
  boost::system::error_code error;
  const tcp::endpoint endpoint = from.local_endpoint(error);
  if (error) return error;
  const int descriptor = from.release(error);
  if (error) return error;
  to.assign(endpoint.protocol(), descriptor, error);
  if (error) ::close(descriptor);
  return error;
}

}  // namespace

Connection::Connection(tcp::socket socket, const Service& service)
    : service_(service),
      socket_(std::move(socket)),
      remote_(RemoteOf(socket_)),
      timer_(socket_.get_executor()),
      answered_(socket_.get_executor(), SteadyTime::max()),
      idle_since_(std::chrono::steady_clock::now()) {}

void Connection::Start(OnClosed on_closed) {
  boost::system::error_code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  asio::co_spawn(socket_.get_executor(), Run(),
                 // An exception can only mean that memory is exhausted: only
                 // this client is lost.
                 [self = shared_from_this(),
                  on_closed = std::move(on_closed)](const std::exception_ptr&) {
                   self->End();
                   on_closed(self);
                 });
}

void Connection::End() {
  Error ignored;
  socket_.close(ignored);
  if (web_socket_) web_socket_->End();
  if (http2_) http2_->End();
  timer_.cancel();
  // cancel() does not reach an OnTimer() that is queued already. Without a
  // deadline it won't arm the timer again, which would keep the server's
  // threads from ending until it expires.
  deadline_ = SteadyTime::max();
}

void Connection::Drain() {
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->draining_ = true;
    if (self->web_socket_) return self->web_socket_->GoAway();
    if (self->http2_) return self->http2_->Drain();
    if (!self->HasReasonToStay()) {
      Error ignored;
      self->socket_.cancel(ignored);
    }
  });
}

void Connection::Abort() {
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->aborted_ = true;
    if (self->web_socket_) return self->web_socket_->End();
    if (self->http2_) return self->http2_->End();
    Error ignored;
    self->socket_.close(ignored);
    self->answered_.cancel();
  });
}

void Connection::CloseIfIdle(std::function<void()> if_busy) {
  asio::post(socket_.get_executor(),
             [self = shared_from_this(), if_busy = std::move(if_busy)] {
               if (self->http2_) {
                 if (!self->http2_->CloseIfIdle()) if_busy();
                 return;
               }
               Error error;
               // What has arrived, but has not been read, may be a request.
               const bool idle = self->phase_ == Phase::kIdle &&
                                 self->socket_.available(error) == 0 && !error;
               if (!idle) return if_busy();
               self->socket_.close(error);
             });
}

asio::awaitable<void> Connection::Run() {
  Next next = co_await ReadPreface();
  while (next == Next::kServeAnother) next = co_await ServeOne();
  if (next == Next::kLinger) co_await Linger();
  if (next == Next::kWebSocket) co_await RunWebSocket();
  if (next == Next::kHttp2) co_await RunHttp2();
}

asio::awaitable<Connection::Next> Connection::ReadPreface() {
  phase_ = Phase::kAnswer;
  while (true) {
    const Phase phase = input_.empty() ? Phase::kIdle : Phase::kHeader;
    const bool entered = phase != phase_;
    if (entered) Enter(phase);
    if (entered) SetTimeout(TimeoutOf(phase));
    if (absl::StartsWith(input_, kHttp2Preface)) co_return Next::kHttp2;
    // Also if the connection has ended: ServeOne() reports what there was.
    if (!absl::StartsWith(kHttp2Preface, input_) || !HasReasonToStay()) break;
    if (co_await ReadSome()) break;
  }
  co_return Next::kServeAnother;
}

asio::awaitable<Connection::Next> Connection::ServeOne() {
  served_ = ServedRequest();
  served_.remote = remote_;
  RequestParser parser(
      {service_.options.max_header_bytes, service_.options.max_body_bytes});
  const Error error = co_await ReadRequest(parser);
  if (!error) co_return co_await Serve(parser);
  if (parser.has_begun()) {
    const ServerRequest request = parser.TakeRequest();
    served_.method = request.method;
    served_.target = request.target;
    served_.error = DescribeLoss(error);
    ReportServed();
  }
  co_return Next::kClose;
}

asio::awaitable<Connection::Error> Connection::ReadRequest(
    RequestParser& parser) {
  phase_ = Phase::kAnswer;
  while (true) {
    input_.erase(0, parser.Feed(input_));
    const Phase phase = parser.has_header()  ? Phase::kBody
                        : parser.has_begun() ? Phase::kHeader
                                             : Phase::kIdle;
    const bool entered = phase != phase_;
    if (entered) Enter(phase);
    if (parser.finished()) co_return Error();
    if (entered) SetTimeout(TimeoutOf(phase));
    if (entered && parser.expects_continue() && input_.empty()) {
      const Error error = co_await Write(kContinue, "");
      if (error) co_return error;
    }
    if (!HasReasonToStay()) co_return asio::error::operation_aborted;
    const Error error = co_await ReadSome();
    if (error) co_return error;
  }
}

asio::awaitable<Connection::Error> Connection::ReadSome() {
  const std::size_t size = input_.size();
  input_.resize(size + kReadBytes);
  const auto [error, read] = co_await socket_.async_read_some(
      asio::buffer(input_.data() + size, kReadBytes), kAwait);
  input_.resize(size + read);
  co_return error;
}

asio::awaitable<Connection::Next> Connection::Serve(RequestParser& parser) {
  ServerRequest request = parser.TakeRequest();
  request.remote = remote_;
  served_.method = request.method;
  served_.target = request.target;
  served_.request_body_bytes = request.body.size();
  if (parser.failure().has_value()) {
    served_.error = parser.failure()->reason;
    ServerResponse refusal =
        ErrorResponse(parser.failure()->status, parser.failure()->reason);
    co_return co_await Reply(refusal, parser);
  }
  std::optional<ServerResponse> response = co_await Ask(request);
  if (body_ != nullptr) {
    const std::shared_ptr<BodyQueue> body = std::move(body_);
    const absl::Cleanup close = [&body] { body->Close(); };
    co_return co_await ReplyInPieces(*response, *body, parser);
  }
  if (response.has_value()) co_return co_await Reply(*response, parser);
  if (upgrade_ != nullptr) co_return co_await Accept(request, parser);
  served_.error = client_left_ ? "the client disconnected before the answer"
                  : aborted_   ? "the server stopped before the answer"
                               : "the handler gave no answer";
  ReportServed();
  co_return Next::kClose;
}

asio::awaitable<std::optional<ServerResponse>> Connection::Ask(
    const ServerRequest& request) {
  auto answer = std::make_shared<Answer>();
  CallHandler(service_, request, answer);
  // Often the handler has answered before it returned.
  if (!answer->settled()) {
    co_await WaitFor([&answer](std::function<void()> notify) {
      return answer->NotifyWhenSettled(std::move(notify));
    });
  }
  std::optional<ServerResponse> response = answer->Close();
  body_ = answer->TakeBody();
  if (!response.has_value()) upgrade_ = answer->TakeUpgrade();
  co_return response;
}

asio::awaitable<void> Connection::WaitFor(Subscribe subscribe) {
  settled_ = false;
  const bool wait = subscribe([self = shared_from_this()] {
    asio::dispatch(self->answered_.get_executor(), [self] {
      self->settled_ = true;
      self->answered_.cancel();
    });
  });
  if (!wait || aborted_) co_return;
  SetTimeout(absl::InfiniteDuration());
  // After the thread's pending work: by then, most requests are answered.
  asio::post(socket_.get_executor(), [self = shared_from_this(), wait = wait_] {
    if (wait == self->wait_ && !self->settled_) self->WatchClient();
  });
  co_await answered_.async_wait(kAwait);
  ++wait_;
  if (!std::exchange(watching_, false)) co_return;
  Error ignored;
  socket_.cancel(ignored);
}

void Connection::WatchClient() {
  watching_ = true;
  socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this(),
                                              wait = wait_](Error error) {
    if (wait != self->wait_ || error == asio::error::operation_aborted) {
      return;
    }
    const std::optional<bool> left = self->ClientHasLeft();
    if (!left.has_value()) return self->WatchClient();
    // Further data is the next request, and can wait.
    if (!*left) return;
    self->client_left_ = true;
    self->answered_.cancel();
  });
}

std::optional<bool> Connection::ClientHasLeft() {
  char byte;
  const ssize_t result =
      ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (result < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  return result <= 0;
}

asio::awaitable<Connection::Next> Connection::Reply(
    ServerResponse& response, const RequestParser& parser) {
  if (absl::Status status = CheckResponse(response); !status.ok()) {
    response = HandlerFailure();
    served_.error =
        absl::StrCat("the handler's answer is malformed: ", status.message());
  }
  const bool close = parser.failure().has_value() || !parser.keep_alive() ||
                     draining_ || WantsClose(response);
  const Persistence persistence = close ? Persistence::kClose
                                  : parser.is_http_1_0()
                                      ? Persistence::kKeepOpenExplicitly
                                      : Persistence::kKeepOpen;
  const std::string head = FormatHead(
      response, {.persistence = persistence, .date = DateFor(service_)});
  absl::string_view body = response.body;
  if (!HasBody(response.status) || served_.method == "HEAD") body = {};

  Enter(Phase::kAnswer);
  SetTimeout(TimeoutOf(phase_));
  const Error error = co_await Write(head, body);
  if (error) {
    served_.error = DescribeLoss(error);
  } else {
    served_.status = response.status;
    served_.response_body_bytes = body.size();
  }
  ReportServed();
  co_return error ? Next::kClose : close ? Next::kLinger : Next::kServeAnother;
}

asio::awaitable<Connection::Next> Connection::ReplyInPieces(
    ServerResponse& head, BodyQueue& body, const RequestParser& parser) {
  // Answered as a whole, with an error.
  if (!CheckResponse(head).ok()) co_return co_await Reply(head, parser);
  const Framing framing =
      parser.is_http_1_0() ? Framing::kUntilClose : Framing::kChunked;
  const bool close = parser.is_http_1_0() || !parser.keep_alive() ||
                     draining_ || WantsClose(head);
  const std::string text = FormatHead(
      head,
      {.persistence = close ? Persistence::kClose : Persistence::kKeepOpen,
       .framing = framing,
       .date = DateFor(service_)});
  Enter(Phase::kAnswer);
  SetTimeout(TimeoutOf(phase_));
  const Error error = co_await Write(text, "");
  if (error) {
    served_.error = DescribeLoss(error);
  } else {
    served_.status = head.status;
    if (HasBody(head.status) && served_.method != "HEAD") {
      served_.error = co_await WritePieces(body, framing);
    }
  }
  ReportServed();
  // Closing it without the last chunk says that the body is incomplete.
  if (!served_.error.empty()) co_return Next::kClose;
  co_return close || draining_ ? Next::kLinger : Next::kServeAnother;
}

asio::awaitable<std::string> Connection::WritePieces(BodyQueue& body,
                                                     Framing framing) {
  while (true) {
    const BodyQueue::Taken taken = body.Take();
    if (taken.state == BodyQueue::State::kAborted) co_return body.failure();
    const bool ended = taken.state == BodyQueue::State::kEnded;
    std::string begin;
    absl::string_view end;
    if (framing == Framing::kChunked) {
      begin = ChunkBegin(taken.bytes);
      end = ChunkEnd(taken.bytes, ended);
    }
    SetTimeout(TimeoutOf(phase_));
    const Error error = co_await Write(begin, taken.bytes, end);
    if (error) co_return DescribeLoss(error);
    body.OnSent(taken.bytes.size());
    served_.response_body_bytes += taken.bytes.size();
    if (ended) co_return "";
    co_await WaitFor([&body](std::function<void()> notify) {
      return body.NotifyWhenReady(std::move(notify));
    });
    if (aborted_) co_return "the server stopped before the end of the answer";
    if (client_left_) {
      co_return "the client disconnected before the end of the answer";
    }
  }
}

asio::awaitable<Connection::Next> Connection::Accept(
    const ServerRequest& request, const RequestParser& parser) {
  const std::unique_ptr<WebSocketUpgrade> upgrade = std::move(upgrade_);
  std::optional<ServerResponse> refusal =
      parser.is_http_1_0() ? UpgradeRequired("a WebSocket needs HTTP/1.1")
                           : RefuseHandshake(request);
  if (!refusal.has_value()) {
    web_socket_place_.emplace(service_);
    if (!web_socket_place_->granted()) {
      web_socket_place_.reset();
      refusal = ErrorResponse(503, "too many WebSockets are open");
    }
  }
  if (refusal.has_value()) co_return co_await Reply(*refusal, parser);
  if (absl::Status status = CheckUpgrade(request, *upgrade); !status.ok()) {
    served_.error =
        absl::StrCat("the handler's answer is malformed: ", status.message());
    ServerResponse failure = HandlerFailure();
    co_return co_await Reply(failure, parser);
  }
  const std::string head =
      FormatSwitchingProtocols(request, *upgrade, DateFor(service_));
  Enter(Phase::kAnswer);
  SetTimeout(TimeoutOf(phase_));
  Error error = co_await Write(head, "");
  if (error) {
    served_.error = DescribeLoss(error);
  } else {
    upgrade->headers = {};  // They are sent: an idle socket needs no memory.
    tcp::socket socket(service_.web_socket_loop->executor());
    error = MoveDescriptor(socket_, socket);
    if (!error) {
      served_.status = 101;
      web_socket_ = std::make_shared<WebSocketSession>(
          std::move(socket), std::move(*upgrade), service_.web_socket_loop);
    } else {
      served_.error = error.message();
    }
  }
  ReportServed();
  co_return error ? Next::kClose : Next::kWebSocket;
}

asio::awaitable<void> Connection::RunWebSocket() {
  Enter(Phase::kWebSocket);
  SetTimeout(TimeoutOf(phase_));
  // The server began to stop before there was a WebSocket to close.
  if (draining_) Drain();
  co_await asio::co_spawn(
      service_.web_socket_loop->executor(),
      web_socket_->Run(std::exchange(input_, std::string())),
      asio::use_awaitable);
}

asio::awaitable<void> Connection::RunHttp2() {
  Enter(Phase::kHttp2);
  SetTimeout(TimeoutOf(phase_));
  http2_ = std::make_shared<Http2Connection>(
      std::move(socket_), service_, [this](Http2Connection::Activity activity) {
        SetIdle(activity == Http2Connection::Activity::kIdle);
      });
  // The server began to stop before there was a session to end.
  if (draining_) Drain();
  co_await http2_->Run(std::exchange(input_, std::string()));
}

asio::awaitable<Connection::Error> Connection::Write(absl::string_view head,
                                                     absl::string_view body,
                                                     absl::string_view end) {
  const std::array<asio::const_buffer, 3> buffers = {
      asio::buffer(head.data(), head.size()),
      asio::buffer(body.data(), body.size()),
      asio::buffer(end.data(), end.size())};
  const auto [error, written] =
      co_await asio::async_write(socket_, buffers, kAwait);
  co_return error;
}

asio::awaitable<void> Connection::Linger() {
  Enter(Phase::kLinger);
  SetTimeout(TimeoutOf(phase_));
  Error error;
  socket_.shutdown(tcp::socket::shutdown_send, error);
  while (!error && HasReasonToStay()) {
    input_.clear();
    error = co_await ReadSome();
  }
}

bool Connection::HasReasonToStay() {
  if (!draining_) return true;
  if (phase_ != Phase::kIdle && phase_ != Phase::kLinger) return true;
  // What has arrived, but has not been read, may be a request.
  Error error;
  return socket_.available(error) > 0 && !error;
}

void Connection::Enter(Phase phase) {
  const bool begins = phase == Phase::kIdle || phase_ == Phase::kIdle;
  if (begins) started_ = std::chrono::steady_clock::now();
  phase_ = phase;
  if (begins) SetIdle(phase == Phase::kIdle);
}

void Connection::SetIdle(bool idle) {
  idle_since_ = idle ? std::chrono::steady_clock::now() : SteadyTime::max();
  if (idle && service_.wants_room) service_.on_idle();
}

void Connection::SetTimeout(absl::Duration timeout) {
  deadline_ = timeout >= kForever ? SteadyTime::max()
                                  : std::chrono::steady_clock::now() +
                                        absl::ToChronoNanoseconds(timeout);
  if (deadline_ < armed_) ArmTimer();
}

void Connection::ArmTimer() {
  armed_ = deadline_;
  timer_.expires_at(armed_);
  timer_.async_wait([self = shared_from_this()](Error error) {
    if (!error) self->OnTimer();
  });
}

void Connection::OnTimer() {
  const SteadyTime now = std::chrono::steady_clock::now();
  // It may have expired and been armed again before this is called.
  if (armed_ > now) return;
  armed_ = SteadyTime::max();
  if (deadline_ <= now) {
    timed_out_ = true;
    Error ignored;
    socket_.close(ignored);
  } else if (deadline_ != SteadyTime::max()) {
    ArmTimer();
  }
}

absl::Duration Connection::TimeoutOf(Phase phase) const {
  const ServerOptions& options = service_.options;
  switch (phase) {
    case Phase::kIdle:
      return options.idle_timeout;
    case Phase::kHeader:
      return options.header_timeout;
    case Phase::kBody:
      return options.body_timeout;
    case Phase::kAnswer:
      return options.write_timeout;
    case Phase::kLinger:
      return kLingerTimeout;
    case Phase::kWebSocket:
    case Phase::kHttp2:
      return absl::InfiniteDuration();
  }
  return absl::InfiniteDuration();
}

std::string Connection::DescribeLoss(Error error) const {
  if (aborted_) return "the server stopped";
  if (!timed_out_) return absl::StrCat("connection lost: ", error.message());
  const std::string limit = absl::FormatDuration(TimeoutOf(phase_));
  switch (phase_) {
    case Phase::kHeader:
      return absl::StrCat("time-out: no whole header within ", limit);
    case Phase::kBody:
      return absl::StrCat("time-out: no whole body within ", limit);
    default:
      return absl::StrCat("time-out: answer not taken within ", limit);
  }
}

void Connection::ReportServed() {
  served_.duration =
      absl::FromChrono(std::chrono::steady_clock::now() - started_);
  if (service_.options.on_served) service_.options.on_served(served_);
}

}  // namespace byoshin::http
