// An sqs::Client for tests: takes every message, except what the test says,
// and remembers what it was asked.
//
//   FakeQueue queue;
//   queue.FailEntries({"3"}, FakeQueue::Fault::kService);  // in the first call
//   queue.FailCall(absl::UnavailableError("no connection"));  // the second
//   ...
//   EXPECT_THAT(queue.taken(), SizeIs(12));
#ifndef BYOSHIN_CORE_SCHEDULER_TESTING_FAKE_QUEUE_H_
#define BYOSHIN_CORE_SCHEDULER_TESTING_FAKE_QUEUE_H_

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/sqs/client.h"
#include "gtest/gtest.h"

namespace byoshin::scheduler::testing {

// Not thread-safe. A request that AWS would refuse fails the test.
class FakeQueue final : public aws::sqs::Client {
 public:
  using Entry = aws::sqs::SendMessageBatchEntry;
  using Request = aws::sqs::SendMessageBatchRequest;
  using Result = aws::sqs::SendMessageBatchResult;
  using Responder = std::function<absl::StatusOr<Result>(const Request&)>;
  enum class Fault { kService, kSender };

  struct Call {
    Request request;
    absl::Time deadline;
  };

  // Each of these is for one call, in the order in which they are called.
  void FailCall(absl::Status status) {
    AnswerBy([status = std::move(status)](const Request&) { return status; });
  }
  void FailEntries(std::set<std::string> ids, Fault fault) {
    AnswerBy([this, ids = std::move(ids), fault](const Request& request) {
      return Take(request, ids, fault);
    });
  }
  void TakeAll() { FailEntries({}, Fault::kService); }
  void AnswerBy(Responder responder) {
    script_.push_back(std::move(responder));
  }
  // For all calls that come after those.
  void AlwaysAnswerBy(Responder responder) { rest_ = std::move(responder); }

  absl::StatusOr<Result> SendMessageBatch(const Request& request,
                                          absl::Time deadline) override {
    CheckLimits(request);
    calls_.push_back({request, deadline});
    if (!script_.empty()) {
      const Responder responder = std::move(script_.front());
      script_.pop_front();
      return responder(request);
    }
    if (rest_) return rest_(request);
    return Take(request, {}, Fault::kService);
  }

  // Takes all but the entries of these ids.
  Result Take(const Request& request, const std::set<std::string>& refused,
              Fault fault) {
    Result result;
    for (const Entry& entry : request.entries) {
      if (refused.contains(entry.id)) {
        result.failed.push_back({.id = entry.id,
                                 .code = "InternalError",
                                 .message = "made up",
                                 .sender_fault = fault == Fault::kSender});
      } else {
        taken_.push_back(entry);
        result.sent.push_back(
            {.id = entry.id, .message_id = absl::StrCat("m-", entry.id)});
      }
    }
    return result;
  }

  const std::vector<Call>& calls() const { return calls_; }
  // In the order they came.
  const std::vector<Entry>& taken() const { return taken_; }

 private:
  static void CheckLimits(const Request& request) {
    EXPECT_FALSE(request.entries.empty());
    EXPECT_LE(request.entries.size(), aws::sqs::kMaxBatchEntries);
    std::set<std::string> ids;
    for (const Entry& entry : request.entries) {
      EXPECT_TRUE(ids.insert(entry.id).second) << "twice: " << entry.id;
      EXPECT_GE(entry.delay, absl::ZeroDuration());
      EXPECT_LE(entry.delay, absl::Minutes(15));
      EXPECT_EQ(entry.delay, absl::Floor(entry.delay, absl::Seconds(1)));
    }
  }

  std::deque<Responder> script_;
  Responder rest_;
  std::vector<Call> calls_;
  std::vector<Entry> taken_;
};

}  // namespace byoshin::scheduler::testing

#endif  // BYOSHIN_CORE_SCHEDULER_TESTING_FAKE_QUEUE_H_
