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

class Cycling final : public Conversation {
 public:
  explicit Cycling(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}

  absl::string_view Next() override {
    switch (step_) {
      case Step::kSend:
        return queue_->send;
      case Step::kReceive:
        return queue_->receive;
      case Step::kDelete:
        break;
    }
    return delete_;
  }

  absl::StatusOr<bool> Take(const WireAnswer& answer) override {
    if (answer.status != 200) {
      return absl::UnknownError(absl::StrCat("cycle: ", answer.body));
    }
    switch (step_) {
      case Step::kSend:
        step_ = Step::kReceive;
        return false;
      case Step::kReceive: {
        // Nothing came: asked again, and the time counts.
        const std::string receipt = queue_->requests.ReceiptIn(answer.body);
        if (receipt.empty()) return false;
        delete_ = queue_->requests.Delete(queue_->url, receipt);
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
  enum class Step { kSend, kReceive, kDelete };

  const std::shared_ptr<Queue> queue_;
  Step step_ = Step::kSend;
  std::string delete_;
};

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

}  // namespace byoshin::bench
