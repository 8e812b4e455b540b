#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "tests/bench/workloads.h"

namespace byoshin::bench {
namespace {

// As the Sender's messages are.
constexpr absl::string_view kBody =
    R"({"slot_time":"2025-12-02T10:23:05Z","metric":"responses","attempt":1})";

std::string FormEncode(absl::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                       (c >= 'a' && c <= 'z') || c == '-' || c == '.' ||
                       c == '_' || c == '~';
    if (plain) {
      encoded += c;
    } else {
      absl::StrAppendFormat(&encoded, "%%%02X", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string JsonEscape(absl::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// What stands between `begin` and `end` in an answer; empty if nothing does.
std::string Between(absl::string_view text, absl::string_view begin,
                    absl::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == absl::string_view::npos) return {};
  const std::size_t start = from + begin.size();
  return std::string(text.substr(start, text.find(end, start) - start));
}

// Writes the requests to one queue.
class QueueRequests {
 public:
  QueueRequests(const Signer& signer, SqsProtocol protocol, std::string queue)
      : signer_(signer), protocol_(protocol), queue_(std::move(queue)) {}

  std::string Create() const {
    return protocol_ == SqsProtocol::kJson
               ? Json("CreateQueue",
                      absl::StrCat(R"({"QueueName":")", queue_, "\"}"))
               : Query("CreateQueue", absl::StrCat("&QueueName=", queue_));
  }
  std::string CreateFifo() const {
    return Json("CreateQueue",
                absl::StrCat(R"({"QueueName":")", queue_,
                             R"(","Attributes":{"FifoQueue":"true"}})"));
  }
  std::string SendFifo(const std::string& url, const std::string& group,
                       int id) const {
    return Json(
        "SendMessage",
        absl::StrCat(R"({"QueueUrl":")", url, R"(","MessageBody":")",
                     JsonEscape(kBody), R"(","MessageGroupId":")", group,
                     R"(","MessageDeduplicationId":")", id, "\"}"));
  }
  std::string Send(const std::string& url) const {
    return protocol_ == SqsProtocol::kJson
               ? Json("SendMessage", absl::StrCat(R"({"QueueUrl":")", url,
                                                  R"(","MessageBody":")",
                                                  JsonEscape(kBody), "\"}"))
               : Query("SendMessage",
                       absl::StrCat("&QueueUrl=", FormEncode(url),
                                    "&MessageBody=", FormEncode(kBody)));
  }
  std::string Receive(const std::string& url) const {
    return protocol_ == SqsProtocol::kJson
               ? Json("ReceiveMessage",
                      absl::StrCat(R"({"QueueUrl":")", url, "\"}"))
               : Query("ReceiveMessage",
                       absl::StrCat("&QueueUrl=", FormEncode(url)));
  }
  std::string Delete(const std::string& url, const std::string& receipt) const {
    return protocol_ == SqsProtocol::kJson
               ? Json("DeleteMessage",
                      absl::StrCat(R"({"QueueUrl":")", url,
                                   R"(","ReceiptHandle":")", receipt, "\"}"))
               : Query("DeleteMessage",
                       absl::StrCat("&QueueUrl=", FormEncode(url),
                                    "&ReceiptHandle=", FormEncode(receipt)));
  }

  std::string UrlIn(absl::string_view answer) const {
    return protocol_ == SqsProtocol::kJson
               ? Between(answer, R"("QueueUrl":")", "\"")
               : Between(answer, "<QueueUrl>", "</QueueUrl>");
  }
  std::string ReceiptIn(absl::string_view answer) const {
    return protocol_ == SqsProtocol::kJson
               ? Between(answer, R"("ReceiptHandle":")", "\"")
               : Between(answer, "<ReceiptHandle>", "</ReceiptHandle>");
  }

 private:
  std::string Json(absl::string_view operation, absl::string_view body) const {
    return signer_.JsonRequest(absl::StrCat("AmazonSQS.", operation), body);
  }
  std::string Query(absl::string_view operation,
                    absl::string_view parameters) const {
    return signer_.QueryRequest(
        absl::StrCat("Action=", operation, "&Version=2012-11-05", parameters));
  }

  const Signer& signer_;
  const SqsProtocol protocol_;
  const std::string queue_;
};

// What the connections of a workload share. The requests are signed once.
struct Queue {
  explicit Queue(QueueRequests made) : requests(std::move(made)) {}

  absl::Status Make(Connection& connection) {
    absl::StatusOr<Reply> reply = connection.Exchange(requests.Create());
    if (!reply.ok()) return reply.status();
    url = requests.UrlIn(reply->body);
    if (reply->status != 200 || url.empty()) {
      return absl::UnknownError(
          absl::StrCat("CreateQueue: ", reply->status, " ", reply->body));
    }
    send = requests.Send(url);
    receive = requests.Receive(url);
    return absl::OkStatus();
  }

  const QueueRequests requests;
  std::string url{};
  std::string send{};
  std::string receive{};
};

class Sending final : public Conversation {
 public:
  explicit Sending(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}

  absl::string_view Next() override { return queue_->send; }

  absl::StatusOr<bool> Take(const WireAnswer& answer) override {
    if (answer.status == 200) return true;
    return absl::UnknownError(absl::StrCat("SendMessage: ", answer.body));
  }

