// ProcessingStateService: creates, shows and changes processes by the rules of
// process.h.
//
//   ProcessingStateService states(
//       {.store = store, .clock = clock, .state_machine_arn = arn});
//   absl::StatusOr<Process> process = states.Create(user_id, request,
//   deadline); if (!process.ok()) return ErrorAnswer(process.status(), origin);
#ifndef BYOSHIN_CORE_GENERATION_STATE_SERVICE_H_
#define BYOSHIN_CORE_GENERATION_STATE_SERVICE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/stepfunctions/client.h"
#include "core/generation/process.h"
#include "core/generation/process_store.h"
#include "core/generation/request.h"
#include "core/random/random.h"
#include "core/time/clock.h"

namespace byoshin::generation {

// Not thread-safe. Its dependencies must outlive it. Every error carries an
// ApiError (api_error.h); errors of the store are DATABASE_ERROR.
class ProcessingStateService {
 public:
  struct Dependencies {
    ProcessStore& store;
    const time::Clock& clock;
    // Only needed to create processes.
    std::string state_machine_arn{};
    std::function<std::string()> new_id = random::NewUuid;
  };

  explicit ProcessingStateService(Dependencies dependencies);

  // RATE_LIMIT_EXCEEDED if the user has made too many requests. Counts this
  // one.
  absl::Status Admit(absl::string_view user_id, absl::Time deadline);

  // A PENDING process of an admitted user.
  absl::StatusOr<Process> Create(absl::string_view user_id,
                                 const GenerateRequest& request,
                                 absl::Time deadline);

  // FORBIDDEN if there is no such process, or it is another user's.
  absl::StatusOr<Process> Get(absl::string_view user_id,
                              absl::string_view process_id,
                              absl::Time deadline);

  // A PENDING process with the input of `process_id`. FORBIDDEN,
  // RETRY_NOT_ALLOWED or MAX_RETRY_EXCEEDED.
  absl::StatusOr<Process> Retry(absl::string_view user_id,
                                absl::string_view process_id,
                                absl::Time deadline);

  // The process, CANCELLED. FORBIDDEN or CANCEL_NOT_ALLOWED.
  absl::StatusOr<Process> Cancel(absl::string_view user_id,
                                 absl::string_view process_id,
                                 absl::Time deadline);

  absl::StatusOr<HistoryPage> History(absl::string_view user_id,
                                      const HistoryQuery& query,
                                      absl::Time deadline);

  struct Update {
    Process process{};
    // False if the process is as it was: it was over, or had the state.
    bool changed = false;
  };
  // For the workflow, whose processes are anybody's: moves an active process,
  // and leaves one that is over as it is. FORBIDDEN if there is none.
  absl::StatusOr<Update> Move(absl::string_view process_id, ProcessStatus to,
                              const std::optional<ProcessError>& error,
                              absl::Time deadline);

  // Closes the process of an execution that ended without closing it: FAILED,
  // TIMEOUT, or CANCELLED for one that was stopped. An execution that runs or
  // has succeeded changes nothing.
  absl::StatusOr<Update> CloseByOutcome(absl::string_view process_id,
                                        aws::stepfunctions::ExecutionStatus,
                                        absl::Time deadline);

  absl::StatusOr<std::int64_t> CountPending(absl::Time deadline);

  // Whether the process may have no execution: it was added more than
  // kUnstartedAfter ago, and is PENDING.
  bool IsUnstarted(const Process& process) const;
  // Processes of which IsUnstarted() is true, oldest first, at most
  // kMaxSweptProcesses.
  absl::StatusOr<std::vector<Process>> Unstarted(absl::Time deadline);

  struct CleanUp {
    std::int64_t removed = 0;
    std::int64_t closed = 0;
  };
  // Removes processes older than kRetention, and ends those that have been
  // active for kAbandonedAfter.
  absl::StatusOr<CleanUp> RemoveOld(absl::Time deadline);

 private:
  // The precision of times in the database.
  absl::Time NowInMilliseconds() const;
  // The process, whoever's it is.
  absl::StatusOr<Process> Find(absl::string_view process_id,
                               absl::Time deadline);
  // Why a retry of `source` was refused.
  absl::Status WhyNoRetry(const Process& source) const;

  const Dependencies dependencies_;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_STATE_SERVICE_H_
