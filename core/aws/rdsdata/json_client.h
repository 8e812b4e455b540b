// The RDS Data API over its own wire protocol.
//
//   aws::rdsdata::JsonClient database(
//       {.http = http, .clock = clock, .environment = env::OfProcess(),
//        .retry = aws::rdsdata::kResumeRetryPolicy});
#ifndef BYOSHIN_CORE_AWS_RDSDATA_JSON_CLIENT_H_
#define BYOSHIN_CORE_AWS_RDSDATA_JSON_CLIENT_H_

#include <json/json.h>

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/rdsdata/client.h"
#include "core/aws/rest_json_protocol.h"
#include "core/aws/retry.h"

namespace byoshin::aws::rdsdata {

// AWS answers after kStatementTimeout at the latest.
inline constexpr absl::Duration kStatementAttemptTimeout = absl::Seconds(48);
// AWS's limit is 1 MB of binary data, which is longer as JSON.
inline constexpr std::size_t kMaxResultBytes = std::size_t{8} << 20;

// Outlasts the 15 s or so in which a paused Aurora cluster resumes.
inline constexpr RetryPolicy kResumeRetryPolicy = {
    .max_attempts = 12,
    .first_pause_limit = absl::Milliseconds(500),
    .max_pause_limit = absl::Seconds(5)};

// Not thread-safe.
class JsonClient final : public Client {
 public:
  explicit JsonClient(ClientDependencies dependencies);

  // DataLoss: an answer whose records can't be understood.
  absl::StatusOr<ExecuteStatementResult> ExecuteStatement(
      const ExecuteStatementRequest& request, absl::Time deadline) override;
  absl::Status BatchExecuteStatement(
      const BatchExecuteStatementRequest& request,
      absl::Time deadline) override;
  absl::StatusOr<std::string> BeginTransaction(const Database& database,
                                               absl::Time deadline) override;
  absl::Status CommitTransaction(const EndTransactionRequest& request,
                                 absl::Time deadline) override;
  absl::Status RollbackTransaction(const EndTransactionRequest& request,
                                   absl::Time deadline) override;

 private:
  struct Operation {
    const char* name;  // for errors and logs
    const char* path;
    Repetition repetition = Repetition::kHarmful;
  };
  absl::StatusOr<Json::Value> Send(const Operation& operation,
                                   Json::Value input, absl::Time deadline);

  RestJsonProtocol protocol_;
};

}  // namespace byoshin::aws::rdsdata

#endif  // BYOSHIN_CORE_AWS_RDSDATA_JSON_CLIENT_H_
