#include "core/http/server.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/http/body_queue.h"
#include "core/http/body_stream.h"
#include "core/http/connection.h"
#include "core/http/endpoint.h"
#include "core/http/server_message.h"
#include "core/http/service.h"
#include "core/http/web_socket_loop.h"
#include "core/sync/mutex.h"
#include "core/sync/thread.h"
#include "core/turn/turn.h"

namespace byoshin::http {

// NOLINTNEXTLINE(performance-unnecessary-value-param): others keep it
std::shared_ptr<BodyStream> Responder::Exchange::Begin(ServerResponse,
                                                       BodyStreamOptions) {
  Send({.status = 501});
  auto queue = std::make_shared<BodyQueue>(0);
  queue->Close();
  return std::make_shared<QueuedBodyStream>(std::move(queue));
}

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using SteadyTime = std::chrono::steady_clock::time_point;

// The pause after the system failed to accept a client, usually because there
// are no file descriptors left. An immediate retry would be a busy loop.
constexpr std::chrono::milliseconds kAcceptPause(100);

// The longest time that a wait can express.
constexpr absl::Duration kLongestDrain = absl::Hours(24 * 365);

absl::Status CheckOptions(const ServerOptions& options) {
  if (options.threads < 1) {
    return absl::InvalidArgumentError("a server needs at least one thread");
  }
  if (options.max_connections < 1 || options.max_concurrent_streams < 1 ||
      options.max_header_bytes < 1) {
    return absl::InvalidArgumentError(
        "a server needs room for at least one connection and its headers");
  }
  return absl::OkStatus();
}

bool IsExhaustion(error_code error) {
  return error == asio::error::no_descriptors ||
         error == boost::system::errc::too_many_files_open_in_system ||
         error == asio::error::no_buffer_space ||
         error == asio::error::no_memory;
}

absl::Status ListenError(const tcp::endpoint& endpoint, error_code error) {
  const std::string message = absl::StrCat(
      "cannot listen on ", FormatEndpoint(endpoint), ": ", error.message());
  if (error == asio::error::address_in_use) {
    return absl::AlreadyExistsError(message);
  }
  if (error == asio::error::access_denied) {
    return absl::PermissionDeniedError(message);
  }
  if (IsExhaustion(error)) return absl::ResourceExhaustedError(message);
  return absl::InvalidArgumentError(message);
}

// Accepts a client; `error` is would_block if there is none. Asio's own
// accept() would let child processes inherit the connection, and then closing
// it here would not close it.
tcp::socket AcceptOne(tcp::acceptor& acceptor, const tcp& protocol,
                      const tcp::socket::executor_type& executor,
                      error_code& error) {
  tcp::socket socket(executor);
  const int fd =
      ::accept4(acceptor.native_handle(), nullptr, nullptr, SOCK_CLOEXEC);
  if (fd < 0) {
    error.assign(errno, boost::system::system_category());
    return socket;
  }
  socket.assign(protocol, fd, error);
  if (error) ::close(fd);
  return socket;
}

// Errors that concern only one client, which has already disconnected, or none.
bool IsPassing(error_code error) {
  return error == asio::error::would_block || error == asio::error::try_again ||
         error == asio::error::connection_aborted ||
         error == asio::error::interrupted;
}

// The number of clients that are connected but not yet accepted.
int ClientsWaitingFor(tcp::acceptor& acceptor) {
  tcp_info info = {};
  socklen_t size = sizeof(info);
  if (getsockopt(acceptor.native_handle(), IPPROTO_TCP, TCP_INFO, &info,
                 &size) != 0) {
    return 0;
  }
  // What this field says about a socket that listens.
  return static_cast<int>(info.tcpi_unacked);
}

// Runs the connections of one thread. They stay with it, so that they need no
// locks, and no thread is woken needlessly; but WebSockets move to the last.
struct Runner {
  // The hint says that one thread runs it.
  asio::io_context io{1};
  // Keeps it running without connections.
  asio::executor_work_guard<asio::io_context::executor_type> guard{
      io.get_executor()};
  std::thread thread;
};

// Throws if there are no descriptors.
std::vector<std::unique_ptr<Runner>> NewRunners(int count) {
  std::vector<std::unique_ptr<Runner>> runners;
  runners.reserve(count);
  for (int i = 0; i < count; ++i) {
    runners.push_back(std::make_unique<Runner>());
    // An io_context takes its descriptors with its first socket: now, and not
    // while it runs, where nobody would catch the exception.
    const tcp::socket first(runners.back()->io);
  }
  return runners;
}

class AsioServer final : public Server {
 public:
  AsioServer(ServerOptions options, Handler handler)
      : service_{.options = std::move(options),
                 .handler = std::move(handler),
                 .on_idle = [this] { LookForRoom(); }},
        runners_(NewRunners(service_.options.threads)),
        acceptor_(runners_.front()->io),
        pause_(runners_.front()->io) {
    service_.web_socket_loop =
        std::make_shared<WebSocketLoop>(runners_.back()->io.get_executor());
  }

