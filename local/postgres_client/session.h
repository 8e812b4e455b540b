// A connection that runs statements without blocking: the results are given to
// a callback.
//
//   std::shared_ptr<Session> session =
//       Session::Make(loop, *std::move(connection), on_lost);
//   session->Execute({.sql = "SELECT $1::int", .sets = {{{.value = "7"}}}},
//                    [](Outcome outcome) { ... });
#ifndef BYOSHIN_LOCAL_POSTGRES_CLIENT_SESSION_H_
#define BYOSHIN_LOCAL_POSTGRES_CLIENT_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "core/sync/mutex.h"
#include "local/postgres_client/connection.h"
#include "local/postgres_client/event_loop.h"
#include "local/postgres_client/result.h"

namespace byoshin::local::postgres_client {

// A statement, and the parameters of each of its executions.
struct Statement {
  std::string sql{};
  // One execution for each. Several are one transaction, unless the session is
  // in one already.
  std::vector<std::vector<Parameter>> sets = {{}};
  // More bytes from the server than this end the session, with
  // ResourceExhausted.
  std::int64_t max_received_bytes = std::numeric_limits<std::int64_t>::max();
};

enum class TransactionState {
  kNone,     // each statement is a transaction of its own
  kOpen,     // in a transaction
  kFailed,   // in a transaction that can only be rolled back
  kUnknown,  // the connection is lost
};

struct Outcome {
  // Of the first error. Unavailable without a ServerError if the connection was
  // lost.
  absl::Status status{};
  // One for each execution, if there is no error.
  std::vector<Result> results{};
  // Of the session, after the statement.
  TransactionState transaction = TransactionState::kNone;
  // The server had ended before it got the statement, which can be run in
  // another session.
  bool never_run = false;
};

// Thread-safe. Runs one statement at a time.
class Session final : public EventLoop::Source,
                      public std::enable_shared_from_this<Session> {
 public:
  using Done = std::function<void(Outcome outcome)>;

  // `on_lost` is called once on the loop's thread if the connection is lost
  // while nothing runs; it may be null. `loop` must outlive the session.
  static std::shared_ptr<Session> Make(EventLoop& loop,
                                       std::unique_ptr<Connection> connection,
                                       std::function<void()> on_lost = nullptr);
  ~Session() override;

  // Sends the statement and returns. `done` is called once: on the loop's
  // thread, or, if nothing could be sent, on the calling one. It must not
  // block, and may start the next statement. Nothing else may be running.
  void Execute(const Statement& statement, Done done);
  // As Connection::ExecuteScript().
  void ExecuteScript(const std::string& sql, Done done);

  // For canceling what runs, from a thread that may block.
  Canceller MakeCanceller() const;

  bool broken() const;
  int backend_pid() const { return backend_pid_; }

  void Ready() override;

 private:
  Session(EventLoop& loop, std::unique_ptr<Connection> connection,
          std::function<void()> on_lost);

  // Whether nothing runs and the connection is not lost; otherwise tells
  // `done`.
  bool Begin(Done& done) ABSL_LOCKS_EXCLUDED(mutex_);
  bool Send(const Statement& statement) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // libpq closes the socket itself when the connection is lost.
  bool IsClosed() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // After sending: writes what the socket takes, and the loop the rest.
  void Flush() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes the results that have arrived; true if the statement is done.
  bool TakeResults() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeResult(pg_result* result) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether more arrived than the statement allows.
  bool ReceivedTooMuch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The connection can't be used any longer.
  void Lose(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Outcome Finish() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  EventLoop& loop_;
  const int socket_;
  const int backend_pid_;

  mutable sync::Mutex mutex_;
  EventLoop::Id id_ ABSL_GUARDED_BY(mutex_) = 0;
  const std::unique_ptr<Connection> connection_ ABSL_PT_GUARDED_BY(mutex_);
  std::function<void()> on_lost_ ABSL_GUARDED_BY(mutex_);
  bool lost_ ABSL_GUARDED_BY(mutex_) = false;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool pipeline_ ABSL_GUARDED_BY(mutex_) = false;
  // Of the statement that runs; null if none does.
  Done done_ ABSL_GUARDED_BY(mutex_);
  Outcome outcome_ ABSL_GUARDED_BY(mutex_);
  std::int64_t bytes_left_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::postgres_client

#endif  // BYOSHIN_LOCAL_POSTGRES_CLIENT_SESSION_H_
