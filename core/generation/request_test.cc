#include "core/generation/request.h"

#include <json/json.h>

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/api_error.h"
#include "core/generation/constants.h"
#include "core/generation/process.h"
#include "core/generation/testing/fixture.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

using ::testing::ElementsAre;
using testing::kGoalId;
using testing::StartOfTests;
using testing::SubGoalRequest;

// A text of so many characters.
std::string Characters(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "あ";
  return text;
}

// The valid request with another value of a parameter; null removes it.
std::string RequestWith(const char* name, const Json::Value& value) {
  Json::Value request = json::ParseValue(SubGoalRequest()).value();
  if (value.isNull()) {
    request["params"].removeMember(name);
  } else {
    request["params"][name] = value;
  }
  return json::WriteValue(request);
}

absl::StatusOr<GenerateRequest> Parse(absl::string_view body) {
  return ParseGenerateRequest(body, StartOfTests());
}

std::vector<std::string> InvalidFields(const absl::Status& status) {
  std::vector<std::string> fields;
  for (const FieldError& detail : ApiErrorOf(status).details) {
    fields.push_back(detail.field);
    EXPECT_FALSE(detail.message.japanese.empty());
    EXPECT_FALSE(detail.message.english.empty());
  }
  return fields;
}

void ExpectInvalid(absl::string_view body, absl::string_view field,
                   ErrorCode code = ErrorCode::kValidationError) {
  const absl::Status status = Parse(body).status();
  ASSERT_FALSE(status.ok()) << body.substr(0, 200);
  EXPECT_EQ(NameOf(ApiErrorOf(status).code), NameOf(code));
  EXPECT_THAT(InvalidFields(status), ElementsAre(field));
}

TEST(GenerateRequest, KeepsWhatTheGoalNeeds) {
  const absl::StatusOr<GenerateRequest> request =
      Parse(RequestWith("unknown", "x"));
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(request->type, ProcessType::kSubGoals);
  EXPECT_EQ(request->target, (Target{TargetKind::kGoal, kGoalId}));
  const Json::Value params = json::ParseValue(request->params).value();
  EXPECT_EQ(params["title"].asString(), "英語を話す");
  EXPECT_FALSE(params.isMember("unknown"));
  EXPECT_FALSE(params.isMember("constraints"));
  EXPECT_EQ(TargetOf(request->params).value(), request->target);
}

TEST(GenerateRequest, CountsCharactersAtTheLimits) {
  const struct {
    const char* name;
    std::size_t max;
  } kLimits[] = {{"title", 200},
                 {"description", 2000},
                 {"background", 1000},
                 {"constraints", 1000}};
  for (const auto& limit : kLimits) {
    EXPECT_TRUE(Parse(RequestWith(limit.name, Characters(limit.max))).ok())
        << limit.name;
    ExpectInvalid(RequestWith(limit.name, Characters(limit.max + 1)),
                  absl::StrCat("params.", limit.name));
  }
}

TEST(GenerateRequest, RequiresEveryFieldButConstraints) {
  for (const char* name :
       {"goalId", "title", "description", "deadline", "background"}) {
    ExpectInvalid(RequestWith(name, Json::Value()),
                  absl::StrCat("params.", name));
  }
  for (const char* name : {"title", "description", "background"}) {
    ExpectInvalid(RequestWith(name, "　 "), absl::StrCat("params.", name));
    ExpectInvalid(RequestWith(name, 5), absl::StrCat("params.", name));
    ExpectInvalid(RequestWith(name, std::string("a\0b", 3)),
                  absl::StrCat("params.", name));
  }
  EXPECT_TRUE(Parse(RequestWith("constraints", "")).ok());
}

TEST(GenerateRequest, WantsADeadlineInTheFuture) {
  EXPECT_TRUE(Parse(RequestWith("deadline", "2025-10-10T10:00:01Z")).ok());
  EXPECT_TRUE(Parse(RequestWith("deadline", "2025-10-10")).ok());
  for (const char* text : {"2025-10-10T10:00:00Z", "2025-10-09", "soon", ""}) {
    ExpectInvalid(RequestWith("deadline", text), "params.deadline");
  }
}

TEST(GenerateRequest, ReportsAllInvalidFieldsAtOnce) {
  const absl::Status status =
      Parse(R"({"type":"SUBGOAL_GENERATION","params":{"goalId":"x"}})")
          .status();
  EXPECT_EQ(ApiErrorOf(status).code, ErrorCode::kValidationError);
  EXPECT_THAT(InvalidFields(status),
              ElementsAre("params.goalId", "params.title", "params.description",
                          "params.deadline", "params.background"));
}

TEST(GenerateRequest, TellsAnInvalidUuidFromOtherErrors) {
  ExpectInvalid(RequestWith("goalId", "x"), "params.goalId",
                ErrorCode::kInvalidUuid);
  ExpectInvalid(RequestWith("goalId", 1), "params.goalId",
                ErrorCode::kInvalidUuid);
}

