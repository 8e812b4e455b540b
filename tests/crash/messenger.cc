#include <json/json.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tests/crash/writers.h"

namespace byoshin::crash {
namespace {

std::string SqsTarget(absl::string_view operation) {
  return absl::StrCat("AmazonSQS.", operation);
}

absl::StatusOr<std::string> QueueUrl(Client& client) {
  absl::StatusOr<Json::Value> output =
      client.Call(SqsTarget("GetQueueUrl"),
                  absl::StrCat(R"({"QueueName":")", kQueue, "\"}"));
  if (!output.ok()) return output.status();
  return (*output)["QueueUrl"].asString();
}

class Messenger final : public Writer {
 public:
  absl::Status Write(Client& client) override {
    absl::StatusOr<std::string> url = QueueUrl(client);
    if (!url.ok()) return url.status();
    if (++written_ % 2 == 0) return ReceiveAndDelete(client, *url);
    const std::string body = absl::StrCat("message ", written_);
    in_flight_ = body;
    absl::StatusOr<Json::Value> output =
        client.Call(SqsTarget("SendMessage"),
                    absl::StrCat(R"({"QueueUrl":")", *url,
                                 R"(","MessageBody":")", body, "\"}"));
    if (!output.ok()) return output.status();
    in_flight_.clear();
    present_.insert(body);
    return absl::OkStatus();
  }

  // Takes everything out of the queue.
  absl::Status Check(Client& client) override {
    absl::StatusOr<std::string> url = QueueUrl(client);
    if (!url.ok()) return url.status();
    std::set<std::string> found;
    for (;;) {
      absl::StatusOr<Json::Value> output = Receive(client, *url, 10);
      if (!output.ok()) return output.status();
      if ((*output)["Messages"].empty()) break;
      for (const Json::Value& message : (*output)["Messages"]) {
        found.insert(message["Body"].asString());
        absl::Status status = Delete(client, *url, message);
        if (!status.ok()) return status;
      }
    }
    absl::Status status = Compare(found);
    present_.clear();
    in_flight_.clear();
    return status;
  }

 private:
  absl::Status Compare(const std::set<std::string>& found) const {
    for (const std::string& body : present_) {
      if (body != in_flight_ && found.count(body) == 0) {
        return absl::DataLossError(
            absl::StrCat("acknowledged \"", body, "\" is lost"));
      }
    }
    for (const std::string& body : found) {
      if (body != in_flight_ && present_.count(body) == 0) {
        return absl::DataLossError(
            absl::StrCat("\"", body, "\" is there, deleted or never sent"));
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReceiveAndDelete(Client& client, const std::string& url) {
    absl::StatusOr<Json::Value> output = Receive(client, url, 1);
    if (!output.ok()) return output.status();
    for (const Json::Value& message : (*output)["Messages"]) {
      const std::string body = message["Body"].asString();
      in_flight_ = body;
      absl::Status status = Delete(client, url, message);
      if (!status.ok()) return status;
      in_flight_.clear();
      present_.erase(body);
    }
    return absl::OkStatus();
  }

  // They stay visible: nobody has to wait for those that were received when the
  // server died.
  static absl::StatusOr<Json::Value> Receive(Client& client,
                                             const std::string& url, int most) {
    return client.Call(
        SqsTarget("ReceiveMessage"),
        absl::StrCat(R"({"QueueUrl":")", url, R"(","MaxNumberOfMessages":)",
                     most, R"(,"VisibilityTimeout":0})"));
  }

  static absl::Status Delete(Client& client, const std::string& url,
                             const Json::Value& message) {
    return client
        .Call(SqsTarget("DeleteMessage"),
              absl::StrCat(R"({"QueueUrl":")", url, R"(","ReceiptHandle":")",
                           message["ReceiptHandle"].asString(), "\"}"))
        .status();
  }

  int written_ = 0;
  std::string in_flight_;  // empty: none
  std::set<std::string> present_;
};

}  // namespace

std::unique_ptr<Writer> MakeMessenger() {
  return std::make_unique<Messenger>();
}

absl::Status MakeResources(Client& client) {
  absl::Status status =
      client
          .Call("DynamoDB_20120810.CreateTable",
                absl::StrCat(
                    R"({"TableName":")", kTable,
                    R"(","BillingMode":"PAY_PER_REQUEST",)",
                    R"("AttributeDefinitions":[)",
                    R"({"AttributeName":"id","AttributeType":"S"},)",
                    R"({"AttributeName":"group","AttributeType":"S"}],)",
                    R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)",
                    R"("GlobalSecondaryIndexes":[{"IndexName":")", kIndex,
                    R"(","KeySchema":[)",
                    R"({"AttributeName":"group","KeyType":"HASH"}],)",
                    R"("Projection":{"ProjectionType":"ALL"}}]})"))
          .status();
  if (!status.ok()) return status;
  return client
      .Call(SqsTarget("CreateQueue"),
            absl::StrCat(R"({"QueueName":")", kQueue, "\"}"))
      .status();
}

}  // namespace byoshin::crash
