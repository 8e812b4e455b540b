// What tests of this folder share: a socket that keeps what it is sent.
#ifndef BYOSHIN_LOCAL_APPSYNC_REALTIME_TESTING_H_
#define BYOSHIN_LOCAL_APPSYNC_REALTIME_TESTING_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/web_socket.h"

namespace byoshin::local::appsync {

class RecordingSocket final : public http::WebSocket {
 public:
  bool Send(http::WebSocketMessage message) override {
    sent.push_back(absl::StrCat(
        message.head, message.shared ? *message.shared : std::string()));
    return true;
  }
  void Close(std::uint16_t, absl::string_view) override {}
  std::size_t unsent_bytes() const override { return 0; }

  // What was sent since the last call.
  std::vector<std::string> Take() { return std::exchange(sent, {}); }

  std::vector<std::string> sent;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_REALTIME_TESTING_H_
