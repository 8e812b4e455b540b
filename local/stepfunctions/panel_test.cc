// What the page is told of state machines and executions.

#include "local/stepfunctions/panel.h"

#include <json/json.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "core/json/writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/panel.h"
#include "local/stepfunctions/noting_store.h"
#include "local/stepfunctions/testing/states_fixture.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local::stepfunctions {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kWaitMinute[] = R"({"Type":"Wait","Seconds":60,"End":true})";
constexpr char kPassOnce[] = R"({"Type":"Pass","End":true})";
constexpr char kFailOnce[] =
    R"({"Type":"Fail","Error":"Oops","Cause":"because"})";

class StatesPanelTest : public StatesFixture {
 protected:
  absl::StatusOr<std::string> Get(absl::string_view endpoint,
                                  const std::string& query) {
    for (const dashboard::PanelEndpoint& one : panel_.endpoints()) {
      if (one.name == endpoint) return one.answer({.query = query});
    }
    return absl::NotFoundError(endpoint);
  }
  Json::Value GetJson(absl::string_view endpoint, const std::string& query) {
    const absl::StatusOr<std::string> body = Get(endpoint, query);
    EXPECT_TRUE(body.ok()) << body.status();
    return body.ok() ? *json::ParseValue(*body) : Json::Value();
  }
  Json::Value Status() {
    json::Writer json;
    panel_.WriteStatus(json);
    return *json::ParseValue(json.text());
  }
  static std::vector<std::string> Names(const Json::Value& executions) {
    std::vector<std::string> names;
    for (const Json::Value& one : executions) {
      names.push_back(one["name"].asString());
    }
    return names;
  }

  // Each look is a fresh one.
  std::uint64_t version_ = 0;
  StatesPanel panel_{
      {.states = *states_, .version = [this] { return ++version_; }}};
};

TEST_F(StatesPanelTest, IsShownOnceThereIsAStateMachine) {
  EXPECT_FALSE(panel_.IsShown());
  Create("m", OneState(kPassOnce));
  EXPECT_TRUE(panel_.IsShown());
}

TEST_F(StatesPanelTest, CountsTheExecutionsOfEachMachineByStatus) {
  const std::string waits = Create("waits", OneState(kWaitMinute));
  const std::string fails = Create("fails", OneState(kFailOnce));
  Start(waits, "{}", "old");
  RunFor(absl::Minutes(2));
  Start(waits, "{}", "new");
  Start(fails, "{}");
  Settle();
  const Json::Value machines = Status()["machines"];
  ASSERT_EQ(machines.size(), 2u);
  EXPECT_EQ(machines[0]["name"], "fails");
  EXPECT_EQ(machines[0]["counts"]["FAILED"], 1);
  EXPECT_EQ(machines[1]["name"], "waits");
  EXPECT_EQ(machines[1]["type"], "STANDARD");
  EXPECT_EQ(machines[1]["counts"]["RUNNING"], 1);
  EXPECT_EQ(machines[1]["counts"]["SUCCEEDED"], 1);
  EXPECT_EQ(machines[1]["counts"]["ABORTED"], 0);
  EXPECT_FALSE(machines[1]["more"].asBool());
  const Json::Value& newest = machines[1]["newest"];
  EXPECT_THAT(Names(newest), ElementsAre("new", "old"));
  EXPECT_TRUE(newest[0]["stop"].isNull());
  EXPECT_EQ(newest[1]["stop"].asInt64() - newest[1]["start"].asInt64(), 60000);
}

TEST_F(StatesPanelTest, ReadsAgainOnlyWhatHasChanged) {
  std::uint64_t version = 1;
  StatesPanel panel({.states = *states_, .version = [&] { return version; }});
  EXPECT_FALSE(panel.IsShown());
  Create("m", OneState(kPassOnce));
  EXPECT_FALSE(panel.IsShown());
  ++version;
  EXPECT_TRUE(panel.IsShown());
}

