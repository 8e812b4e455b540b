// A server of WebSockets for tests in other languages. Prints its address, then
// a line of JSON for every socket that is closed, [code, reason], and goes on
// until its input ends or a client says "stop".
//
//   /           an empty page
//   /refused    is answered with 403
//   /socket     sends back what it gets, but for these texts:
//     origin            sends the Origin header of the request
//     query             sends the query of the request
//     close CODE TEXT   closes the socket
//     all TEXT          sends TEXT to all sockets
//     flood             sends until the client is too slow
//     stop              stops the server
//   /pings      is sent a ping as soon as it is silent
#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/web_socket.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"

namespace byoshin::http {
namespace {

constexpr absl::string_view kSubprotocol = "graphql-ws";

using SocketPointer = std::shared_ptr<WebSocket>;

// Thread-safe.
class TestServer {
 public:
  void Handle(const ServerRequest& request, const Responder& respond) {
    if (request.path == "/") {
      return respond({.headers = {{"Content-Type", "text/html"}}});
    }
    if (request.path == "/refused") return respond({.status = 403});
    WebSocketUpgrade upgrade;
    if (request.path == "/pings") {
      upgrade.options.ping_interval = absl::Milliseconds(1);
    }
    const auto offered = OfferedSubprotocols(request);
    if (std::find(offered.begin(), offered.end(), kSubprotocol) !=
        offered.end()) {
      upgrade.subprotocol = std::string(kSubprotocol);
    }
    upgrade.headers = {{"X-Test", "yes"}};
    upgrade.on_open = [this](const SocketPointer& socket) { Add(socket); };
    upgrade.on_message =
        [this, origin = std::string(request.FindHeader("Origin")),
         query = request.query](const SocketPointer& socket,
                                WebSocketMessage::Type type, std::string data) {
          if (data == "origin") data = origin;
          if (data == "query") data = query;
          if (!Obey(socket, data)) {
            socket->Send({.type = type, .head = std::move(data)});
          }
        };
    upgrade.on_close = [this](const SocketPointer& socket,
                              const WebSocketClose& close) {
      Remove(socket, close);
    };
    respond.Upgrade(std::move(upgrade));
  }

  void Stop() {
    std::call_once(stop_once_, [this] { stop_.set_value(); });
  }
  void WaitForStop() { stop_.get_future().wait(); }

 private:
  // False if `text` is no command.
  bool Obey(const SocketPointer& socket, absl::string_view text) {
    if (text == "stop") {
      Stop();
    } else if (text == "flood") {
      const auto much = std::make_shared<const std::string>(100'000, 'x');
      while (socket->SendText(much)) {
      }
    } else if (absl::ConsumePrefix(&text, "all ")) {
      const auto shared = std::make_shared<const std::string>(text);
      const sync::MutexLock lock(mutex_);
      for (const SocketPointer& each : sockets_) each->SendText(shared);
    } else if (absl::ConsumePrefix(&text, "close ")) {
      const std::pair<absl::string_view, absl::string_view> words =
          absl::StrSplit(text, absl::MaxSplits(' ', 1));
      int code = 0;
      if (!absl::SimpleAtoi(words.first, &code)) return false;
      socket->Close(static_cast<std::uint16_t>(code), words.second);
    } else {
      return false;
    }
    return true;
  }

  void Add(const SocketPointer& socket) {
    const sync::MutexLock lock(mutex_);
    sockets_.push_back(socket);
  }
  void Remove(const SocketPointer& socket, const WebSocketClose& close) {
    const sync::MutexLock lock(mutex_);
    sockets_.erase(std::find(sockets_.begin(), sockets_.end(), socket));
    Json::Value line(Json::arrayValue);
    line.append(close.code);
    line.append(close.reason);
    std::printf("%s\n", json::WriteValue(line).c_str());
    std::fflush(stdout);
  }

  std::once_flag stop_once_;
  std::promise<void> stop_;
  sync::Mutex mutex_;
  std::vector<SocketPointer> sockets_ ABSL_GUARDED_BY(mutex_);
};

int Main() {
  TestServer test;
  const absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(
      {.threads = 2},
      [&test](const ServerRequest& request, const Responder& respond) {
        test.Handle(request, respond);
      });
  if (!server.ok()) {
    std::fprintf(stderr, "%s\n", server.status().ToString().c_str());
    return 1;
  }
  std::printf("%s\n", (*server)->url().c_str());
  std::fflush(stdout);
  std::thread input([&test] {
    while (std::getchar() != EOF) {
    }
    test.Stop();
  });
  test.WaitForStop();
  (*server)->Stop();
  input.join();
  return 0;
}

}  // namespace
}  // namespace byoshin::http

int main() { return byoshin::http::Main(); }
