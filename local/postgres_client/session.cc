#include "local/postgres_client/session.h"

#include <libpq-fe.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/sync/mutex.h"
#include "local/postgres_client/parameters.h"

namespace byoshin::local::postgres_client {
namespace {

// What a process of the server says that waits for a statement when the main
// process has ended.
constexpr char kServerEnded[] =
    "terminating connection due to unexpected postmaster exit";

absl::Status LostStatus(const PGconn* connection) {
  return absl::UnavailableError(
      absl::StripAsciiWhitespace(PQerrorMessage(connection)));
}

bool Readable(int socket) {
  pollfd entry{.fd = socket, .events = POLLIN, .revents = 0};
  return poll(&entry, 1, 0) > 0;
}

// Whether the other side of a Unix socket was closed before it had read all
// that was sent: Linux then reports a reset. The server runs a statement, or
// commits it, only when it has read it to the end.
bool LeftUnread(int socket) {
  int domain = 0;
  socklen_t size = sizeof(domain);
  char byte = 0;
  return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         errno == ECONNRESET &&
         getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
         domain == AF_UNIX;
}

bool SendExecution(PGconn* connection, const std::string& sql,
                   const std::vector<Parameter>& parameters) {
  const ParameterArrays arrays(parameters);
  return PQsendQueryParams(connection, sql.c_str(), arrays.size(),
                           arrays.types(), arrays.values(), arrays.lengths(),
                           arrays.formats(), /*resultFormat=*/0) == 1;
}

TransactionState StateOf(const PGconn* connection) {
  switch (PQtransactionStatus(connection)) {
    case PQTRANS_IDLE:
      return TransactionState::kNone;
    case PQTRANS_INTRANS:
    case PQTRANS_ACTIVE:
      return TransactionState::kOpen;
    case PQTRANS_INERROR:
      return TransactionState::kFailed;
    case PQTRANS_UNKNOWN:
      break;
  }
  return TransactionState::kUnknown;
}

}  // namespace

std::shared_ptr<Session> Session::Make(EventLoop& loop,
                                       std::unique_ptr<Connection> connection,
                                       std::function<void()> on_lost) {
  PQsetnonblocking(connection->handle(), 1);
  std::shared_ptr<Session> session(
      new Session(loop, std::move(connection), std::move(on_lost)));
  // Held, since Ready() may be called before this returns.
  const sync::MutexLock lock(session->mutex_);
  session->id_ = loop.Add(session->socket_, session);
  return session;
}

Session::Session(EventLoop& loop, std::unique_ptr<Connection> connection,
                 std::function<void()> on_lost)
    : loop_(loop),
      socket_(PQsocket(connection->handle())),
      backend_pid_(connection->backend_pid()),
      connection_(std::move(connection)),
      on_lost_(std::move(on_lost)) {}

Session::~Session() {
  const sync::MutexLock lock(mutex_);
  if (!lost_) loop_.Remove(socket_, id_);
}

bool Session::broken() const {
  const sync::MutexLock lock(mutex_);
  return lost_;
}

Canceller Session::MakeCanceller() const {
  const sync::MutexLock lock(mutex_);
  return connection_->MakeCanceller();
}

bool Session::Begin(Done& done) {
  Outcome outcome;
  {
    const sync::MutexLock lock(mutex_);
    // A server that has ended in the meantime has closed its side.
    if (!lost_ && Readable(socket_) &&
        PQconsumeInput(connection_->handle()) != 1) {
      Lose(LostStatus(connection_->handle()));
    }
    if (!lost_) {
      outcome_ = {};
      return true;
    }
    outcome = {.status = absl::UnavailableError(
                   "the connection to the database was lost"),
               .transaction = TransactionState::kUnknown,
               .never_run = true};
  }
  done(std::move(outcome));
  return false;
}

void Session::Execute(const Statement& statement, Done done) {
  if (!Begin(done)) return;
  Outcome outcome;
  {
    const sync::MutexLock lock(mutex_);
    bytes_left_ = statement.max_received_bytes;
    if (Send(statement)) {
      done_ = std::move(done);
      Flush();
      return;
    }
    Lose(LostStatus(connection_->handle()));
    outcome = Finish();
  }
  done(std::move(outcome));
}

void Session::ExecuteScript(const std::string& sql, Done done) {
  if (!Begin(done)) return;
  Outcome outcome;
  {
    const sync::MutexLock lock(mutex_);
    bytes_left_ = std::numeric_limits<std::int64_t>::max();
    if (PQsendQuery(connection_->handle(), sql.c_str()) == 1) {
      done_ = std::move(done);
      Flush();
      return;
    }
    Lose(LostStatus(connection_->handle()));
    outcome = Finish();
  }
  done(std::move(outcome));
}

bool Session::Send(const Statement& statement) {
  PGconn* const handle = connection_->handle();
  if (statement.sets.size() == 1) {
    return SendExecution(handle, statement.sql, statement.sets.front());
  }
  // Up to the synchronization, all executions are one transaction.
  if (PQenterPipelineMode(handle) != 1) return false;
  pipeline_ = true;
  for (const std::vector<Parameter>& parameters : statement.sets) {
    if (!SendExecution(handle, statement.sql, parameters)) return false;
  }
  return PQpipelineSync(handle) == 1;
}

bool Session::IsClosed() const {
  return PQsocket(connection_->handle()) != socket_;
}

void Session::Flush() {
  const bool unsent = PQflush(connection_->handle()) == 1;
  if (unsent == writing_ || IsClosed()) return;
  writing_ = unsent;
  loop_.WatchWrites(socket_, id_, unsent);
}

bool Session::ReceivedTooMuch() {
  int waiting = 0;
  if (ioctl(socket_, FIONREAD, &waiting) != 0) return false;
  if (waiting == 0 && LeftUnread(socket_)) outcome_.never_run = true;
  bytes_left_ -= waiting;
  return bytes_left_ < 0;
}

void Session::Ready() {
  // The callbacks may end the session's last owner.
  const std::shared_ptr<Session> self = shared_from_this();
  Done done;
  Outcome outcome;
  std::function<void()> on_lost;
  {
    const sync::MutexLock lock(mutex_);
    if (lost_) return;
    if (done_ != nullptr && ReceivedTooMuch()) {
      Lose(absl::ResourceExhaustedError("the result is too large"));
    } else if (PQconsumeInput(connection_->handle()) != 1) {
      // What was received before may be complete.
      if (done_ == nullptr || !TakeResults()) {
        Lose(LostStatus(connection_->handle()));
      }
    } else {
      if (writing_) Flush();
      if (done_ == nullptr || !TakeResults()) return;
    }
    if (done_ != nullptr) {
      done = std::exchange(done_, nullptr);
      outcome = Finish();
    } else {
      on_lost = std::exchange(on_lost_, nullptr);
    }
  }
  if (done != nullptr) done(std::move(outcome));
  if (on_lost != nullptr) on_lost();
}

bool Session::TakeResults() {
  PGconn* const handle = connection_->handle();
  while (PQisBusy(handle) == 0) {
    PGresult* const result = PQgetResult(handle);
    if (result == nullptr) {
      // Between two executions of a pipeline, or the end.
      if (pipeline_ && PQstatus(handle) == CONNECTION_OK) continue;
      if (PQstatus(handle) != CONNECTION_OK) Lose(LostStatus(handle));
      return true;
    }
    if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) {
      PQclear(result);
      PQexitPipelineMode(handle);
      pipeline_ = false;
      return true;
    }
    TakeResult(result);
    if (lost_) return true;
  }
  return false;
}

