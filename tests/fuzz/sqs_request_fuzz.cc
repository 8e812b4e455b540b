// Tries the local SQS on any request of either protocol: "json" or "query" and
// the operation on the first line, the body after it. Whatever the request
// says, it gets one answer, well-formed, and an error is the caller's.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/gateway/error.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/message.h"
#include "local/sqs/operation.h"
#include "local/sqs/output.h"
#include "local/sqs/request.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {
namespace {

constexpr char kAccount[] = "000000000000";
constexpr char kRegion[] = "eu-west-1";

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void CheckError(const absl::Status& status) {
  const ErrorAnswer error = ErrorAnswerOf(status);
  Require(error.http_status >= 400 && error.http_status < 500,
          "an error is the caller's");
  Require(!error.code.empty() && !error.message.empty(),
          "an error has a code and a message");
  Require(json::ParseValue(JsonErrorAnswer(status, "x#").body).ok(),
          "an error can be written as JSON");
}

void CheckAnswer(const WriteOutput& write) {
  const std::unique_ptr<Output> json = JsonOutput();
  write(*json);
  Require(json::ParseValue(json->Finish()).ok(), "an answer is JSON");
  const std::unique_ptr<Output> xml =
      XmlOutput("Operation", "request", XmlResult::kElement);
  write(*xml);
  Require(absl::EndsWith(xml->Finish(), "</OperationResponse>"),
          "an answer is XML");
}

// A service with two queues and a message, put back after each request.
class Target {
 public:
  Target()
      : clock_(absl::FromUnixSeconds(1764670980)),
        store_(*OpenSqliteStore({})),
        engine_(*store_, clock_, {.account_id = kAccount}) {
    Require(engine_.Load().ok(), "an empty store can be loaded");
    Require(engine_.CreateQueue({.queue = {kRegion, "dead"}}).ok(), "created");
    Require(engine_
                .CreateQueue(
                    {.queue = {kRegion, "orders"},
                     .attributes = {{"RedrivePolicy",
                                     R"({"deadLetterTargetArn":)"
                                     R"("arn:aws:sqs:eu-west-1:000000000000:)"
                                     R"(dead","maxReceiveCount":1})"}}})
                .ok(),
            "created");
    Require(engine_
                .SendMessage({.queue = {kRegion, "orders"},
                              .message = *Prepare({.body = "a"}, kAccount)})
                .ok(),
            "sent");
    engine_.Finish()(store_->Commit());
  }

  void Try(JsonFields& fields, const Operation& operation) {
    const absl::StatusOr<Job> job = operation.prepare(
        fields, {.region = kRegion,
                 .endpoint = "http://localhost",
                 .account_id = kAccount,
                 .path = absl::StrCat("/", kAccount, "/orders")});
    if (!job.ok()) return CheckError(job.status());
    int replies = 0;
    (*job)(engine_, [&](const absl::StatusOr<WriteOutput>& result) {
      ++replies;
      if (!result.ok()) return CheckError(result.status());
      CheckAnswer(*result);
    });
    engine_.EndAllWaits();
    engine_.RunDue();
    engine_.Finish()(absl::OkStatus());
    Require(replies == 1, "there is one reply");
    store_->Rollback();
    Require(engine_.Load().ok(), "the store can be loaded again");
  }

 private:
  time::SimulatedClock clock_;
  std::unique_ptr<Store> store_;
  Engine engine_;
};

void Try(absl::string_view data) {
  static Target* const target = new Target;
  const std::pair<absl::string_view, absl::string_view> lines =
      absl::StrSplit(data, absl::MaxSplits('\n', 1));
  const std::pair<absl::string_view, absl::string_view> words =
      absl::StrSplit(lines.first, absl::MaxSplits(' ', 1));
  const Operation* operation = FindOperation(words.second);
  if (operation == nullptr) return;
  absl::StatusOr<JsonFields> fields =
      FieldsOf({.operation = std::string(words.second),
                .protocol = words.first == "json" ? WireProtocol::kJson10
                                                  : WireProtocol::kQuery,
                .body = std::string(lines.second)});
  if (!fields.ok()) return CheckError(fields.status());
  target->Try(*fields, *operation);
}

}  // namespace
}  // namespace byoshin::local::sqs

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::sqs::Try(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
