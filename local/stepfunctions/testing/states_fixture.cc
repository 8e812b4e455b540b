#include "local/stepfunctions/testing/states_fixture.h"

#include <json/json.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/async/await.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/gateway/service.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local::stepfunctions {

void FakeTasks::Answer(Behaviour behaviour) {
  const sync::MutexLock lock(mutex_);
  behaviour_ = std::move(behaviour);
}

void FakeTasks::Run(TaskCall call, std::function<void(TaskOutcome)> done) {
  Behaviour behaviour;
  {
    const sync::MutexLock lock(mutex_);
    calls_.push_back(call);
    behaviour = behaviour_;
  }
  if (behaviour) done(behaviour(call));
}

std::vector<TaskCall> FakeTasks::calls() const {
  const sync::MutexLock lock(mutex_);
  return calls_;
}

void StatesFixture::Open() {
  states_.reset();
  if (store_ == nullptr) {
    sqlite_ = *OpenSqliteStore({});
    store_ = std::make_unique<FailingStore>(*sqlite_);
  }
  absl::StatusOr<std::unique_ptr<StepFunctions>> states = StepFunctions::Open(
      {.store = *store_,
       .clock = clock_,
       .tasks = tasks_,
       .log =
           [this](const std::string& group, const std::string&,
                  std::string line) {
             const sync::MutexLock lock(log_mutex_);
             log_.emplace_back(group, std::move(line));
           },
       .status_changes = {.wanted =
                              [this] {
                                const sync::MutexLock lock(changes_mutex_);
                                return changes_wanted_;
                              },
                          .send =
                              [this](StatusChange change, auto done) {
                                sync::MutexLock lock(changes_mutex_);
                                changes_.push_back(std::move(change));
                                const bool stored = changes_stored_;
                                lock.Unlock();
                                if (stored) done(absl::OkStatus());
                              }}});
  ASSERT_TRUE(states.ok()) << states.status();
  states_ = *std::move(states);
  states_->Begin();
}

void StatesFixture::AskLater(absl::string_view operation,
                             const std::string& body,
                             std::function<void(Json::Value)> done) {
  states_->Handle({.operation = std::string(operation),
                   .body = body,
                   .region = "us-east-1",
                   .caller = {.account_id = "000000000000"}},
                  [done = std::move(done)](const local::Answer& answer) {
                    done(*json::ParseValue(answer.body));
                  });
}

Json::Value StatesFixture::Ask(absl::string_view operation,
                               const std::string& body) {
  return async::Await<Json::Value>(
      [&](auto done) { AskLater(operation, body, std::move(done)); });
}

std::string StatesFixture::Create(const std::string& name,
                                  const std::string& definition,
                                  const std::string& more) {
  const Json::Value answer = Ask(
      "CreateStateMachine",
      absl::StrCat(R"({"name":")", name, R"(","roleArn":")", kRole,
                   R"(","definition":)", QuotedJson(definition), more, "}"));
  EXPECT_TRUE(answer.isMember("stateMachineArn")) << answer;
  return answer["stateMachineArn"].asString();
}

std::string StatesFixture::Start(const std::string& machine,
                                 const std::string& input,
                                 const std::string& name) {
  const Json::Value answer = Ask(
      "StartExecution",
      absl::StrCat(R"({"stateMachineArn":")", machine, R"(","input":)",
                   QuotedJson(input),
                   name.empty() ? "" : absl::StrCat(R"(,"name":")", name, "\""),
                   "}"));
  EXPECT_TRUE(answer.isMember("executionArn")) << answer;
  Settle();
  return answer["executionArn"].asString();
}

Json::Value StatesFixture::Describe(const std::string& execution) {
  return Ask("DescribeExecution",
             absl::StrCat(R"({"executionArn":")", execution, R"("})"));
}

std::string StatesFixture::StatusOf(const std::string& execution) {
  return Describe(execution)["status"].asString();
}

std::vector<std::string> StatesFixture::EventTypes(
    const std::string& execution) {
  std::vector<std::string> types;
  const Json::Value history =
      Ask("GetExecutionHistory",
          absl::StrCat(R"({"executionArn":")", execution, R"("})"));
  for (const Json::Value& event : history["events"]) {
    types.push_back(event["type"].asString());
  }
  return types;
}

std::string OneState(absl::string_view state) {
  return absl::StrCat(R"({"StartAt":"S","States":{"S":)", state, "}}");
}

std::string QuotedJson(absl::string_view text) {
  std::string quoted;
  json::AppendQuoted(text, quoted);
  return quoted;
}

}  // namespace byoshin::local::stepfunctions
