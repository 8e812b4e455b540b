// Where processes are kept. SqlProcessStore (sql_process_store.h) keeps them in
// PostgreSQL; testing/memory_store.h in memory.
//
// Every change of a state is conditional: what is over stays as it is, whoever
// is late.
#ifndef BYOSHIN_CORE_GENERATION_PROCESS_STORE_H_
#define BYOSHIN_CORE_GENERATION_PROCESS_STORE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/process.h"
#include "core/generation/request.h"

namespace byoshin::generation {

// Changes the state of an active process.
struct Transition {
  std::string process_id{};
  // If set, the process must be this user's.
  std::optional<std::string> user_id{};
  ProcessStatus to = ProcessStatus::kProcessing;
  // For FAILED and TIMEOUT.
  std::optional<ProcessError> error{};
  absl::Time now{};
};

struct NewRetry {
  std::string source_id{};
  std::string user_id{};
  // Of the new process.
  std::string id{};
  std::string execution_arn{};
  absl::Time now{};
};

struct HistoryPage {
  // Without params and results, which may be large.
  std::vector<Process> processes{};
  // Of all pages.
  std::int64_t total = 0;
};

// Not thread-safe. Every call ends by its deadline. Errors are those of the
// database; IsTransient() of api_error.h tells whether they may go away.
class ProcessStore {
 public:
  ProcessStore() = default;
  ProcessStore(const ProcessStore&) = delete;
  ProcessStore& operator=(const ProcessStore&) = delete;
  virtual ~ProcessStore() = default;

  // Counts a request of the user, whom it adds if necessary. False, and not
  // counted, if there were kRateLimit in the last kRateWindow.
  virtual absl::StatusOr<bool> Admit(absl::string_view user_id, absl::Time now,
                                     absl::Time deadline) = 0;

  // A process with a known id is left as it is, so that a repeated call is
  // harmless. The user must have been admitted.
  virtual absl::Status Insert(const Process& process, absl::Time deadline) = 0;

  // A PENDING process with the type, target, params and origin of the source,
  // and a retry count one above the highest of its series. nullopt if the
  // source is not the user's, not FAILED or TIMEOUT, or the series has
  // kMaxRetries. AlreadyExists if another retry of the series was inserted at
  // the same time.
  virtual absl::StatusOr<std::optional<Process>> InsertRetry(
      const NewRetry& retry, absl::Time deadline) = 0;

  virtual absl::StatusOr<std::optional<Process>> Find(
      absl::string_view process_id, absl::Time deadline) = 0;

  // The process after the change; nullopt if CanMove() forbids it, or there is
  // no such process of the user. COMPLETED sets the progress to 100.
  virtual absl::StatusOr<std::optional<Process>> Move(
      const Transition& transition, absl::Time deadline) = 0;

  // Raises the progress of an active process, never lowers it. False if there
  // is no such active process.
  virtual absl::StatusOr<bool> Advance(absl::string_view process_id,
                                       int progress, absl::Time now,
                                       absl::Time deadline) = 0;

  // Keeps the result (JSON) of an active process; the API shows it once the
  // process is COMPLETED. False if there is no such active process.
  virtual absl::StatusOr<bool> SaveResult(absl::string_view process_id,
                                          absl::string_view result,
                                          absl::Time now,
                                          absl::Time deadline) = 0;

  // Newest first.
  virtual absl::StatusOr<HistoryPage> List(absl::string_view user_id,
                                           const HistoryQuery& query,
                                           absl::Time deadline) = 0;

  virtual absl::StatusOr<std::int64_t> CountPending(absl::Time deadline) = 0;

  // PENDING processes created before `before`, oldest first, at most `limit`;
  // without params and results.
  virtual absl::StatusOr<std::vector<Process>> ListPending(
      absl::Time before, int limit, absl::Time deadline) = 0;

  // Removes processes created before `before`; returns how many.
  virtual absl::StatusOr<std::int64_t> RemoveCreatedBefore(
      absl::Time before, absl::Time deadline) = 0;

  // Ends active processes created before `before` as TIMEOUT with `error`;
  // returns how many.
  virtual absl::StatusOr<std::int64_t> CloseCreatedBefore(
      absl::Time before, const ProcessError& error, absl::Time now,
      absl::Time deadline) = 0;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_PROCESS_STORE_H_
