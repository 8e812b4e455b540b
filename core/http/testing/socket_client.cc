#include "core/http/testing/socket_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "gtest/gtest.h"

namespace byoshin::http::testing {
namespace {

Response ParseHead(absl::string_view head) {
  Response response;
  const std::vector<absl::string_view> lines = absl::StrSplit(head, "\r\n");
  const std::vector<absl::string_view> status_line =
      absl::StrSplit(lines.front(), absl::MaxSplits(' ', 2));
  if (status_line.size() < 2 || status_line[0] != "HTTP/1.1" ||
      !absl::SimpleAtoi(status_line[1], &response.status)) {
    ADD_FAILURE() << "not a status line: " << lines.front();
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::pair<absl::string_view, absl::string_view> field =
        absl::StrSplit(lines[i], absl::MaxSplits(':', 1));
    response.headers.push_back(
        {std::string(field.first),
         std::string(absl::StripAsciiWhitespace(field.second))});
  }
  return response;
}

}  // namespace

SocketClient::SocketClient() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  EXPECT_GE(socket_, 0) << std::strerror(errno);
}

SocketClient::SocketClient(std::uint16_t port) : SocketClient() {
  EXPECT_TRUE(Connect(port)) << std::strerror(errno);
}

SocketClient::SocketClient(SocketClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      received_(std::move(other.received_)) {}

SocketClient::~SocketClient() { Close(); }

bool SocketClient::Connect(std::uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::connect(socket_, reinterpret_cast<const sockaddr*>(&address),
                   sizeof(address)) == 0;
}

void SocketClient::Send(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent =
        ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    ASSERT_GT(sent, 0) << "sending: " << std::strerror(errno);
    bytes.remove_prefix(sent);
  }
}

Response SocketClient::ReadResponse(Body body) {
  std::size_t end;
  while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!ReadMore()) {
      ADD_FAILURE() << "the end, and no response: " << received_;
      return {};
    }
  }
  Response response = ParseHead(absl::string_view(received_).substr(0, end));
  received_.erase(0, end + 4);
  std::size_t length = 0;
  if (body == Body::kExpected &&
      absl::SimpleAtoi(response.FindHeader("Content-Length"), &length)) {
    while (received_.size() < length) {
      if (!ReadMore()) {
        ADD_FAILURE() << "the end within the body: " << received_;
        return response;
      }
    }
  }
  response.body = received_.substr(0, length);
  received_.erase(0, length);
  return response;
}

std::string SocketClient::Read(std::size_t bytes) {
  while (received_.size() < bytes && ReadMore()) {
  }
  std::string read = received_.substr(0, bytes);
  received_.erase(0, read.size());
  return read;
}

std::string SocketClient::ReadUntilEnd() {
  while (ReadMore()) {
  }
  return std::exchange(received_, {});
}

void SocketClient::FinishSending() {
  EXPECT_EQ(::shutdown(socket_, SHUT_WR), 0) << std::strerror(errno);
}

void SocketClient::Close() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

bool SocketClient::ReadMore() {
  char buffer[4096];
  const ssize_t read = ::recv(socket_, buffer, sizeof(buffer), 0);
  EXPECT_GE(read, 0) << "receiving: " << std::strerror(errno);
  if (read <= 0) return false;
  received_.append(buffer, read);
  return true;
}

}  // namespace byoshin::http::testing
