// The stores on PostgreSQL against the stores in memory.
#include <json/json.h>

#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/generation/goal_store.h"
#include "core/generation/migrator.h"
#include "core/generation/model_answer.h"
#include "core/generation/process.h"
#include "core/generation/process_store.h"
#include "core/generation/request.h"
#include "core/generation/sql_goal_store.h"
#include "core/generation/sql_process_store.h"
#include "core/generation/testing/fixture.h"
#include "core/generation/testing/memory_store.h"
#include "core/json/value.h"
#include "core/time/real_clock.h"
#include "gtest/gtest.h"
#include "rapidcheck.h"
#include "tests/properties/check_property.h"
#include "tests/properties/generation/postgres_database.h"

namespace byoshin::properties {
namespace {

using namespace generation;  // NOLINT: the subject of this test
using generation::testing::CountingIds;
using generation::testing::kNever;
using generation::testing::MemoryStore;
using generation::testing::StartOfTests;

constexpr const char* kUsers[] = {"alice", "bob"};
constexpr const char* kGoals[] = {"11111111-1111-4111-8111-111111111111",
                                  "22222222-2222-4222-8222-222222222222"};

std::string Show(const absl::Status& status) {
  return std::string(absl::StatusCodeToString(status.code()));
}
std::string Show(bool value) { return value ? "true" : "false"; }
std::string Show(std::int64_t value) { return absl::StrCat(value); }
// PostgreSQL writes JSON in its own way.
std::string ShowJson(const std::string& json) {
  return json.empty() ? "none" : json::WriteValue(*json::ParseValue(json));
}
std::string Show(const Process& p) {
  return absl::StrCat(
      p.id, " ", p.origin_id, " ", p.user_id, " ", NameOf(p.type), " ",
      NameOf(p.status), " ", p.target_id, " ", ShowJson(p.params), " ",
      p.progress, " ", ShowJson(p.result), " ",
      p.error.has_value() ? p.error->code + p.error->message : "none", " ",
      p.retry_count, " ", absl::FormatTime(p.created_at), " ",
      absl::FormatTime(p.updated_at), " ",
      absl::FormatTime(p.completed_at.value_or(absl::InfiniteFuture())), " ",
      p.execution_arn);
}
std::string Show(const Goal& g) {
  return absl::StrCat(g.id, g.user_id, g.title, g.description, g.deadline,
                      g.background, g.constraints);
}
std::string Show(const WorkItem& item) {
  return absl::StrCat(item.id, item.title, item.description,
                      item.sub_goal_title, Show(item.done));
}
std::string Show(const SubGoal& s) {
  return absl::StrCat(s.id, s.position, s.title, s.description);
}
std::string Show(const Action& a) {
  return absl::StrCat(a.id, a.position, a.title, NameOf(a.type));
}
std::string Show(const Task& t) {
  return absl::StrCat(t.id, t.position, t.title,
                      absl::FormatDuration(t.estimated_time));
}
std::string Show(const SubGoalActions& list);
std::string Show(const ActionTasks& list);
template <typename T>
std::string Show(const std::vector<T>& values) {
  return absl::StrJoin(values, "\n", [](std::string* out, const T& value) {
    out->append(Show(value));
  });
}
std::string Show(const SubGoalActions& list) {
  return absl::StrCat(list.sub_goal_id, ":", Show(list.actions));
}
std::string Show(const ActionTasks& list) {
  return absl::StrCat(list.action_id, ":", Show(list.tasks));
}
std::string Show(const HistoryPage& page) {
  std::string text = absl::StrCat(page.total);
  for (const Process& process : page.processes) {
    absl::StrAppend(&text, "\n", Show(process));
  }
  return text;
}
template <typename T>
std::string Show(const std::optional<T>& value) {
  return value.has_value() ? Show(*value) : "none";
}
template <typename T>
std::string Show(const absl::StatusOr<T>& value) {
  return value.ok() ? Show(*value) : Show(value.status());
}

struct Stores {
  ProcessStore& processes;
  GoalStore& goals;
};

// A random history of calls. Each is made on both stores, with the same answer.
class Comparison {
 public:
  explicit Comparison(PostgresDatabase& database)
      : sql_processes_(database.sql()), sql_goals_(database.sql()) {
    database.Clear();
    // Rows refer to their users.
    for (const char* user : kUsers) {
      Same([&](Stores stores) {
        return Show(stores.processes.Admit(user, now_, kNever));
      });
    }
  }