TEST(GenerateRequest, RefusesAnUnknownType) {
  for (const char* body :
       {R"({"params":{}})", R"({"type":"X","params":{}})", R"({"type":1})"}) {
    ExpectInvalid(body, "type", ErrorCode::kInvalidProcessType);
  }
}

TEST(GenerateRequest, RefusesWhatIsNotAnObject) {
  for (const char* body : {"", "[]", "null", "{", "\"x\""}) {
    ExpectInvalid(body, "body");
  }
  ExpectInvalid(std::string(kMaxRequestBytes + 1, ' '), "body");
  ExpectInvalid(R"({"type":"TASK_GENERATION","params":[]})", "params");
}

TEST(GenerateRequest, TakesAGoalOrOneOfItsParts) {
  const auto request = [](const char* type, absl::string_view params) {
    return Parse(
        absl::StrCat(R"({"type":")", type, R"(","params":{)", params, "}}"));
  };
  const std::string goal = absl::StrCat(R"("goalId":")", kGoalId, "\"");
  const std::string sub_goal = absl::StrCat(R"("subGoalId":")", kGoalId, "\"");
  const std::string action = absl::StrCat(R"("actionId":")", kGoalId, "\"");
  EXPECT_EQ(request("ACTION_GENERATION", goal)->target.kind, TargetKind::kGoal);
  EXPECT_EQ(request("ACTION_GENERATION", sub_goal)->target.kind,
            TargetKind::kSubGoal);
  EXPECT_EQ(request("TASK_GENERATION", action)->target.kind,
            TargetKind::kAction);
  for (const std::string& params :
       {std::string(), action, absl::StrCat(goal, ",", sub_goal)}) {
    EXPECT_THAT(InvalidFields(request("ACTION_GENERATION", params).status()),
                ElementsAre("params.goalId"))
        << params;
  }
}

TEST(ParseProcessId, WantsAUuid) {
  EXPECT_EQ(ParseProcessId(kGoalId).value(), kGoalId);
  EXPECT_EQ(ApiErrorOf(ParseProcessId("1").status()).code,
            ErrorCode::kInvalidUuid);
}

TEST(TargetOf, IsDataLossWithoutATarget) {
  EXPECT_TRUE(absl::IsDataLoss(TargetOf("{}").status()));
  EXPECT_TRUE(absl::IsDataLoss(TargetOf("x").status()));
}

TEST(HistoryQuery, HasDefaults) {
  const absl::StatusOr<HistoryQuery> query =
      ParseHistoryQuery({{"type", ""}, {"unknown", "x"}});
  ASSERT_TRUE(query.ok()) << query.status();
  EXPECT_EQ(query->page, 1);
  EXPECT_EQ(query->page_size, 20);
  EXPECT_FALSE(query->type.has_value());
}

TEST(HistoryQuery, ReadsFiltersWithInclusiveDates) {
  const absl::StatusOr<HistoryQuery> query =
      ParseHistoryQuery({{"page", "3"},
                         {"pageSize", "100"},
                         {"type", "TASK_GENERATION"},
                         {"status", "FAILED"},
                         {"startDate", "2025-10-10"},
                         {"endDate", "2025-10-10"}});
  ASSERT_TRUE(query.ok()) << query.status();
  EXPECT_EQ(query->page, 3);
  EXPECT_EQ(query->page_size, 100);
  EXPECT_EQ(query->type, ProcessType::kTasks);
  EXPECT_EQ(query->status, ProcessStatus::kFailed);
  EXPECT_EQ(*query->end - *query->start, absl::Hours(24));
}

TEST(HistoryQuery, RefusesInvalidParameters) {
  const struct {
    const char* name;
    const char* value;
  } kInvalid[] = {{"page", "0"},
                  {"page", "-1"},
                  {"page", "x"},
                  {"page", " 1"},
                  {"pageSize", "101"},
                  {"pageSize", "0"},
                  {"type", "X"},
                  {"status", "done"},
                  {"startDate", "now"},
                  {"endDate", "2025-13-01"},
                  {"page", "99999999999999999999"}};
  for (const auto& invalid : kInvalid) {
    const absl::Status status =
        ParseHistoryQuery({{invalid.name, invalid.value}}).status();
    EXPECT_EQ(ApiErrorOf(status).code, ErrorCode::kValidationError);
    EXPECT_THAT(InvalidFields(status), ElementsAre(invalid.name))
        << invalid.value;
  }
  EXPECT_THAT(InvalidFields(ParseHistoryQuery({{"startDate", "2025-10-11"},
                                               {"endDate", "2025-10-10"}})
                                .status()),
              ElementsAre("endDate"));
}

}  // namespace
}  // namespace byoshin::generation