TEST_F(StatesPanelTest, NamesTheStackOfAMachine) {
  const std::string arn = Create("m", OneState(kPassOnce));
  EXPECT_TRUE(Status()["machines"][0]["stack"].isNull());
  cloudformation::Stack stack{.name = "orders"};
  stack.resources["Machine"] = {.type = "AWS::StepFunctions::StateMachine",
                                .state = {.physical_id = arn}};
  panel_.LoadStack(stack);
  EXPECT_EQ(Status()["machines"][0]["stack"], "orders");
  stack.resources.clear();
  panel_.LoadStack(stack);
  EXPECT_TRUE(Status()["machines"][0]["stack"].isNull());
}

TEST_F(StatesPanelTest, ListsExecutionsPageByPageTheNewestFirst) {
  const std::string machine = Create("m", OneState(kPassOnce));
  for (const char* name : {"a", "b", "c"}) {
    Start(machine, "{}", name);
    RunFor(absl::Seconds(1));
  }
  const Json::Value first = GetJson("executions", "machine=m&limit=2");
  EXPECT_THAT(Names(first["executions"]), ElementsAre("c", "b"));
  const Json::Value second = GetJson(
      "executions", absl::StrCat("machine=", machine,
                                 "&limit=2&after=", first["next"].asString()));
  EXPECT_THAT(Names(second["executions"]), ElementsAre("a"));
  EXPECT_TRUE(second["next"].isNull());
}

TEST_F(StatesPanelTest, ListsExecutionsOfSomeStatuses) {
  const std::string machine = Create("m", OneState(kWaitMinute));
  Start(machine, "{}", "ended");
  RunFor(absl::Minutes(2));
  const std::string stopped = Start(machine, "{}", "stopped");
  Ask("StopExecution", absl::StrCat(R"({"executionArn":")", stopped, R"("})"));
  RunFor(absl::Seconds(1));
  Start(machine, "{}", "runs");
  const auto with = [&](const std::string& statuses) {
    return Names(GetJson("executions", absl::StrCat("machine=m&status=",
                                                    statuses))["executions"]);
  };
  EXPECT_THAT(with("RUNNING"), ElementsAre("runs"));
  EXPECT_THAT(with("SUCCEEDED,ABORTED"), ElementsAre("stopped", "ended"));
  EXPECT_THAT(with("FAILED"), ElementsAre());
}

TEST_F(StatesPanelTest, SaysWhatIsWrongWithARequest) {
  Create("m", OneState(kPassOnce));
  const auto message = [&](const char* endpoint, const char* query) {
    return std::string(Get(endpoint, query).status().message());
  };
  EXPECT_THAT(message("executions", ""), HasSubstr("machine"));
  EXPECT_THAT(message("executions", "machine=m&status=DONE"),
              HasSubstr("\"DONE\" is invalid"));
  EXPECT_THAT(message("executions", "machine=m&after=%21"), HasSubstr("after"));
  EXPECT_TRUE(absl::IsNotFound(Get("executions", "machine=n").status()));
  EXPECT_THAT(message("execution", ""), HasSubstr("arn"));
  EXPECT_TRUE(absl::IsNotFound(Get("execution", "arn=x").status()));
  EXPECT_TRUE(absl::IsNotFound(Get("execution", "arn=x&parent=y").status()));
}

TEST_F(StatesPanelTest, ShowsAnExecutionWithItsDefinitionAndEvents) {
  const std::string definition = OneState(kFailOnce);
  const std::string machine = Create("m", definition);
  const std::string arn = Start(machine, R"({"x":1})", "e");
  Settle();
  const Json::Value shown = GetJson("execution", absl::StrCat("arn=", arn));
  const Json::Value& execution = shown["execution"];
  EXPECT_EQ(execution["name"], "e");
  EXPECT_EQ(execution["machineName"], "m");
  EXPECT_EQ(execution["status"], "FAILED");
  EXPECT_EQ(execution["input"], R"({"x":1})");
  EXPECT_EQ(execution["inputBytes"], 7);
  EXPECT_EQ(execution["error"], "Oops");
  EXPECT_EQ(execution["cause"], "because");
  EXPECT_EQ(shown["definition"], definition);
  ASSERT_EQ(shown["events"].size(), 3u);
  EXPECT_EQ(shown["events"][1]["type"], "FailStateEntered");
  EXPECT_EQ(shown["events"][1]["name"], "S");
  EXPECT_EQ(shown["events"][1]["data"], R"({"x":1})");
  EXPECT_EQ(shown["events"][2]["type"], "ExecutionFailed");
  EXPECT_EQ(shown["events"][2]["error"], "Oops");
  EXPECT_EQ(shown["next"], 3);
  EXPECT_EQ(shown["total"], 3);
}