  ~AsioServer() override { Stop(); }

  absl::Status Listen();
  absl::Status Run();

  std::uint16_t port() const override { return endpoint_.port(); }
  std::string url() const override {
    return absl::StrCat("http://", FormatEndpoint(endpoint_));
  }
  int connections() const override {
    const sync::MutexLock lock(mutex_);
    return static_cast<int>(connections_.size());
  }

  void Stop() override;

 private:
  enum class Room { kFree, kFull };

  asio::awaitable<void> Accept();
  asio::awaitable<void> Pause(SteadyTime until);
  // Whether there is room for another client. If not, the connection that has
  // been idle longest is asked to close, and LookForRoom() wakes Accept().
  Room CheckRoom();
  // Asks it to close.
  void EvictLongestIdle() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Has Accept() check for room again, if it waits for it.
  void LookForRoom();
  // The next runner to get a connection.
  asio::io_context& NextContext();
  void Serve(tcp::socket socket);
  void Remove(const std::shared_ptr<Connection>& connection);
  void CloseAcceptor();

  Service service_;
  // The first of them accepts.
  const std::vector<std::unique_ptr<Runner>> runners_;
  std::size_t next_runner_ = 0;
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  tcp::endpoint endpoint_;
  std::once_flag stop_once_;

  mutable sync::Mutex mutex_;
  sync::Condition changed_;
  std::unordered_set<std::shared_ptr<Connection>> connections_
      ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  bool accept_ended_ ABSL_GUARDED_BY(mutex_) = true;
};

absl::Status AsioServer::Listen() {
  error_code error;
  const auto address = asio::ip::make_address(service_.options.address, error);
  if (error) {
    return absl::InvalidArgumentError(
        absl::StrCat("not a numeric IP address to listen on: \"",
                     service_.options.address, "\""));
  }
  endpoint_ = tcp::endpoint(address, service_.options.port);
  acceptor_.open(endpoint_.protocol(), error);
  if (!error) acceptor_.non_blocking(true, error);
  // Child processes must not keep the port open.
  if (!error && ::fcntl(acceptor_.native_handle(), F_SETFD, FD_CLOEXEC) != 0) {
    error.assign(errno, boost::system::system_category());
  }
  // A server that was restarted need not wait for the connections of its
  // predecessor to be forgotten.
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint_, error);
  if (!error) acceptor_.listen(tcp::acceptor::max_listen_connections, error);
  if (error) return ListenError(endpoint_, error);
  endpoint_ = acceptor_.local_endpoint(error);
  return error ? ListenError(endpoint_, error) : absl::OkStatus();
}

absl::Status AsioServer::Run() {
  for (const std::unique_ptr<Runner>& runner : runners_) {
    absl::StatusOr<std::thread> thread = sync::StartThread([&io = runner->io] {
      const turn::Loop loop(
          [&io](turn::Work work) { asio::post(io, std::move(work)); });
      io.run();
    });
    if (!thread.ok()) return thread.status();
    runner->thread = *std::move(thread);
  }
  // Once there is a thread to run it to its end.
  {
    const sync::MutexLock lock(mutex_);
    accept_ended_ = false;
  }
  asio::co_spawn(acceptor_.get_executor(), Accept(),
                 [this](const std::exception_ptr&) {
                   const sync::MutexLock lock(mutex_);
                   accept_ended_ = true;
                   changed_.NotifyAll();
                 });
  return absl::OkStatus();
}

asio::io_context& AsioServer::NextContext() {
  return runners_[next_runner_++ % runners_.size()]->io;
}

// Ends when the acceptor is closed.
asio::awaitable<void> AsioServer::Accept() {
  while (acceptor_.is_open()) {
    auto [error] =
        co_await acceptor_.async_wait(tcp::acceptor::wait_read, kAwait);
    if (error == asio::error::operation_aborted) continue;
    if (CheckRoom() == Room::kFull) {
      co_await Pause(SteadyTime::max());
      continue;
    }
    tcp::socket socket = AcceptOne(acceptor_, endpoint_.protocol(),
                                   NextContext().get_executor(), error);
    if (!error) {
      Serve(std::move(socket));
    } else if (!IsPassing(error)) {
      if (service_.options.on_accept_error) {
        service_.options.on_accept_error(absl::ResourceExhaustedError(
            absl::StrCat("cannot accept a connection: ", error.message())));
      }
      {
        const sync::MutexLock lock(mutex_);
        EvictLongestIdle();
      }
      co_await Pause(std::chrono::steady_clock::now() + kAcceptPause);
    }
  }
}

