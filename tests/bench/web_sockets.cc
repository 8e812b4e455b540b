// What WebSockets cost an http::Server: memory while idle, processor time for
// the same message to all of them. The clients are a process of their own.
// Prints Markdown tables.
//
//   ./bazelw run -c opt //tests/bench:web_sockets [-- SOCKETS [ROUNDS]]
//
// Opens SOCKETS (default 5000), then sends ROUNDS (default 200) messages to 1,
// 40, 400 and all of them, each once the one before has reached everyone.
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/web_socket.h"
#include "tests/bench/usage.h"

namespace byoshin::bench {
namespace {

constexpr absl::string_view kRequest =
    "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
constexpr std::size_t kMessageBytes = 300;
// A header of four bytes is before a payload of this size.
constexpr std::size_t kFrameBytes = kMessageBytes + 4;

struct Options {
  int sockets = 5000;
  int rounds = 200;
};

void Require(bool condition, const char* what) {
  if (condition) return;
  std::perror(what);
  std::exit(1);
}

// Both ways between the two processes: numbers.
class Link {
 public:
  Link() {
    Require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) == 0,
            "socketpair");
  }
  // Each process calls it once.
  void TakeEnd(int index) { ::close(ends_[1 - index]), end_ = ends_[index]; }
  void Say(std::int64_t number) const {
    Require(::write(end_, &number, sizeof(number)) == sizeof(number), "write");
  }
  // -1 if the other process has ended.
  std::int64_t Hear() const {
    std::int64_t number = 0;
    return ::read(end_, &number, sizeof(number)) == sizeof(number) ? number
                                                                   : -1;
  }

 private:
  std::array<int, 2> ends_;
  int end_ = -1;
};

int OpenWebSocket(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  Require(fd >= 0, "socket");
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Require(::connect(fd, reinterpret_cast<sockaddr*>(&address),
                    sizeof(address)) == 0,
          "connect");
  Require(::send(fd, kRequest.data(), kRequest.size(), 0) == kRequest.size(),
          "send");
  std::string answer;
  while (!absl::EndsWith(answer, "\r\n\r\n")) {
    char byte;
    Require(::recv(fd, &byte, 1, 0) == 1, "recv");
    answer.push_back(byte);
  }
  Require(absl::StartsWith(answer, "HTTP/1.1 101"), "a WebSocket");
  return fd;
}

// The clients: opens the sockets, then reads as many frames as it is told to,
// and says when they are there.
void RunClients(const Link& link, int sockets) {
  const auto port = static_cast<std::uint16_t>(link.Hear());
  const int poll = ::epoll_create1(0);
  for (int i = 0; i < sockets; ++i) {
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.fd = OpenWebSocket(port);
    Require(::epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event) == 0,
            "epoll_ctl");
  }
  link.Say(sockets);
  std::vector<char> buffer(1 << 16);
  std::array<epoll_event, 256> events;
  for (std::int64_t frames; (frames = link.Hear()) > 0;) {
    std::size_t left = frames * kFrameBytes;
    while (left > 0) {
      const int count = ::epoll_wait(poll, events.data(), events.size(), -1);
      for (int i = 0; i < count; ++i) {
        const ssize_t read =
            ::recv(events[i].data.fd, buffer.data(), buffer.size(), 0);
        Require(read > 0, "recv");
        left -= read;
      }
    }
    link.Say(frames);
  }
}

// The sockets of a server, as they open.
class Members {
 public:
  void Add(const std::shared_ptr<http::WebSocket>& socket) {
    std::lock_guard lock(mutex_);
    sockets_.push_back(socket);
    added_.notify_all();
  }
  std::vector<std::shared_ptr<http::WebSocket>> WaitFor(std::size_t count) {
    std::unique_lock lock(mutex_);
    added_.wait(lock, [&] { return sockets_.size() >= count; });
    return sockets_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::vector<std::shared_ptr<http::WebSocket>> sockets_;
};

void MeasureFanOut(
    const Link& link, int rounds,
    const std::vector<std::shared_ptr<http::WebSocket>>& sockets) {
  std::printf(
      "\n| sockets | deliveries per CPU s | per s |\n|---:|---:|---:|\n");
  for (std::size_t members :
       {std::size_t{1}, std::size_t{40}, std::size_t{400}, sockets.size()}) {
    if (members > sockets.size()) continue;
    const absl::Time start = absl::Now();
    const absl::Duration cpu = CpuTime(::getpid());
    for (int round = 0; round < rounds; ++round) {
      const auto message =
          std::make_shared<const std::string>(kMessageBytes, 'x');
      for (std::size_t i = 0; i < members; ++i) sockets[i]->SendText(message);
      link.Say(members);
      Require(link.Hear() == members, "the clients have ended");
    }
    const double deliveries = static_cast<double>(members) * rounds;
    std::printf("| %zu | %.0f | %.0f |\n", members,
                deliveries / absl::ToDoubleSeconds(CpuTime(::getpid()) - cpu),
                deliveries / absl::ToDoubleSeconds(absl::Now() - start));
  }
}

int RunServer(const Link& link, const Options& options) {
  Members members;
  const absl::StatusOr<std::unique_ptr<http::Server>> server =
      http::Server::Start(
          {// More than there are: some are not for WebSockets.
           .max_connections = 2 * options.sockets,
           .drain_timeout = absl::ZeroDuration()},
          [&members](const http::ServerRequest&, http::Responder respond) {
            // The clients answer no pings.
            respond.Upgrade(
                {.options = {.ping_interval = absl::InfiniteDuration()},
                 .on_open = [&members](const auto& socket) {
                   members.Add(socket);
                 }});
          });
  if (!server.ok()) {
    std::fprintf(stderr, "%s\n", server.status().ToString().c_str());
    return 1;
  }
  const double before = ResidentKib(::getpid());
  link.Say((*server)->port());
  Require(link.Hear() == options.sockets, "the clients have ended");
  const auto sockets = members.WaitFor(options.sockets);
  const double after = ResidentKib(::getpid());
  std::printf("| idle sockets | KiB before | KiB with them | KiB a socket |\n");
  std::printf("|---:|---:|---:|---:|\n| %d | %.0f | %.0f | %.2f |\n",
              options.sockets, before, after,
              (after - before) / options.sockets);
  MeasureFanOut(link, options.rounds, sockets);
  return 0;
}

int Main(const Options& options) {
  rlimit files = {};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  Link link;
  const pid_t clients = ::fork();
  Require(clients >= 0, "fork");
  if (clients == 0) {
    link.TakeEnd(1);
    RunClients(link, options.sockets);
    std::_Exit(0);
  }
  link.TakeEnd(0);
  const int result = RunServer(link, options);
  link.Say(0);
  ::waitpid(clients, nullptr, 0);
  return result;
}

}  // namespace
}  // namespace byoshin::bench

int main(int argc, char** argv) {
  byoshin::bench::Options options;
  if ((argc > 1 && !absl::SimpleAtoi(argv[1], &options.sockets)) ||
      (argc > 2 && !absl::SimpleAtoi(argv[2], &options.rounds)) || argc > 3 ||
      options.sockets < 1 || options.rounds < 1) {
    std::fprintf(stderr, "usage: web_sockets [SOCKETS [ROUNDS]]\n");
    return 2;
  }
  return byoshin::bench::Main(options);
}
