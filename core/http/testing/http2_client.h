// An HTTP/2 client for tests, without I/O: what it wants to send, and what it
// makes of what comes back.
//
//   http::testing::Http2Client client;
//   int stream = client.Request({.headers = Http2Client::Headers("GET", "/")});
//   socket.Send(client.TakeOutput());
//   while (!client.HasEnded(stream)) client.Feed(socket.ReadSome());
//   EXPECT_EQ(client.ResponseTo(stream).status, 200);
#ifndef BYOSHIN_CORE_HTTP_TESTING_HTTP2_CLIENT_H_
#define BYOSHIN_CORE_HTTP_TESTING_HTTP2_CLIENT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/http/client.h"

namespace byoshin::http::testing {

// Not thread-safe.
class Http2Client {
 public:
  struct NewRequest {
    std::vector<Header> headers{};
    std::string body{};
    // If false, the body goes on.
    bool is_complete = true;
    // After the body, which must not be empty.
    std::vector<Header> trailers{};
  };

  Http2Client();
  Http2Client(const Http2Client&) = delete;
  Http2Client& operator=(const Http2Client&) = delete;
  ~Http2Client();

  // The pseudo-headers of a request to "x".
  static std::vector<Header> Headers(const std::string& method,
                                     const std::string& path);

  // The stream of the request, which is sent with the next TakeOutput().
  int Request(NewRequest request);
  void Cancel(int stream);
  void Ping();
  // The server may send so many bytes before the client has taken any.
  void GrantWindow(std::int32_t bytes);

  std::string TakeOutput();
  void Feed(absl::string_view data);

  // So far.
  const Response& ResponseTo(int stream) { return streams_[stream].response; }
  // The answer is complete, or was cut off.
  bool HasEnded(int stream) { return streams_[stream].error.has_value(); }
  // How; 0 if it is complete.
  std::uint32_t ErrorOf(int stream) { return *streams_[stream].error; }
  // The error code with which the server says that it goes away, if it does.
  const std::optional<std::uint32_t>& going_away() const { return going_away_; }

 private:
  struct Callbacks;
  struct StreamState {
    std::string body{};
    bool is_complete = true;
    std::vector<Header> trailers{};
    Response response{};
    std::optional<std::uint32_t> error{};
  };

  std::map<int, StreamState> streams_;
  std::optional<std::uint32_t> going_away_;
  const std::unique_ptr<Callbacks> callbacks_;
};

}  // namespace byoshin::http::testing

#endif  // BYOSHIN_CORE_HTTP_TESTING_HTTP2_CLIENT_H_
