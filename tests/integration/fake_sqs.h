// One SQS queue that takes SendMessageBatch, with the limits and checks of the
// real service, and can fail on demand.
//
//   absl::StatusOr<std::unique_ptr<FakeSqs>> sqs = FakeSqs::Start();
//   (*sqs)->FailEntries({.delay_seconds = {5, 55}, .times = 2});
//   ...  // run the Sender against (*sqs)->queue_url()
//   EXPECT_EQ((*sqs)->messages().size(), 12);
//
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
#ifndef BYOSHIN_TESTS_INTEGRATION_FAKE_SQS_H_
#define BYOSHIN_TESTS_INTEGRATION_FAKE_SQS_H_

#include <json/json.h>

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server.h"
#include "tests/integration/aws_endpoint.h"

namespace byoshin::integration {

// Thread-safe.
class FakeSqs {
 public:
  struct Message {
    std::string body{};
    int delay_seconds = 0;
  };

  // Entries to answer with Failed[] instead of Successful[].
  struct EntryFailure {
    std::set<int> delay_seconds{};
    // How often an entry fails before it is accepted.
    int times = 1;
    std::string code = "InternalError";
    bool sender_fault = false;
  };

  static absl::StatusOr<std::unique_ptr<FakeSqs>> Start();

  // The queue's, on this endpoint.
  std::string queue_url() const;

  AwsEndpoint& endpoint() { return *endpoint_; }

  void FailEntries(const EntryFailure& failure);

  // Messages are accepted for the next `times` requests, but the answer has
  // checksums of other bodies.
  void AnswerWrongMd5(int times = 1);

  // For the next `times` requests the last entry is accepted, but the answer
  // does not name it.
  void AnswerIncompletely(int times = 1);

  // What was accepted, in order; more than once if it was sent more than once.
  std::vector<Message> messages() const;

 private:
  FakeSqs() = default;

  http::ServerResponse Call(absl::string_view operation,
                            const Json::Value& input);
  // These want `mutex_` held.
  Json::Value Accept(const Json::Value& entry);
  EntryFailure* FailureOf(const Json::Value& entry);

  mutable std::mutex mutex_;
  std::vector<EntryFailure> failures_;  // one a delay
  int wrong_md5_ = 0;
  int incomplete_ = 0;
  std::vector<Message> messages_;

  // Last, so that it stops before what its handler uses is gone.
  std::unique_ptr<AwsEndpoint> endpoint_;
};

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_FAKE_SQS_H_
