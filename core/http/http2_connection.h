// A connection whose client speaks HTTP/2: socket, time-outs and exchanges
// around an Http2Session.
//
//   auto http2 = std::make_shared<Http2Connection>(
//       std::move(socket), service, [](Http2Connection::Activity activity) {});
//   co_await http2->Run(std::move(bytes_read_already));
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_HTTP2_CONNECTION_H_
#define BYOSHIN_CORE_HTTP_HTTP2_CONNECTION_H_

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/answer.h"
#include "core/http/body_queue.h"
#include "core/http/http2_session.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/service.h"

namespace byoshin::http {

// Not thread-safe: everything happens on the executor of the socket, which must
// run one thing at a time.
class Http2Connection : public std::enable_shared_from_this<Http2Connection> {
 public:
  // Whether there is a current request, or something that was not sent yet.
  enum class Activity { kIdle, kBusy };
  using OnActivity = std::function<void(Activity)>;

  Http2Connection(boost::asio::ip::tcp::socket socket, const Service& service,
                  OnActivity on_activity);

  // Serves the client until the connection is closed; `input` is what it has
  // sent so far. Call it once.
  boost::asio::awaitable<void> Run(std::string input);
  // Finishes the current requests and closes.
  void Drain();
  // Closes immediately, and cancels everything that would wait.
  void End();
  // Closes if it is idle, and returns whether it did.
  bool CloseIfIdle();

 private:
  using Error = boost::system::error_code;
  using SteadyTime = std::chrono::steady_clock::time_point;
  using Stream = Http2Session::Stream;

  // What a request waits for; all but the handler have a time-out.
  enum class Phase { kHeader, kBody, kHandler, kAnswer };

  // A request, from its first byte to the last of its answer.
  struct Exchange {
    Phase phase = Phase::kHeader;
    SteadyTime deadline = SteadyTime::max();
    SteadyTime started{};
    ServedRequest served{};
    std::shared_ptr<Answer> answer{};
    // Of an answer in pieces.
    std::shared_ptr<BodyQueue> body{};
    // Of the answer; 0 if there is none.
    int status = 0;
  };

  void ReadAvailable();
  // Handles what has happened, and sends what there is.
  void Pump();
  void PumpLater();
  void HandleEvents();
  void Handle(Http2Session::Event event);
  void Begin(Stream stream);
  void OnRequest(Stream stream, Http2Session::Event event);
  void OnSettled(Stream stream);
  void Respond(Stream stream, ServerResponse response,
               std::shared_ptr<BodyQueue> body);
  // Waits for more of an answer in pieces.
  void WaitForPieces(Stream stream);
  void OnClosed(const Http2Session::Event& event);
  // Whether too many handlers work on requests that were cancelled.
  bool HasTooManyAbandoned();
  void Report(Exchange& exchange);
  void SetActivity(Activity activity);

  // True if everything in output_ was sent.
  bool Write();
  void WaitToWrite();
  // After everything was sent: waits until the client has closed, too.
  void BeginLinger();
  // The connection is lost.
  void Lose(absl::string_view reason);

  void Enter(Exchange& exchange, Phase phase);
  absl::Duration TimeoutOf(Phase phase) const;
  SteadyTime NextDeadline() const;
  void ArmTimer();
  void OnTimer();
  void OnTimeout(Stream stream, Exchange& exchange);

  const Service& service_;
  const OnActivity on_activity_;
  boost::asio::ip::tcp::socket socket_;
  const std::string remote_;
  Http2Session session_;

  Activity activity_ = Activity::kIdle;
  // By stream.
  std::map<Stream, Exchange> exchanges_;
  // Of requests that ended while the handler had not answered.
  std::vector<std::weak_ptr<Answer>> abandoned_;

  // Being sent; the first written_ bytes have been.
  std::string output_;
  std::size_t written_ = 0;
  // While it is true, nothing is read: a client that does not read its answers
  // can't ask for more.
  bool waiting_to_write_ = false;
  // Cancelled when that has changed; never expires.
  boost::asio::steady_timer writable_;
  bool pumping_ = false;
  bool pump_due_ = false;

  // Of whole connection: each closes it.
  SteadyTime idle_deadline_ = SteadyTime::max();
  SteadyTime write_deadline_ = SteadyTime::max();
  SteadyTime linger_deadline_ = SteadyTime::max();
  boost::asio::steady_timer timer_;
  // When OnTimer() is due.
  SteadyTime armed_ = SteadyTime::max();

  bool draining_ = false;
  bool lingering_ = false;
  bool ended_ = false;
  // Why requests are not answered any more.
  std::string end_reason_ = "the server stopped";
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_HTTP2_CONNECTION_H_