void Session::TakeResult(pg_result* result) {
  absl::StatusOr<Result> taken = Result::From(result);
  if (taken.ok()) {
    outcome_.results.push_back(*std::move(taken));
    return;
  }
  if (outcome_.status.ok()) outcome_.status = taken.status();
  // The connection waits for data that nobody has.
  if (absl::IsUnimplemented(taken.status()) &&
      !ServerErrorOf(taken.status()).has_value()) {
    Lose(taken.status());
  }
}

void Session::Lose(const absl::Status& status) {
  if (outcome_.status.ok()) outcome_.status = status;
  if (lost_) return;
  lost_ = true;
  if (IsClosed()) {
    loop_.RemoveClosed(id_);
  } else {
    loop_.Remove(socket_, id_);
  }
}

Outcome Session::Finish() {
  Outcome outcome = std::exchange(outcome_, {});
  outcome.transaction =
      lost_ ? TransactionState::kUnknown : StateOf(connection_->handle());
  const std::optional<ServerError> error = ServerErrorOf(outcome.status);
  if (error.has_value() && error->message == kServerEnded) {
    outcome.never_run = true;
  }
  if (!outcome.status.ok()) outcome.results.clear();
  connection_->TakeNotices();
  return outcome;
}

}  // namespace byoshin::local::postgres_client
