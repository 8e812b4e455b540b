#include "local/appsync/resolve/request_log.h"

#include <string>
#include <utility>
#include <vector>

#include "core/json/data.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/resolve/operations_fixture.h"

namespace byoshin::local::appsync {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class RequestLogTest : public ::testing::Test {
 protected:
  RequestLog Log(LogConfig config) {
    return RequestLog({.config = std::move(config),
                       .api_id = "api",
                       .request_id = "id",
                       .write = [this](std::string line) {
                         lines_.push_back(std::move(line));
                       }});
  }
  static json::Data Parse(const std::string& text) {
    return json::Data::Parse(text).value_or(json::Data());
  }

  std::vector<std::string> lines_;
};

TEST_F(RequestLogTest, HidesWhatCallersProveThemselvesWith) {
  RequestLog log = Log({.level = FieldLogLevel::kAll});
  log.BeginRequest(
      Parse(R"({"x-api-key":"da2-secret","authorization":"Bearer token",)"
            R"("cookie":"a=\"biscuit\"","sec-websocket-protocol":)"
            R"("graphql-ws, header-c2VjcmV0","user-agent":"test"})"),
      "{ a }", "", json::Data());
  const json::Data path = Parse(R"(["a"])");
  const std::vector<std::string> logs = {
      "INFO - code.js:1:1: \"Bearer token\""};
  log.Evaluated({.path = path},
                {.name = "RequestFunctionEvaluation",
                 .function_name = "",
                 .context = R"({"headers":{"x-api-key":"da2-secret"}})",
                 .result = "{}",
                 .error = "",
                 .logs = logs});
  EXPECT_THAT(lines_, Contains(HasSubstr(R"("user-agent":"test")")));
  EXPECT_THAT(lines_, Contains(HasSubstr(R"("x-api-key":"****")")));
  EXPECT_THAT(lines_, Each(Not(HasSubstr("secret"))));
  EXPECT_THAT(lines_, Each(Not(HasSubstr("token\""))));
  EXPECT_THAT(lines_, Each(Not(HasSubstr("biscuit"))));
  EXPECT_THAT(lines_, Each(Not(HasSubstr("c2VjcmV0"))));
}

TEST_F(RequestLogTest, LeavesOutVerboseContentIfAsked) {
  RequestLog log =
      Log({.level = FieldLogLevel::kAll, .exclude_verbose_content = true});
  log.BeginRequest(Parse(R"({"user-agent":"test"})"), "{ a }", "",
                   json::Data());
  EXPECT_THAT(lines_, ElementsAre("id Begin Request"));
}

TEST_F(RequestLogTest, ErrorsHaveNoDataWithoutVerboseContent) {
  const json::Data errors = Parse(
      R"([{"path":["a"],"data":{"name":"Jane"},"errorInfo":{"key":"Jane"},)"
      R"("errorType":"T","message":"no"}])");
  Log({.level = FieldLogLevel::kError}).Failed(errors);
  EXPECT_THAT(lines_, ElementsAre(HasSubstr(R"("data":{"name":"Jane"})")));
  lines_.clear();
  Log({.level = FieldLogLevel::kError, .exclude_verbose_content = true})
      .Failed(errors);
  EXPECT_THAT(lines_,
              ElementsAre(AllOf(HasSubstr(R"("path":["a"])"),
                                HasSubstr(R"("errorType":"T","message":"no")"),
                                Not(HasSubstr("Jane")))));
}

TEST_F(RequestLogTest, SaysNothingWithoutALog) {
  RequestLog log({.config = {.level = FieldLogLevel::kAll}});
  log.BeginRequest(Parse("{}"), "{ a }", "", json::Data());
  EXPECT_THAT(lines_, IsEmpty());
}

using FieldLogTest = OperationsTest;

TEST_F(FieldLogTest, NoFieldsAreLoggedAtLevelNone) {
  const std::vector<std::string> lines = LoggedAt(FieldLogLevel::kNone);
  EXPECT_THAT(lines, Contains(HasSubstr("Begin Request")));
  EXPECT_THAT(lines, Contains(HasSubstr("RequestSummary")));
  for (const char* text : {"said", "cried", "raised", "broken", "Unauthorized",
                           "serialize", "Evaluation", "Tracing"}) {
    EXPECT_THAT(lines, Each(Not(HasSubstr(text)))) << text;
  }
}

TEST_F(FieldLogTest, ErrorsOfAllKindsAreLoggedAtLevelError) {
  const std::vector<std::string> lines = LoggedAt(FieldLogLevel::kError);
  EXPECT_THAT(lines, Contains(HasSubstr("cried")));
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("RequestFunctionEvaluation"),
                                    HasSubstr(R"("fieldInError":true)"),
                                    HasSubstr("raised"))));
  for (const char* text : {"raised", "broken", "Unauthorized", "serialize"}) {
    EXPECT_THAT(lines, Contains(AllOf(HasSubstr(R"("logType":"Error")"),
                                      HasSubstr(text))))
        << text;
  }
  for (const char* text : {"said", R"("fieldInError":false)", "Tracing"}) {
    EXPECT_THAT(lines, Each(Not(HasSubstr(text)))) << text;
  }
}

TEST_F(FieldLogTest, InfoAndDebugAddTheLinesOfTheCode) {
  for (const FieldLogLevel level :
       {FieldLogLevel::kInfo, FieldLogLevel::kDebug}) {
    const std::vector<std::string> lines = LoggedAt(level);
    for (const char* text : {"said", "cried", "raised", "broken"}) {
      EXPECT_THAT(lines, Contains(HasSubstr(text))) << text;
    }
    for (const char* text : {R"("fieldInError":false)", "Tracing"}) {
      EXPECT_THAT(lines, Each(Not(HasSubstr(text)))) << text;
    }
  }
}

TEST_F(FieldLogTest, EverythingIsLoggedAtLevelAll) {
  const std::vector<std::string> lines = LoggedAt(FieldLogLevel::kAll);
  for (const char* text :
       {"said", "cried", "raised", "broken", "Unauthorized", "serialize",
        R"("fieldInError":false)", "ResponseFunctionEvaluation", "Tracing"}) {
    EXPECT_THAT(lines, Contains(HasSubstr(text))) << text;
  }
}

}  // namespace
}  // namespace byoshin::local::appsync
