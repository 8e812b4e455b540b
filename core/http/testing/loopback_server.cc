#include "core/http/testing/loopback_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"

namespace byoshin::http::testing {
namespace {

constexpr absl::string_view kHeadersEnd = "\r\n\r\n";

// A test cannot go on without its server.
void Require(bool condition, const char* what) {
  if (condition) return;
  std::perror(what);
  std::abort();
}

// A socket bound to a free port of 127.0.0.1, and the port.
std::pair<int, int> Bind() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  Require(socket >= 0, "socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof(address);
  Require(::bind(socket, generic, size) == 0, "bind");
  Require(::getsockname(socket, generic, &size) == 0, "getsockname");
  return {socket, ntohs(address.sin_port)};
}

std::size_t ContentLength(absl::string_view headers) {
  for (const absl::string_view line : absl::StrSplit(headers, "\r\n")) {
    constexpr absl::string_view kName = "content-length:";
    if (!absl::StartsWithIgnoreCase(line, kName)) continue;
    uint64_t length = 0;
    if (absl::SimpleAtoi(line.substr(kName.size()), &length)) return length;
  }
  return 0;
}

}  // namespace

bool Connection::Receive() {
  std::array<char, 16384> buffer;
  const ssize_t bytes = ::recv(socket_, buffer.data(), buffer.size(), 0);
  if (bytes <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(bytes));
  return true;
}

std::optional<std::string> Connection::ReadRequest() {
  std::size_t end;
  while ((end = received_.find(kHeadersEnd.data())) == std::string::npos) {
    if (!Receive()) return std::nullopt;
  }
  end += kHeadersEnd.size();
  end += ContentLength(absl::string_view(received_).substr(0, end));
  while (received_.size() < end) {
    if (!Receive()) return std::nullopt;
  }
  std::string request = received_.substr(0, end);
  received_.erase(0, end);
  return request;
}

void Connection::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent =
        ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // the client has left, which a test may want
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void Connection::AwaitClose() {
  while (Receive()) received_.clear();
}

void Connection::ResetOnClose() {
  const linger option{.l_onoff = 1, .l_linger = 0};
  Require(::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &option,
                       sizeof(option)) == 0,
          "setsockopt");
}

LoopbackServer::LoopbackServer(Handler handler) : handler_(std::move(handler)) {
  std::tie(listener_, port_) = Bind();
  Require(::listen(listener_, SOMAXCONN) == 0, "listen");
  acceptor_ = std::thread([this] { Accept(); });
}

LoopbackServer::~LoopbackServer() {
  // Ends accept() and recv() wherever threads are in them.
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  {
    const sync::MutexLock lock(mutex_);
    for (const Session& session : sessions_) {
      if (session.socket >= 0) ::shutdown(session.socket, SHUT_RDWR);
    }
  }
  for (Session& session : sessions_) session.thread.join();
  ::close(listener_);
}

std::string LoopbackServer::Url(absl::string_view path) const {
  return absl::StrCat("http://127.0.0.1:", port_, path);
}

int LoopbackServer::connections() const {
  const sync::MutexLock lock(mutex_);
  return static_cast<int>(sessions_.size());
}

void LoopbackServer::Accept() {
  while (true) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const sync::MutexLock lock(mutex_);
    const int index = static_cast<int>(sessions_.size());
    Session& session = sessions_.emplace_back();
    session.socket = socket;
    session.thread = std::thread([this, socket, index, &session] {
      Connection connection(socket, index);
      handler_(connection);
      const sync::MutexLock session_lock(mutex_);
      session.socket = -1;
      ::close(socket);
    });
  }
}

LoopbackServer::Handler AnswerAlways(std::string response) {
  return [response = std::move(response)](Connection& connection) {
    while (connection.ReadRequest().has_value()) connection.Write(response);
  };
}

LoopbackServer::Handler AnswerOnce(std::string response) {
  return [response = std::move(response)](Connection& connection) {
    connection.ReadRequest();
    connection.Write(response);
  };
}

UnusedPort::UnusedPort() { std::tie(socket_, port_) = Bind(); }

UnusedPort::~UnusedPort() { ::close(socket_); }

}  // namespace byoshin::http::testing