  void Step() {
    now_ += absl::Milliseconds(*rc::gen::inRange(0, 20'000));
    switch (*rc::gen::inRange(0, 12)) {
      case 0:
        return Admit();
      case 1:
      case 2:
        return Insert();
      case 3:
        return Retry();
      case 4:
      case 5:
        return Move();
      case 6:
        return Advance();
      case 7:
      case 8:
      case 9:
        return Save();
      case 10:
        return List();
      default:
        return CleanUp();
    }
  }

  void CheckEverything() {
    for (const Process& process : processes_) {
      Same([&](Stores stores) {
        return Show(stores.processes.Find(process.id, kNever));
      });
    }
    Same([](Stores stores) {
      return Show(stores.processes.CountPending(kNever));
    });
    for (const char* goal : kGoals) CheckTarget({TargetKind::kGoal, goal});
    for (const std::string& id : sub_goals_) {
      CheckTarget({TargetKind::kSubGoal, id});
    }
  }

 private:
  void Same(const std::function<std::string(Stores)>& call) {
    const std::string expected = call({memory_, memory_});
    const std::string found = call({sql_processes_, sql_goals_});
    RC_ASSERT(found == expected);
  }

  std::string AnyUser() {
    return *rc::gen::elementOf(
        std::vector<std::string>(std::begin(kUsers), std::end(kUsers)));
  }
  std::string AnyGoal() {
    return *rc::gen::elementOf(
        std::vector<std::string>(std::begin(kGoals), std::end(kGoals)));
  }
  // A known process, or an unknown one.
  Process AnyProcess() {
    if (processes_.empty()) return {.id = kGoals[0], .origin_id = kGoals[0]};
    return *rc::gen::elementOf(processes_);
  }

  void Admit() {
    const std::string user = AnyUser();
    // Up to the limit.
    for (int i = *rc::gen::inRange(1, 25); i > 0; --i) {
      Same([&](Stores stores) {
        return Show(stores.processes.Admit(user, now_, kNever));
      });
    }
  }

  void Insert() {
    Process process{.id = ids_(),
                    .user_id = AnyUser(),
                    .type = *rc::gen::elementOf(std::vector<ProcessType>(
                        std::begin(kProcessTypes), std::end(kProcessTypes))),
                    .target_id = AnyGoal(),
                    .params = R"({"title":"\"引用\" ' :name ; \\"})",
                    .created_at = now_,
                    .updated_at = now_,
                    .execution_arn = "arn"};
    process.origin_id = process.id;
    processes_.push_back(process);
    // A repeated call is harmless.
    for (int i = *rc::gen::inRange(1, 3); i > 0; --i) {
      Same([&](Stores stores) {
        return Show(stores.processes.Insert(process, kNever));
      });
    }
  }

  void Retry() {
    const NewRetry retry{.source_id = AnyProcess().id,
                         .user_id = AnyUser(),
                         .id = ids_(),
                         .execution_arn = "arn",
                         .now = now_};
    Same([&](Stores stores) {
      return Show(stores.processes.InsertRetry(retry, kNever));
    });
    const auto found = memory_.processes().find(retry.id);
    if (found != memory_.processes().end()) processes_.push_back(found->second);
  }

  void Move() {
    Transition transition{
        .process_id = AnyProcess().id,
        .to = *rc::gen::elementOf(std::vector<ProcessStatus>(
            std::begin(kProcessStatuses) + 1, std::end(kProcessStatuses))),
        .now = now_};
    if (*rc::gen::arbitrary<bool>()) transition.user_id = AnyUser();
    if (*rc::gen::arbitrary<bool>()) {
      transition.error = ProcessError{.code = "C", .message = "説明"};
    }
    Same([&](Stores stores) {
      return Show(stores.processes.Move(transition, kNever));
    });
  }

  void Advance() {
    const std::string id = AnyProcess().id;
    const int progress = *rc::gen::inRange(0, 101);
    Same([&](Stores stores) {
      return Show(stores.processes.Advance(id, progress, now_, kNever));
    });
    Same([&](Stores stores) {
      return Show(
          stores.processes.SaveResult(id, R"({"b":1,"a":[]})", now_, kNever));
    });
  }

  template <typename T>
  std::vector<T> WithIds(std::vector<T> parts,
                         std::vector<std::string>* ids = nullptr) {
    for (T& part : parts) {
      part.id = ids_();
      if (ids != nullptr) ids->push_back(part.id);
    }
    return parts;
  }

  void Save() {
    const Process process = AnyProcess();
    const Saving saving{.process_id = process.id,
                        .origin_id = process.origin_id,
                        .progress = *rc::gen::inRange(0, 101),
                        .now = now_};
    const int kind = *rc::gen::inRange(0, 3);
    if (kind == 0 || sub_goals_.empty()) {
      const Goal goal{.id = AnyGoal(), .user_id = AnyUser(), .title = "t"};
      const auto parts = WithIds(
          *ParseSubGoals(generation::testing::SubGoalsAnswer()), &sub_goals_);
      return Same([&](Stores stores) {
        return Show(stores.goals.SaveSubGoals(saving, goal, parts, kNever));
      });
    }
    if (kind == 1 || actions_.empty()) {
      const std::string sub_goal = *rc::gen::elementOf(sub_goals_);
      const auto parts = WithIds(
          *ParseActions(generation::testing::ActionsAnswer()), &actions_);
      return Same([&](Stores stores) {
        return Show(stores.goals.SaveActions(saving, sub_goal, parts, kNever));
      });
    }
    const std::string action = *rc::gen::elementOf(actions_);
    const auto parts = WithIds(*ParseTasks(generation::testing::TasksAnswer()));
    Same([&](Stores stores) {
      return Show(stores.goals.SaveTasks(saving, action, parts, kNever));
    });
    CheckTarget({TargetKind::kAction, action});
  }

