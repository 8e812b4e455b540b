#include "tests/bench/bare_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::bench {
namespace {

constexpr int kBacklog = 1024;
constexpr char kAccepted[] = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
constexpr char kAnswer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

// A text frame of a WebSocket.
std::string Frame(absl::string_view text) {
  std::string frame = "\x81";
  if (text.size() < 126) {
    frame += static_cast<char>(text.size());
  } else {
    frame += '\x7e';
    frame += static_cast<char>(text.size() >> 8);
    frame += static_cast<char>(text.size() & 0xff);
  }
  return absl::StrCat(frame, text);
}

void Send(int socket, absl::string_view bytes) {
  // What is short beside a socket's buffer is sent whole. Otherwise the client
  // finds that something is missing.
  [[maybe_unused]] const ssize_t sent =
      send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

// False once the client has closed.
bool Receive(int socket, std::string& received) {
  std::array<char, 4096> chunk;
  const ssize_t size = recv(socket, chunk.data(), chunk.size(), 0);
  if (size > 0) received.append(chunk.data(), static_cast<std::size_t>(size));
  return size > 0;
}

}  // namespace

absl::StatusOr<std::unique_ptr<BareServer>> BareServer::Start() {
  std::unique_ptr<BareServer> server(new BareServer());
  server->listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(server->listener_, generic, size) != 0 ||
      listen(server->listener_, kBacklog) != 0 ||
      getsockname(server->listener_, generic, &size) != 0) {
    return absl::ErrnoToStatus(errno, "listening");
  }
  server->target_ = {.name = "bare sockets",
                     .port = ntohs(address.sin_port),
                     .path = "/graphql",
                     .process = getpid()};
  server->thread_ = std::thread([self = server.get()] { self->Run(); });
  return server;
}

BareServer::~BareServer() {
  // Ends accept(), if nobody has reported.
  shutdown(listener_, SHUT_RDWR);
  if (thread_.joinable()) thread_.join();
  for (const int socket : subscribers_) close(socket);
  close(listener_);
}

void BareServer::Run() {
  while (true) {
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    const int on = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    std::string received;
    while (!absl::StrContains(received, "\r\n\r\n") &&
           Receive(client, received)) {
    }
    if (absl::StartsWith(received, "POST")) {
      Serve(client, std::move(received));
      close(client);
      return;
    }
    Send(client, kAccepted);
    // The mask of these clients is zero, so that their text can be read.
    while (!absl::StrContains(received, R"("type":"start")") &&
           Receive(client, received)) {
    }
    Send(client, Frame(R"({"type":"start_ack"})"));
    subscribers_.push_back(client);
  }
}

void BareServer::Serve(int publisher, std::string received) {
  constexpr absl::string_view kBefore = R"("value":")";
  constexpr std::size_t kReportBytes = 12;  // "node:report"
  do {
    const std::size_t at = absl::string_view(received).find(kBefore);
    if (at == std::string::npos ||
        received.size() < at + kBefore.size() + kReportBytes) {
      continue;
    }
    Deliver(received.substr(at + kBefore.size(), kReportBytes));
    Send(publisher, kAnswer);
    received.clear();
  } while (Receive(publisher, received));
}

void BareServer::Deliver(absl::string_view report) {
  const std::string frame = Frame(absl::StrCat(
      R"({"id":"1","type":"data","payload":{"data":{"onReport":{"nodeId":)",
      R"("node-000","groupId":"group","timestamp":"2025-12-02T10:23:00.000Z",)",
      R"("data":[{"key":"report","value":")", report, R"("}]}}}})"));
  for (const int socket : subscribers_) Send(socket, frame);
}

}  // namespace byoshin::bench