 private:
  const std::shared_ptr<Queue> queue_;
};

// Where a conversation is that sends, receives and deletes a message.
class Cycle {
 public:
  enum class Step { kSend, kReceive, kDelete };

  Step step() const { return step_; }
  // The request of kDelete.
  absl::string_view delete_request() const { return delete_request_; }

  // Goes to the next step. True after the last.
  bool Take(const QueueRequests& requests, const std::string& url,
            const WireAnswer& answer) {
    switch (step_) {
      case Step::kSend:
        step_ = Step::kReceive;
        return false;
      case Step::kReceive: {
        // Nothing came: asked again, and the time counts.
        const std::string receipt = requests.ReceiptIn(answer.body);
        if (receipt.empty()) return false;
        delete_request_ = requests.Delete(url, receipt);
        step_ = Step::kDelete;
        return false;
      }
      case Step::kDelete:
        break;
    }
    step_ = Step::kSend;
    return true;
  }

 private:
  Step step_ = Step::kSend;
  std::string delete_request_;
};

class Cycling final : public Conversation {
 public:
  explicit Cycling(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}

  absl::string_view Next() override {
    switch (cycle_.step()) {
      case Cycle::Step::kSend:
        return queue_->send;
      case Cycle::Step::kReceive:
        return queue_->receive;
      case Cycle::Step::kDelete:
        break;
    }
    return cycle_.delete_request();
  }

  absl::StatusOr<bool> Take(const WireAnswer& answer) override {
    if (answer.status != 200) {
      return absl::UnknownError(absl::StrCat("cycle: ", answer.body));
    }
    return cycle_.Take(queue_->requests, queue_->url, answer);
  }

 private:
  const std::shared_ptr<Queue> queue_;
  Cycle cycle_;
};

// A FIFO queue, and the messages that are sent to it.
struct FifoQueue {
  FifoQueue(const Signer& signer, std::string name)
      : requests(signer, SqsProtocol::kJson, std::move(name)) {}

  absl::Status Make(Connection& connection) {
    absl::StatusOr<Reply> reply = connection.Exchange(requests.CreateFifo());
    if (!reply.ok()) return reply.status();
    url = requests.UrlIn(reply->body);
    if (reply->status != 200 || url.empty()) {
      return absl::UnknownError(
          absl::StrCat("CreateQueue: ", reply->status, " ", reply->body));
    }
    receive = requests.Receive(url);
    return absl::OkStatus();
  }

  const QueueRequests requests;
  std::string url{};
  std::string receive{};
  std::atomic<int> sent = 0;
};

// Sends, or sends, receives and deletes.
class FifoConversation final : public Conversation {
 public:
  enum class Steps { kSend, kCycle };

  FifoConversation(std::shared_ptr<FifoQueue> queue, int connection,
                   Steps steps)
      : queue_(std::move(queue)),
        group_(absl::StrCat("group", connection)),
        steps_(steps) {}

  absl::string_view Next() override {
    switch (cycle_.step()) {
      case Cycle::Step::kSend:
        send_ = queue_->requests.SendFifo(queue_->url, group_, ++queue_->sent);
        return send_;
      case Cycle::Step::kReceive:
        return queue_->receive;
      case Cycle::Step::kDelete:
        break;
    }
    return cycle_.delete_request();
  }

  absl::StatusOr<bool> Take(const WireAnswer& answer) override {
    if (answer.status != 200) {
      return absl::UnknownError(absl::StrCat("FIFO: ", answer.body));
    }
    if (steps_ == Steps::kSend) return true;
    return cycle_.Take(queue_->requests, queue_->url, answer);
  }

 private:
  const std::shared_ptr<FifoQueue> queue_;
  const std::string group_;
  const Steps steps_;
  Cycle cycle_;
  std::string send_;
};

Workload MakeFifo(const Signer& signer, FifoConversation::Steps steps) {
  static int runs = 0;
  auto queue = std::make_shared<FifoQueue>(
      signer, absl::StrCat("Queue", ++runs, ".fifo"));
  return {
      .prepare =
          [queue](Connection& connection) { return queue->Make(connection); },
      .start =
          [queue, steps](int connection) {
            return std::make_unique<FifoConversation>(queue, connection, steps);
          }};
}

template <typename C>
Workload Make(const Signer& signer, SqsProtocol protocol) {
  static int runs = 0;
  auto queue = std::make_shared<Queue>(QueueRequests(
      signer, protocol,
      absl::StrCat("Queue", std::is_same_v<C, Sending> ? "S" : "C", ++runs)));
  return {
      .prepare =
          [queue](Connection& connection) { return queue->Make(connection); },
      .start = [queue](int) { return std::make_unique<C>(queue); }};
}

}  // namespace

Workload Sends(const Signer& signer, SqsProtocol protocol) {
  return Make<Sending>(signer, protocol);
}

Workload Cycles(const Signer& signer, SqsProtocol protocol) {
  return Make<Cycling>(signer, protocol);
}

Workload FifoSends(const Signer& signer) {
  return MakeFifo(signer, FifoConversation::Steps::kSend);
}

Workload FifoCycles(const Signer& signer) {
  return MakeFifo(signer, FifoConversation::Steps::kCycle);
}

}  // namespace byoshin::bench
