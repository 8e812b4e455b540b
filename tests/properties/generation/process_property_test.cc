// Random histories of users, workflows and workers, on the stores in memory.
#include <json/json.h>

#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/generation/api_handler.h"
#include "core/generation/constants.h"
#include "core/generation/process.h"
#include "core/generation/state_service.h"
#include "core/generation/testing/fixture.h"
#include "core/generation/testing/memory_store.h"
#include "core/generation/worker.h"
#include "core/generation/workflow.h"
#include "core/generation/workflow_handler.h"
#include "core/json/value.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/time/testing/instant_clock.h"
#include "gtest/gtest.h"
#include "rapidcheck.h"
#include "tests/properties/check_property.h"

namespace byoshin::properties {
namespace {

using generation::IsFinal;
using generation::NameOf;
using generation::Process;
using generation::ProcessStatus;
using generation::testing::kGoalId;
using generation::testing::MemoryStore;

using Rows = std::map<std::string, Process>;

// Users that call the API, and functions that the workflow calls, in any order
// and with a database and a model that fail now and then.
class World {
 public:
  // Who made the last step: a user, or empty for the workflow.
  struct Step {
    std::string user{};
    // The answer of the API to the user.
    std::string answer{};
  };

  Step Next() {
    clock_.Advance(absl::Milliseconds(*rc::gen::inRange(0, 30'000)));
    BreakSomething();
    Step step;
    switch (*rc::gen::inRange(0, 9)) {
      case 0:
      case 1:
        step = Call(generate_, AnyUser(), "");
        break;
      case 2:
        step = Call(status_, AnyUser(), AnyId());
        break;
      case 3:
        step = Call(retry_, AnyUser(), AnyId());
        break;
      case 4:
        step = Call(cancel_, AnyUser(), AnyId());
        break;
      case 5:
        step = Call(history_, AnyUser(), "");
        break;
      case 6:
        Update();
        break;
      case 7:
        Work();
        break;
      default:
        ExecutionEnds();
        break;
    }
    store_.ClearScript();
    return step;
  }

  const Rows& rows() const { return store_.processes(); }

 private:
  static std::string AnyUser() {
    return *rc::gen::element<std::string>("alice", "bob");
  }
  std::string AnyId() {
    if (rows().empty()) return kGoalId;
    return std::next(rows().begin(),
                     *rc::gen::inRange<int>(0, static_cast<int>(rows().size())))
        ->first;
  }
  void BreakSomething() {
    if (*rc::gen::inRange(0, 4) != 0) return;
    store_.SucceedNext(*rc::gen::inRange(0, 4));
    store_.FailNext(absl::UnavailableError("gone"),
                    *rc::gen::element(MemoryStore::Effect::kNone,
                                      MemoryStore::Effect::kDone));
    if (*rc::gen::arbitrary<bool>()) model_.Fail(absl::UnavailableError("x"));
  }

  Step Call(lambda::Handler& handler, const std::string& user,
            const std::string& id) {
    Json::Value event(Json::objectValue);
    event["path"] = "/";
    event["httpMethod"] = "POST";
    event["body"] = Request(user);
    event["pathParameters"]["processId"] = id;
    event["requestContext"]["authorizer"]["claims"]["sub"] = user;
    return {.user = user, .answer = Invoke(handler, json::WriteValue(event))};
  }
  // Each user has a goal.
  static std::string Request(const std::string& user) {
    Json::Value request =
        *json::ParseValue(generation::testing::SubGoalRequest());
    if (user == "bob") {
      request["params"]["goalId"] = "22222222-2222-4222-8222-222222222222";
    }
    request["params"]["title"] =
        absl::StrCat("目標", *rc::gen::inRange(0, 1000));
    return json::WriteValue(request);
  }
  void Update() {
    const std::string status(NameOf(*rc::gen::elementOf(
        std::vector<ProcessStatus>(std::begin(generation::kProcessStatuses),
                                   std::end(generation::kProcessStatuses)))));
    Invoke(update_, absl::StrCat(R"({"processId":")", AnyId(),
                                 R"(","status":")", status, R"("})"));
  }
  void Work() {
    Invoke(worker_,
           absl::StrCat(R"({"processId":")", AnyId(), R"(","taskToken":"t"})"));
  }
  void ExecutionEnds() {
    Invoke(update_,
           absl::StrCat(R"({"detail":{"name":")", AnyId(), R"(","status":")",
                        *rc::gen::element<std::string>("FAILED", "TIMED_OUT",
                                                       "ABORTED", "SUCCEEDED"),
                        R"("}})"));
  }
  // The answer; empty after an error.
  std::string Invoke(lambda::Handler& handler, const std::string& payload) {
    return handler
        .Handle({.payload = payload,
                 .request_id = "r",
                 .deadline = clock_.Now() + absl::Minutes(5)})
        .value_or("");
  }

