// An rdsdata::Client for tests that answers what the test has written down, and
// remembers the statements. It knows no SQL.
//
//   FakeDatabase client;
//   client.AnswerWhen("SELECT checksum", {{"abc"}});
//   client.FailWhen("CREATE TABLE b", absl::UnavailableError("gone"));
#ifndef BYOSHIN_CORE_GENERATION_TESTING_FAKE_DATABASE_H_
#define BYOSHIN_CORE_GENERATION_TESTING_FAKE_DATABASE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/rdsdata/client.h"

namespace byoshin::generation::testing {

// Not thread-safe.
class FakeDatabase final : public aws::rdsdata::Client {
 public:
  using Records = std::vector<std::vector<aws::rdsdata::Field>>;

  // For every statement that contains `part`; the last one said counts.
  void AnswerWhen(std::string part, Records records) {
    rules_.insert(rules_.begin(),
                  {std::move(part), absl::OkStatus(), std::move(records)});
  }
  void FailWhen(std::string part, absl::Status status) {
    rules_.insert(rules_.begin(), {std::move(part), std::move(status), {}});
  }

  absl::StatusOr<aws::rdsdata::ExecuteStatementResult> ExecuteStatement(
      const aws::rdsdata::ExecuteStatementRequest& request,
      absl::Time) override {
    requests_.push_back(request);
    return Note(request.sql);
  }
  absl::Status BatchExecuteStatement(
      const aws::rdsdata::BatchExecuteStatementRequest& request,
      absl::Time) override {
    batches_.push_back(request);
    return Note(request.sql).status();
  }
  absl::StatusOr<std::string> BeginTransaction(const aws::rdsdata::Database&,
                                               absl::Time) override {
    const absl::Status status = Note("BEGIN").status();
    if (!status.ok()) return status;
    return absl::StrCat("t", ++transactions_);
  }
  absl::Status CommitTransaction(const aws::rdsdata::EndTransactionRequest&,
                                 absl::Time) override {
    return Note("COMMIT").status();
  }
  absl::Status RollbackTransaction(const aws::rdsdata::EndTransactionRequest&,
                                   absl::Time) override {
    return Note("ROLLBACK").status();
  }

  // In order; "BEGIN", "COMMIT" and "ROLLBACK" for the ends of transactions.
  const std::vector<std::string>& statements() const { return statements_; }
  const std::vector<aws::rdsdata::ExecuteStatementRequest>& requests() const {
    return requests_;
  }
  const std::vector<aws::rdsdata::BatchExecuteStatementRequest>& batches()
      const {
    return batches_;
  }

 private:
  struct Rule {
    std::string part{};
    absl::Status status{};
    Records records{};
  };

  absl::StatusOr<aws::rdsdata::ExecuteStatementResult> Note(
      const std::string& sql) {
    statements_.push_back(sql);
    for (const Rule& rule : rules_) {
      if (!absl::StrContains(sql, rule.part)) continue;
      if (!rule.status.ok()) return rule.status;
      return aws::rdsdata::ExecuteStatementResult{.records = rule.records};
    }
    return aws::rdsdata::ExecuteStatementResult{};
  }

  std::vector<Rule> rules_;
  std::vector<std::string> statements_;
  std::vector<aws::rdsdata::ExecuteStatementRequest> requests_;
  std::vector<aws::rdsdata::BatchExecuteStatementRequest> batches_;
  int transactions_ = 0;
};

}  // namespace byoshin::generation::testing

#endif  // BYOSHIN_CORE_GENERATION_TESTING_FAKE_DATABASE_H_