  void List() {
    HistoryQuery query{.page = *rc::gen::inRange(1, 4),
                       .page_size = *rc::gen::inRange(1, 4)};
    if (*rc::gen::arbitrary<bool>()) query.type = ProcessType::kActions;
    if (*rc::gen::arbitrary<bool>()) query.status = ProcessStatus::kPending;
    if (*rc::gen::arbitrary<bool>()) query.start = now_ - absl::Minutes(1);
    if (*rc::gen::arbitrary<bool>()) query.end = now_ - absl::Seconds(5);
    const std::string user = AnyUser();
    Same([&](Stores stores) {
      return Show(stores.processes.List(user, query, kNever));
    });
  }

  void CleanUp() {
    const absl::Time before = now_ - absl::Seconds(*rc::gen::inRange(0, 100));
    const int limit = *rc::gen::inRange(1, 4);
    Same([&](Stores stores) {
      return Show(stores.processes.ListPending(before, limit, kNever));
    });
    if (*rc::gen::arbitrary<bool>()) {
      return Same([&](Stores stores) {
        return Show(stores.processes.RemoveCreatedBefore(before, kNever));
      });
    }
    Same([&](Stores stores) {
      return Show(stores.processes.CloseCreatedBefore(
          before, {.code = "C", .message = "m"}, now_, kNever));
    });
  }

  void CheckTarget(const Target& target) {
    Same([&](Stores stores) {
      return Show(stores.goals.GoalOf(target, kNever));
    });
    const std::string origin = AnyProcess().origin_id;
    for (const ProcessType type : kProcessTypes) {
      const bool fits = type == ProcessType::kTasks ||
                        (target.kind == TargetKind::kGoal) ||
                        (target.kind == TargetKind::kSubGoal &&
                         type == ProcessType::kActions);
      if (!fits) continue;
      Same([&](Stores stores) {
        return Show(stores.goals.Items(type, target, origin, kNever));
      });
    }
    if (target.kind == TargetKind::kGoal) {
      Same([&](Stores stores) {
        return Show(stores.goals.SubGoalsOf(target.id, kNever));
      });
    }
    if (target.kind != TargetKind::kAction) {
      Same([&](Stores stores) {
        return Show(stores.goals.ActionsOf(target, kNever));
      });
    }
    Same([&](Stores stores) {
      return Show(stores.goals.TasksOf(target, kNever));
    });
  }

  MemoryStore memory_;
  SqlProcessStore sql_processes_;
  SqlGoalStore sql_goals_;
  std::function<std::string()> ids_ = CountingIds();
  absl::Time now_ = StartOfTests();
  // As they were inserted; some may have been removed since.
  std::vector<Process> processes_;
  std::vector<std::string> sub_goals_;
  std::vector<std::string> actions_;
};

class StoreProperty : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { database_ = new PostgresDatabase; }
  static void TearDownTestSuite() { delete std::exchange(database_, nullptr); }

  static inline PostgresDatabase* database_ = nullptr;
};

// **Feature: async-generation, Property 1: For any history of calls, the store in PostgreSQL answers as the model of it in memory does**
TEST_F(StoreProperty, PostgresqlAnswersAsTheModelDoes) {
  CheckProperty([] {
    Comparison comparison(*database_);
    for (int i = *rc::gen::inRange(1, 25); i > 0; --i) comparison.Step();
    comparison.CheckEverything();
  });
}

TEST_F(StoreProperty, MigratingAgainChangesNothing) {
  time::RealClock clock;
  Migrator migrator(database_->sql(), clock);
  const absl::StatusOr<Migrator::Report> report =
      migrator.Run(MigrationFiles(), kNever);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->version, 3);
  EXPECT_EQ(report->applied, 0);
}

TEST_F(StoreProperty, AMigrationThatFailsLeavesNothingBehind) {
  time::RealClock clock;
  std::vector<MigrationFile> files = MigrationFiles();
  files.push_back({.name = "0003_broken.sql",
                   .sql = "CREATE TABLE left_behind (n int); SELECT wrong;"});
  const absl::Status status =
      Migrator(database_->sql(), clock).Run(files, kNever).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  const auto tables = database_->sql().Run(
      {.sql = "SELECT 1 FROM pg_tables WHERE tablename = 'left_behind'"},
      kNever);
  ASSERT_TRUE(tables.ok()) << tables.status();
  EXPECT_TRUE(tables->records.empty());
}

}  // namespace
}  // namespace byoshin::properties
