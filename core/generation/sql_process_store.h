// Processes in PostgreSQL, through the RDS Data API. The schema is in
// migrations/.
#ifndef BYOSHIN_CORE_GENERATION_SQL_PROCESS_STORE_H_
#define BYOSHIN_CORE_GENERATION_SQL_PROCESS_STORE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/process.h"
#include "core/generation/process_store.h"
#include "core/generation/request.h"
#include "core/generation/sql.h"

namespace byoshin::generation {

// Not thread-safe. The database must outlive it. Times come from the callers'
// clock, never from the database's.
class SqlProcessStore final : public ProcessStore {
 public:
  explicit SqlProcessStore(SqlDatabase& database) : database_(database) {}

  absl::StatusOr<bool> Admit(absl::string_view user_id, absl::Time now,
                             absl::Time deadline) override;
  absl::Status Insert(const Process& process, absl::Time deadline) override;
  absl::StatusOr<std::optional<Process>> InsertRetry(
      const NewRetry& retry, absl::Time deadline) override;
  absl::StatusOr<std::optional<Process>> Find(absl::string_view process_id,
                                              absl::Time deadline) override;
  absl::StatusOr<std::optional<Process>> Move(const Transition& transition,
                                              absl::Time deadline) override;
  absl::StatusOr<bool> Advance(absl::string_view process_id, int progress,
                               absl::Time now, absl::Time deadline) override;
  absl::StatusOr<bool> SaveResult(absl::string_view process_id,
                                  absl::string_view result, absl::Time now,
                                  absl::Time deadline) override;
  absl::StatusOr<HistoryPage> List(absl::string_view user_id,
                                   const HistoryQuery& query,
                                   absl::Time deadline) override;
  absl::StatusOr<std::int64_t> CountPending(absl::Time deadline) override;
  absl::StatusOr<std::vector<Process>> ListPending(
      absl::Time before, int limit, absl::Time deadline) override;
  absl::StatusOr<std::int64_t> RemoveCreatedBefore(
      absl::Time before, absl::Time deadline) override;
  absl::StatusOr<std::int64_t> CloseCreatedBefore(absl::Time before,
                                                  const ProcessError& error,
                                                  absl::Time now,
                                                  absl::Time deadline) override;

 private:
  // The process in the only row; nullopt if there is no row.
  absl::StatusOr<std::optional<Process>> RunForProcess(
      const SqlStatement& statement, absl::Time deadline);

  SqlDatabase& database_;
};

// Raises the progress of an active process; one row if there is one. Its
// parameters are ProgressParameters().
inline constexpr char kAdvanceSql[] =
    "UPDATE processing_states "
    "SET progress = GREATEST(progress, :progress), updated_at = :now "
    "WHERE id = :process_id AND status IN ('PENDING', 'PROCESSING') "
    "RETURNING id";
SqlParameters ProgressParameters(absl::string_view process_id, int progress,
                                 absl::Time now);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_SQL_PROCESS_STORE_H_
