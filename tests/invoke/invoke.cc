// Invokes one of the functions, from its zip, under the real Runtime API
// protocol, and shows what it did. What it calls is a stand-in on this machine:
// a queue, dynalite as the table, the mock API.
//
//   ./bazelw run //tests/invoke -- sender
//   ./bazelw run //tests/invoke -- collector event.json

#include <json/json.h>

#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/env/working_directory.h"
#include "core/files/read_file.h"
#include "core/json/value.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "core/time/real_clock.h"
#include "tests/integration/dynalite.h"
#include "tests/integration/fake_sqs.h"
#include "tests/integration/lambda_package.h"
#include "tests/integration/lambda_process.h"
#include "tests/integration/mock_api.h"
#include "tests/integration/runtime_api.h"
#include "tests/integration/sqs_event.h"

namespace byoshin::integration {
namespace {

constexpr char kUsage[] =
    "usage: invoke sender|collector|mock_api [EVENT.json]\n"
    "Runs the function's zip once, against stand-ins on this machine, and "
    "shows what it did.\n"
    "Without a file the event is one of the present minute.\n";

// What a function needs around it, and what is to be seen there afterwards.
struct Surroundings {
  std::map<std::string, std::string> variables;
  std::string event;
  std::function<absl::Status()> show;
};

absl::StatusOr<Surroundings> AroundSender(absl::Time minute) {
  absl::StatusOr<std::unique_ptr<FakeSqs>> sqs = FakeSqs::Start();
  if (!sqs.ok()) return sqs.status();
  std::shared_ptr<FakeSqs> queue = *std::move(sqs);
  return Surroundings{
      .variables = {{scheduler::kQueueUrlVariable, queue->queue_url()}},
      .event =
          absl::StrCat(R"({"time":")", time::FormatIso8601(minute), R"("})"),
      .show = [queue] {
        std::cout << "\nOn the queue:\n";
        for (const FakeSqs::Message& message : queue->messages()) {
          std::cout << "  DelaySeconds " << message.delay_seconds << ": "
                    << message.body << "\n";
        }
        return absl::OkStatus();
      }};
}

absl::StatusOr<Surroundings> AroundCollector(absl::Time minute) {
  absl::StatusOr<std::unique_ptr<Dynalite>> dynalite = Dynalite::Start();
  if (!dynalite.ok()) return dynalite.status();
  absl::StatusOr<std::unique_ptr<MockApi>> mock_api = MockApi::Start();
  if (!mock_api.ok()) return mock_api.status();
  std::shared_ptr<Dynalite> table = *std::move(dynalite);
  std::shared_ptr<MockApi> api = *std::move(mock_api);
  const absl::Status created =
      table->CreateMetricsTable(scheduler::kMetricsTableName);
  if (!created.ok()) return created;
  return Surroundings{
      .variables = {{scheduler::kApiBaseUrlVariable, api->url()},
                    {scheduler::kTableNameVariable,
                     scheduler::kMetricsTableName},
                    {"AWS_ENDPOINT_URL_DYNAMODB", table->url()}},
      .event = SqsEvent({{"message-1", SlotBody(minute)}}),
      .show = [table, api]() -> absl::Status {
        absl::StatusOr<std::vector<Json::Value>> items =
            table->Scan(scheduler::kMetricsTableName);
        if (!items.ok()) return items.status();
        std::cout << "\nIn the table:\n";
        for (const Json::Value& item : *items) {
          std::cout << "  " << json::WriteValue(item) << "\n";
        }
        return absl::OkStatus();
      }};
}

absl::StatusOr<Surroundings> AroundMockApi(absl::Time minute) {
  Json::Value event;
  event["httpMethod"] = "GET";
  event["path"] = scheduler::kResponseCountPath;
  Json::Value& query = event["queryStringParameters"];
  query[scheduler::kFromParameter] = time::FormatIso8601(minute);
  query[scheduler::kToParameter] =
      time::FormatIso8601(minute + scheduler::kSlotInterval);
  return Surroundings{.variables = {},
                      .event = json::WriteValue(event),
                      .show = [] { return absl::OkStatus(); }};
}

absl::Status Invoke(const std::string& function, Surroundings around) {
  absl::StatusOr<LambdaPackage> package =
      LambdaPackage::Unpack(absl::StrCat("lambdas/", function, ".zip"));
  if (!package.ok()) return package.status();
  absl::StatusOr<std::unique_ptr<LambdaProcess>> process =
      LambdaProcess::Start({.argv = {package->bootstrap()},
                            .variables = std::move(around.variables)});
  if (!process.ok()) return process.status();
  std::cout << "Event:\n  " << around.event << "\n";
  absl::StatusOr<RuntimeApi::Outcome> outcome =
      (*process)->Invoke({.payload = around.event});
  if (!outcome.ok()) return outcome.status();
  std::cout << "\nLog:\n";
  for (const std::string& line : (*process)->process().lines()) {
    std::cout << "  " << line << "\n";
  }
  std::cout << (outcome->kind == RuntimeApi::Outcome::Kind::kResponse
                    ? "\nResponse:\n  "
                    : "\nError:\n  ")
            << outcome->payload << "\n";
  return around.show();
}

absl::Status Run(const std::vector<std::string>& arguments) {
  const absl::Time minute = scheduler::FloorToMinute(time::RealClock().Now());
  absl::StatusOr<Surroundings> around =
      arguments[0] == "sender"      ? AroundSender(minute)
      : arguments[0] == "collector" ? AroundCollector(minute)
      : arguments[0] == "mock_api"
          ? AroundMockApi(minute)
          : absl::InvalidArgumentError(
                absl::StrCat("no function ", arguments[0], "\n", kUsage));
  if (!around.ok()) return around.status();
  if (arguments.size() > 1) {
    absl::StatusOr<std::string> event = files::ReadFile(
        env::FromWorkingDirectory(arguments[1], env::OfProcess()));
    if (!event.ok()) return event.status();
    around->event = *std::move(event);
  }
  return Invoke(arguments[0], *std::move(around));
}

}  // namespace
}  // namespace byoshin::integration

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments.size() > 2) {
    std::cerr << byoshin::integration::kUsage;
    return 2;
  }
  const absl::Status status = byoshin::integration::Run(arguments);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