asio::awaitable<void> AsioServer::Pause(SteadyTime until) {
  pause_.expires_at(until);
  co_await pause_.async_wait(kAwait);
}

AsioServer::Room AsioServer::CheckRoom() {
  const sync::MutexLock lock(mutex_);
  const bool full = !stopping_ && connections_.size() >=
                                      static_cast<std::size_t>(
                                          service_.options.max_connections);
  // Before looking for idle connections: those that become idle later see it.
  service_.wants_room = full;
  if (full) EvictLongestIdle();
  return full ? Room::kFull : Room::kFree;
}

void AsioServer::EvictLongestIdle() {
  SteadyTime longest = SteadyTime::max();
  std::shared_ptr<Connection> found;
  for (const std::shared_ptr<Connection>& connection : connections_) {
    const SteadyTime since = connection->idle_since();
    if (since >= longest) continue;
    longest = since;
    found = connection;
  }
  // It may have become busy meanwhile, and another is idle.
  if (found != nullptr) found->CloseIfIdle([this] { LookForRoom(); });
}

void AsioServer::LookForRoom() {
  if (!service_.wants_room.exchange(false)) return;
  asio::post(pause_.get_executor(), [this] { pause_.cancel(); });
}

void AsioServer::Serve(tcp::socket socket) try {
  auto connection = std::make_shared<Connection>(std::move(socket), service_);
  bool drain;
  {
    const sync::MutexLock lock(mutex_);
    connections_.insert(connection);
    drain = stopping_;
  }
  connection->Start(
      [this](const std::shared_ptr<Connection>& closed) { Remove(closed); });
  if (drain) connection->Drain();
} catch (const std::bad_alloc&) {
  // Only this client is lost.
}

void AsioServer::Remove(const std::shared_ptr<Connection>& connection) {
  const sync::MutexLock lock(mutex_);
  connections_.erase(connection);
  changed_.NotifyAll();
  LookForRoom();
}

void AsioServer::CloseAcceptor() {
  // Clients that the system has connected already may have sent a request. No
  // more than there are now, in case others keep coming.
  const int waiting = ClientsWaitingFor(acceptor_);
  error_code error;
  for (int i = 0; i < waiting && !error; ++i) {
    tcp::socket socket = AcceptOne(acceptor_, endpoint_.protocol(),
                                   NextContext().get_executor(), error);
    if (!error) Serve(std::move(socket));
  }
  acceptor_.close(error);
  pause_.cancel();
}

void AsioServer::Stop() {
  std::call_once(stop_once_, [this] {
    sync::MutexLock lock(mutex_);
    stopping_ = true;
    // Before new connections are refused: who sees that knows that those there
    // are have been told.
    for (const auto& connection : connections_) connection->Drain();
    asio::post(acceptor_.get_executor(), [this] { CloseAcceptor(); });
    while (!accept_ended_) changed_.Wait(mutex_);
    const SteadyTime deadline =
        std::chrono::steady_clock::now() +
        absl::ToChronoMilliseconds(
            std::min(service_.options.drain_timeout, kLongestDrain));
    while (!connections_.empty() &&
           changed_.WaitUntil(mutex_, deadline) == std::cv_status::no_timeout) {
    }
    for (const auto& connection : connections_) connection->Abort();
    lock.Unlock();
    // Nothing is left to do then, so the threads come back. The last of them,
    // which has the WebSockets, after the others, which may still give it one.
    for (const std::unique_ptr<Runner>& runner : runners_) {
      runner->guard.reset();
      if (runner->thread.joinable()) runner->thread.join();
    }
    service_.web_socket_loop->Close();
  });
}

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> Server::Start(ServerOptions options,
                                                      Handler handler) try {
  if (absl::Status status = CheckOptions(options); !status.ok()) return status;
  auto server =
      std::make_unique<AsioServer>(std::move(options), std::move(handler));
  if (absl::Status status = server->Listen(); !status.ok()) return status;
  if (absl::Status status = server->Run(); !status.ok()) return status;
  return server;
} catch (const boost::system::system_error& error) {
  return absl::ResourceExhaustedError(
      absl::StrCat("cannot start a server: ", error.code().message()));
}

}  // namespace byoshin::http
