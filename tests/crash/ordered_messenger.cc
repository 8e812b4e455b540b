#include <json/json.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "tests/crash/writers.h"

namespace byoshin::crash {
namespace {

// Of a request to the FIFO queue, with these members besides.
absl::StatusOr<Json::Value> CallOrdered(Client& client,
                                        absl::string_view operation,
                                        absl::string_view members) {
  return client.Call(
      absl::StrCat("AmazonSQS.", operation),
      absl::StrCat(R"({"QueueUrl":")", kOrderedQueue, "\",", members, "}"));
}

// Returns the message's ID.
absl::StatusOr<std::string> SendOrdered(Client& client,
                                        absl::string_view body) {
  const absl::StatusOr<Json::Value> output = CallOrdered(
      client, "SendMessage",
      absl::StrCat(R"("MessageGroupId":"all","MessageBody":")", body, "\""));
  if (!output.ok()) return output.status();
  return (*output)["MessageId"].asString();
}

// For longer than a test takes: a message is not received a second time, except
// by the same attempt.
absl::StatusOr<Json::Value> ReceiveOrdered(Client& client, int most,
                                           absl::string_view attempt) {
  return CallOrdered(
      client, "ReceiveMessage",
      absl::StrCat(R"("VisibilityTimeout":43200,"MaxNumberOfMessages":)", most,
                   attempt.empty() ? "" : R"(,"ReceiveRequestAttemptId":")",
                   attempt, attempt.empty() ? "" : "\""));
}

absl::Status DeleteOrdered(Client& client, const Json::Value& message) {
  return CallOrdered(client, "DeleteMessage",
                     absl::StrCat(R"("ReceiptHandle":")",
                                  message["ReceiptHandle"].asString(), "\""))
      .status();
}

class OrderedMessenger final : public Writer {
 public:
  absl::Status Write(Client& client) override {
    if (++written_ % 3 == 0) return TakeFirst(client);
    sending_ = absl::StrCat("message ", written_);
    absl::StatusOr<std::string> id = SendOrdered(client, sending_);
    if (!id.ok()) return id.status();
    present_.push_back(sending_);
    last_body_ = sending_;
    last_id_ = *std::move(id);
    sending_.clear();
    return absl::OkStatus();
  }

  // Takes everything out of the queue.
  absl::Status Check(Client& client) override {
    absl::Status status = CheckDuplicate(client);
    std::deque<std::string> found;
    if (status.ok()) status = RepeatAttempt(client, found);
    if (status.ok()) status = Drain(client, found);
    if (!status.ok()) return status;
    if (!sending_.empty() && !found.empty() && found.back() == sending_) {
      present_.push_back(sending_);
    }
    if (found != present_) {
      status = absl::DataLossError(
          absl::StrCat("there are [", absl::StrJoin(found, ", "), "], not [",
                       absl::StrJoin(present_, ", "), "]"));
    }
    present_.clear();
    sending_.clear();
    attempt_.clear();
    return status;
  }

 private:
  absl::Status TakeFirst(Client& client) {
    attempt_ = absl::StrCat("attempt-", written_);
    const absl::StatusOr<Json::Value> output =
        ReceiveOrdered(client, 1, attempt_);
    if (!output.ok()) return output.status();
    for (const Json::Value& message : (*output)["Messages"]) {
      if (present_.empty() || message["Body"].asString() != present_.front()) {
        return absl::DataLossError(absl::StrCat(
            "\"", message["Body"].asString(), "\" is not the next message"));
      }
      if (absl::Status status = DeleteOrdered(client, message); !status.ok()) {
        return status;
      }
      present_.pop_front();
    }
    attempt_.clear();
    return absl::OkStatus();
  }

  // The last message that was acknowledged is not accepted a second time.
  absl::Status CheckDuplicate(Client& client) const {
    if (last_body_.empty()) return absl::OkStatus();
    const absl::StatusOr<std::string> id = SendOrdered(client, last_body_);
    if (!id.ok()) return id.status();
    if (*id == last_id_) return absl::OkStatus();
    return absl::DataLossError(
        absl::StrCat("\"", last_body_, "\" is not known as a duplicate"));
  }

  // What the server was doing with the first message when it died: receiving
  // it, or deleting it. The same attempt finds it unless it has been deleted.
  absl::Status RepeatAttempt(Client& client, std::deque<std::string>& found) {
    if (attempt_.empty()) return absl::OkStatus();
    const absl::StatusOr<Json::Value> output =
        ReceiveOrdered(client, 1, attempt_);
    if (!output.ok() &&
        absl::StrContains(output.status().message(), "not retryable")) {
      present_.pop_front();
      return absl::OkStatus();
    }
    return output.ok() ? Take(client, *output, found) : output.status();
  }

  static absl::Status Drain(Client& client, std::deque<std::string>& found) {
    for (;;) {
      const absl::StatusOr<Json::Value> output = ReceiveOrdered(client, 10, "");
      if (!output.ok()) return output.status();
      if ((*output)["Messages"].empty()) return absl::OkStatus();
      if (absl::Status status = Take(client, *output, found); !status.ok()) {
        return status;
      }
    }
  }

  static absl::Status Take(Client& client, const Json::Value& output,
                           std::deque<std::string>& found) {
    for (const Json::Value& message : output["Messages"]) {
      found.push_back(message["Body"].asString());
      if (absl::Status status = DeleteOrdered(client, message); !status.ok()) {
        return status;
      }
    }
    return absl::OkStatus();
  }

  int written_ = 0;
  // Acknowledged, in their order.
  std::deque<std::string> present_;
  std::string sending_;  // empty: none
  std::string attempt_;  // of the first message to be received; empty: none
  std::string last_body_;
  std::string last_id_;
};

}  // namespace

std::unique_ptr<Writer> MakeOrderedMessenger() {
  return std::make_unique<OrderedMessenger>();
}

absl::Status MakeOrderedQueue(Client& client) {
  return client
      .Call("AmazonSQS.CreateQueue",
            absl::StrCat(R"({"QueueName":")", kOrderedQueue,
                         R"(","Attributes":{"FifoQueue":"true",)",
                         R"("ContentBasedDeduplication":"true"}})"))
      .status();
}

}  // namespace byoshin::crash
