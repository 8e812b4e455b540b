// Collects what happens to the WebSockets of a server, for tests to wait for.
//
//   http::testing::WebSocketLog log;
//   ... respond.Upgrade(log.Upgrade()) ...
//   log.WaitForOpen(1).at(0)->SendText("hello");
//   EXPECT_EQ(log.WaitForClose(1).at(0).code, 1000);
#ifndef BYOSHIN_CORE_HTTP_TESTING_WEB_SOCKET_LOG_H_
#define BYOSHIN_CORE_HTTP_TESTING_WEB_SOCKET_LOG_H_

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/http/web_socket.h"

namespace byoshin::http::testing {

// Outlives the server. Thread-safe.
class WebSocketLog {
 public:
  WebSocketUpgrade Upgrade(WebSocketOptions options = {}) {
    WebSocketUpgrade upgrade;
    upgrade.options = options;
    upgrade.on_open = [this](const std::shared_ptr<WebSocket>& socket) {
      Add(sockets_, socket);
    };
    upgrade.on_message = [this](const std::shared_ptr<WebSocket>&,
                                WebSocketMessage::Type, std::string data) {
      Add(messages_, std::move(data));
    };
    upgrade.on_close = [this](const std::shared_ptr<WebSocket>&,
                              const WebSocketClose& close) {
      Add(closes_, close);
    };
    return upgrade;
  }

  // Each waits until there are at least `count`, and returns all there are.
  std::vector<std::shared_ptr<WebSocket>> WaitForOpen(std::size_t count) {
    return WaitFor(sockets_, count);
  }
  std::vector<std::string> WaitForMessage(std::size_t count) {
    return WaitFor(messages_, count);
  }
  std::vector<WebSocketClose> WaitForClose(std::size_t count) {
    return WaitFor(closes_, count);
  }
  // So far.
  std::vector<std::string> messages() { return WaitFor(messages_, 0); }
  std::vector<WebSocketClose> closes() { return WaitFor(closes_, 0); }

 private:
  template <typename T, typename U>
  void Add(std::vector<T>& list, U&& element) {
    std::lock_guard lock(mutex_);
    list.push_back(std::forward<U>(element));
    added_.notify_all();
  }
  template <typename T>
  std::vector<T> WaitFor(const std::vector<T>& list, std::size_t count) {
    std::unique_lock lock(mutex_);
    added_.wait(lock, [&] { return list.size() >= count; });
    return list;
  }

  std::mutex mutex_;
  std::condition_variable added_;
  std::vector<std::shared_ptr<WebSocket>> sockets_;
  std::vector<std::string> messages_;
  std::vector<WebSocketClose> closes_;
};

}  // namespace byoshin::http::testing

#endif  // BYOSHIN_CORE_HTTP_TESTING_WEB_SOCKET_LOG_H_