  MemoryStore store_;
  generation::testing::FakeModel model_;
  generation::testing::FakeWorkflow workflow_;
  time::testing::InstantClock clock_{generation::testing::StartOfTests()};
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
  generation::ProcessingStateService states_{
      {.store = store_,
       .clock = clock_,
       .state_machine_arn = generation::testing::kStateMachine,
       .new_id = generation::testing::CountingIds()}};
  const generation::ApiDependencies dependencies_{.states = states_,
                                                  .logger = logger_};
  generation::Workflow start_{workflow_, generation::testing::kStateMachine};
  generation::GenerateHandler generate_{dependencies_, store_, clock_, start_};
  generation::StatusCheckHandler status_{dependencies_, start_};
  generation::RetryHandler retry_{dependencies_, start_};
  generation::CancelHandler cancel_{dependencies_, workflow_};
  generation::HistoryHandler history_{dependencies_};
  generation::UpdateStateHandler update_{states_, logger_};
  generation::Worker worker_{{.model_id = "m", .max_tokens = 1},
                             {.processes = store_,
                              .goals = store_,
                              .models = model_,
                              .workflow = workflow_,
                              .clock = clock_,
                              .logger = logger_}};
};

// Calls `check` after each step of a random history, with the rows before it.
void ForEachStep(
    const std::function<void(const Rows& before, const World& world,
                             const World::Step& step)>& check) {
  World world;
  for (int i = *rc::gen::inRange(1, 60); i > 0; --i) {
    const Rows before = world.rows();
    const World::Step step = world.Next();
    check(before, world, step);
  }
}

// **Feature: async-generation, Property 2: For any history, a process in a final state never changes**
TEST(ProcessProperty, AFinalStateNeverChanges) {
  CheckProperty([] {
    ForEachStep([](const Rows& before, const World& world, const auto&) {
      for (const auto& [id, row] : before) {
        if (IsFinal(row.status)) RC_ASSERT(world.rows().at(id) == row);
      }
    });
  });
}

// **Feature: async-generation, Property 3: For any history, the progress of a process never goes back, and is 100 once it is COMPLETED**
TEST(ProcessProperty, ProgressNeverGoesBack) {
  CheckProperty([] {
    ForEachStep([](const Rows& before, const World& world, const auto&) {
      for (const auto& [id, row] : world.rows()) {
        const auto earlier = before.find(id);
        if (earlier != before.end()) {
          RC_ASSERT(row.progress >= earlier->second.progress);
        }
        RC_ASSERT(row.progress >= 0 && row.progress <= 100);
        if (row.status == ProcessStatus::kCompleted) {
          RC_ASSERT(row.progress == 100);
        }
      }
    });
  });
}

// **Feature: async-generation, Property 4: For any history, nobody sees or changes another user's process**
TEST(ProcessProperty, NobodySeesOrChangesAnothersProcess) {
  CheckProperty([] {
    ForEachStep(
        [](const Rows& before, const World& world, const World::Step& step) {
          if (step.user.empty()) return;
          for (const auto& [id, row] : world.rows()) {
            if (row.user_id == step.user) continue;
            // A new row would not be in `before`.
            RC_ASSERT(before.contains(id));
            RC_ASSERT(before.at(id) == row);
            RC_ASSERT(!absl::StrContains(step.answer, id));
          }
        });
  });
}

// **Feature: async-generation, Property 5: For any history, a retry uses the same input as the process that it repeats, and a series has at most three**
TEST(ProcessProperty, ARetryUsesTheSameInput) {
  CheckProperty([] {
    ForEachStep([](const Rows&, const World& world, const auto&) {
      for (const auto& [id, row] : world.rows()) {
        const Process& origin = world.rows().at(row.origin_id);
        RC_ASSERT(row.params == origin.params);
        RC_ASSERT(row.type == origin.type);
        RC_ASSERT(row.target_id == origin.target_id);
        RC_ASSERT(row.user_id == origin.user_id);
        RC_ASSERT((row.retry_count == 0) == (id == row.origin_id));
        RC_ASSERT(row.retry_count <= generation::kMaxRetries);
      }
    });
  });
}

// **Feature: async-generation, Property 6: For any failures of the model, the worker, when it is invoked again, asks for no item that was saved before**
TEST(ProcessProperty, SavedWorkIsNotAskedForAgain) {
  CheckProperty([] {
    MemoryStore store;
    generation::testing::FakeModel model;
    generation::testing::FakeWorkflow workflow;
    time::testing::InstantClock clock(generation::testing::StartOfTests());
    log::testing::RecordingSink sink;
    log::Logger logger(clock, sink);
    generation::Worker worker({.model_id = "m", .max_tokens = 1},
                              {.processes = store,
                               .goals = store,
                               .models = model,
                               .workflow = workflow,
                               .clock = clock,
                               .logger = logger});
    const auto work = [&](const std::string& id) {
      return worker
          .Handle({.payload = absl::StrCat(R"({"processId":")", id,
                                           R"(","taskToken":"t"})"),
                   .request_id = "r"})
          .ok();
    };
    const auto put = [&](const char* id, generation::ProcessType type,
                         const std::string& params) {
      store.Put({.id = id,
                 .origin_id = id,
                 .user_id = "alice",
                 .type = type,
                 .status = ProcessStatus::kProcessing,
                 .target_id = kGoalId,
                 .params = params});
    };
    const std::string params =
        absl::StrCat(R"({"goalId":")", kGoalId, R"(","title":"t"})");
    put("a", generation::ProcessType::kSubGoals, params);
    RC_ASSERT(work("a"));
    put("b", generation::ProcessType::kActions, params);

    int failures = 0;
    const std::size_t before = model.requests().size();
    while (true) {
      for (int i = *rc::gen::inRange(0, 5); i > 0; --i) {
        model.Answer(generation::testing::ActionsAnswer());
      }
      const bool fails = failures < 5 && *rc::gen::arbitrary<bool>();
      if (fails) model.Fail(absl::UnavailableError("x"));
      const bool done = work("b");
      if (done) break;
      RC_ASSERT(fails);
      ++failures;
    }
    // Eight sub-goals; every other question failed.
    RC_ASSERT(model.requests().size() - before ==
              8u + static_cast<std::size_t>(failures));
    RC_ASSERT(store.processes().at("b").progress == 100);
  });
}

}  // namespace
}  // namespace byoshin::properties