TEST_F(StatesPanelTest, GoesOnAfterTheEventsThatAreKnown) {
  const std::string machine = Create("m", OneState(kWaitMinute));
  const std::string arn = Start(machine, "{}");
  const Json::Value running = GetJson("execution", absl::StrCat("arn=", arn));
  EXPECT_EQ(running["execution"]["status"], "RUNNING");
  EXPECT_EQ(running["next"], 2);
  RunFor(absl::Minutes(1));
  const Json::Value ended =
      GetJson("execution", absl::StrCat("arn=", arn, "&after=2"));
  EXPECT_EQ(ended["execution"]["status"], "SUCCEEDED");
  EXPECT_FALSE(ended.isMember("definition"));
  ASSERT_EQ(ended["events"].size(), 2u);
  EXPECT_EQ(ended["events"][0]["id"], 3);
}

TEST_F(StatesPanelTest, CutsLongDataAndLongPages) {
  const std::string machine = Create("m", OneState(kPassOnce));
  const std::string input = absl::StrCat("\"", std::string(100'000, 'x'), "\"");
  const std::string arn = Start(machine, input);
  Settle();
  const Json::Value shown =
      GetJson("execution", absl::StrCat("arn=", arn, "&limit=2"));
  EXPECT_EQ(shown["execution"]["input"].asString().size(), 65536u);
  EXPECT_EQ(shown["execution"]["inputBytes"], 100'002);
  EXPECT_EQ(shown["events"][0]["data"].asString().size(), 65536u);
  EXPECT_EQ(shown["events"].size(), 2u);
  EXPECT_EQ(shown["next"], 2);
  EXPECT_EQ(shown["total"], 4);
}

TEST_F(StatesPanelTest, ShowsTheChildrenOfADistributedMap) {
  const std::string machine = Create("m", OneState(R"({"Type":"Map","End":true,
      "ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED",
                                          "ExecutionType":"STANDARD"},
      "StartAt":"P","States":{"P":{"Type":"Pass","End":true}}}})"));
  const std::string arn = Start(machine, "[1,2]");
  RunFor(absl::Minutes(1));
  const Json::Value shown = GetJson("execution", absl::StrCat("arn=", arn));
  ASSERT_EQ(shown["mapRuns"].size(), 1u);
  const Json::Value& map_run = shown["mapRuns"][0];
  EXPECT_EQ(map_run["state"], "S");
  EXPECT_EQ(map_run["items"]["succeeded"], 2);
  ASSERT_EQ(map_run["children"].size(), 2u);
  const Json::Value child =
      GetJson("execution",
              absl::StrCat("arn=", map_run["children"][1]["arn"].asString(),
                           "&parent=", arn));
  EXPECT_EQ(child["execution"]["input"], "2");
  EXPECT_EQ(child["execution"]["status"], "SUCCEEDED");
  EXPECT_TRUE(child.isMember("definition"));
  EXPECT_EQ(child["events"][1]["name"], "P");
}

TEST(NotingStore, NotesCommitsThatHaveChangedSomething) {
  const std::unique_ptr<Store> file = *OpenSqliteStore({});
  dashboard::Panels panels;
  NotingStore store(*file, &panels);
  const std::uint64_t before = panels.changes().version();
  ASSERT_TRUE(store.Commit().ok());
  EXPECT_EQ(store.version(), 0u);
  ASSERT_TRUE(store.Put("a", "1").ok());
  ASSERT_TRUE(store.Commit().ok());
  EXPECT_EQ(store.version(), 1u);
  EXPECT_EQ(panels.changes().version(), before + 1);
  ASSERT_TRUE(store.Delete("a").ok());
  store.Rollback();
  ASSERT_TRUE(store.Commit().ok());
  EXPECT_EQ(store.version(), 1u);
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
