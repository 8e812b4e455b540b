#include "tests/crash/local_cloud.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/json/value.h"

namespace byoshin::crash {
namespace {

constexpr char kServe[] = "local/serve";
constexpr absl::string_view kUrl = "http://127.0.0.1:";

}  // namespace

absl::StatusOr<std::unique_ptr<Client>> Client::Connect(int port) {
  absl::StatusOr<bench::Connection> connection = bench::Connection::Open(port);
  if (!connection.ok()) return connection.status();
  return std::unique_ptr<Client>(new Client(*std::move(connection), port));
}

Client::Client(bench::Connection connection, int port)
    : connection_(std::move(connection)),
      dynamodb_(
          {.host = absl::StrCat("127.0.0.1:", port), .service = "dynamodb"}),
      sqs_({.host = absl::StrCat("127.0.0.1:", port), .service = "sqs"}) {}

absl::StatusOr<Json::Value> Client::Call(absl::string_view target,
                                         const std::string& body) {
  const bench::Signer& signer =
      absl::StartsWith(target, "AmazonSQS.") ? sqs_ : dynamodb_;
  absl::StatusOr<bench::Reply> reply =
      connection_.Exchange(signer.JsonRequest(target, body));
  if (!reply.ok()) return absl::UnavailableError(reply.status().message());
  if (reply->status == 200) {
    if (reply->body.empty()) return Json::Value(Json::objectValue);
    return json::ParseValue(reply->body);
  }
  const std::string text =
      absl::StrCat(target, ": ", reply->status, " ", reply->body);
  return absl::StrContains(reply->body, "ConditionalCheckFailed")
             ? absl::FailedPreconditionError(text)
             : absl::InternalError(text);
}

absl::Status LocalCloud::Start() {
  std::vector<std::string> argv = {kServe, "--port=0",
                                   absl::StrCat("--data=", folder_)};
  argv.insert(argv.end(), flags_.begin(), flags_.end());
  absl::StatusOr<std::unique_ptr<integration::Process>> process =
      integration::Process::Start({.argv = argv});
  if (!process.ok()) return process.status();
  process_ = *std::move(process);
  absl::StatusOr<std::string> line = process_->AwaitLine(kUrl);
  if (!line.ok()) return line.status();
  std::string digits = line->substr(line->find(kUrl.data()) + kUrl.size());
  digits = digits.substr(0, digits.find_first_not_of("0123456789"));
  if (absl::SimpleAtoi(digits, &port_)) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("no port in: ", *line));
}

void LocalCloud::KillNow() {
  if (process_ == nullptr) return;
  process_->Kill();
  process_->AwaitExit().IgnoreError();
  process_.reset();
}

}  // namespace byoshin::crash
