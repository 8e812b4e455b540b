#include "local/appsync/resolve/operations.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/resolve/operations_fixture.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::appsync {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST_F(OperationsTest, CodeThatTakesLongDoesNotKeepTheThread) {
  Execute("{ slow }");
  EXPECT_THAT(outcomes_, SizeIs(0));
  EXPECT_THAT(long_, SizeIs(1));
  Execute("{ quick }");
  EXPECT_THAT(outcomes_, ElementsAre(R"({"data":{"quick":"quick"}})"));
  DoAll(long_);
  EXPECT_THAT(outcomes_, ElementsAre(R"({"data":{"quick":"quick"}})",
                                     R"({"data":{"slow":"slow 1048576"}})"));
}

TEST_F(OperationsTest, ManyQuickResolversOfARequestDoNotKeepTheThreadEither) {
  world_.quick_code_time = absl::ZeroDuration();
  Execute("{ a: quick b: quick }");
  EXPECT_THAT(outcomes_, SizeIs(0));
  EXPECT_FALSE(long_.empty());
  DoAll(long_);
  EXPECT_THAT(outcomes_, ElementsAre(R"({"data":{"a":"quick","b":"quick"}})"));
}

TEST_F(OperationsTest, TheCodeOfARequestHasALimitAltogether) {
  world_.max_code_time = absl::ZeroDuration();
  Execute("{ quick }");
  ASSERT_THAT(outcomes_, SizeIs(1));
  EXPECT_THAT(outcomes_[0], HasSubstr("ExecutionTimeout"));
  EXPECT_THAT(outcomes_[0], HasSubstr("Execution timed out."));
}

TEST_F(OperationsTest, CodeOfARequestWhoseTimeIsOverDoesNotRun) {
  Execute("{ things { slow } }");
  EXPECT_THAT(long_, SizeIs(3));
  DoOne(long_);
  // While the other two wait for a thread.
  clock_.AdvanceBy(kRequestTimeout);
  DoAll(long_);
  ASSERT_THAT(outcomes_, SizeIs(1));
  EXPECT_THAT(outcomes_[0],
              HasSubstr(R"("things":[{"slow":"slow 1048576"},{"slow":null})"));
}

TEST_F(OperationsTest, WhatWasCompiledForADeletedApiIsDropped) {
  const Compiled compiled = Compile();
  const std::shared_ptr<ApiState> deleted = std::exchange(state_, nullptr);
  EXPECT_FALSE(compiled.schema.expired());
  EXPECT_FALSE(compiled.script.expired());
  operations_.Forget(*deleted, nullptr);
  EXPECT_TRUE(compiled.schema.expired());
  EXPECT_TRUE(compiled.script.expired());
}

TEST_F(OperationsTest, AReplacedSchemaIsDroppedWithItsDocumentsAlone) {
  const Compiled compiled = Compile();
  const std::shared_ptr<ApiState> before = state_;
  state_ = std::make_shared<ApiState>(*before);
  state_->schema = std::make_shared<const std::string>(kSchema);
  ++state_->version;
  operations_.Forget(*before, state_.get());
  EXPECT_TRUE(compiled.schema.expired());
  EXPECT_FALSE(compiled.script.expired());
  Execute("{ quick }");
  EXPECT_THAT(outcomes_, ElementsAre(R"({"data":{"quick":"quick"}})",
                                     R"({"data":{"quick":"quick"}})"));
}

TEST_F(OperationsTest, CodeThatIsReplacedIsDropped) {
  const Compiled compiled = Compile();
  const std::shared_ptr<ApiState> before = state_;
  state_ = std::make_shared<ApiState>(*before);
  for (const char* type : {"Query", "Thing"}) AddUnit(type, "quick", kThings);
  ++state_->version;
  operations_.Forget(*before, state_.get());
  EXPECT_FALSE(compiled.schema.expired());
  // The last use of the code is replaced, too.
  Execute("{ slow }");
  EXPECT_TRUE(compiled.script.expired());
}

TEST_F(OperationsTest, ARequestThatIsLateDoesNotKeepADeletedApi) {
  const std::shared_ptr<ApiState> deleted = std::exchange(state_, nullptr);
  operations_.Forget(*deleted, nullptr);
  std::weak_ptr<const graphql::Schema> schema;
  {
    const auto prepared = operations_.Prepare(deleted, {.query = "{ quick }"});
    schema = std::get<PreparedOperation>(prepared).api->schema;
    EXPECT_FALSE(schema.expired());
  }
  EXPECT_TRUE(schema.expired());
}

TEST_F(OperationsTest, TheResolversOfASelectionSetRunAtTheSameTime) {
  Execute("{ a: call b: call things { id } c: call }");
  // None has been answered yet.
  EXPECT_THAT(function_.payloads,
              ElementsAre("\"called\"", "\"called\"", "\"called\""));
  EXPECT_THAT(outcomes_, SizeIs(0));
  function_.AnswerAll();
  DoAll(soon_);
  ASSERT_THAT(outcomes_, SizeIs(1));
  EXPECT_THAT(outcomes_[0], HasSubstr(R"("a":"called","b":"called")"));
}

TEST_F(OperationsTest, EveryFunctionOfAPipelineIsCalledForAllValuesAtOnce) {
  Execute("{ things { batched } }");
  EXPECT_THAT(function_.payloads,
              ElementsAre(R"(["first 1","first 2","first 3"])"));
  function_.AnswerAll();
  DoAll(soon_);
  EXPECT_THAT(
      function_.payloads,
      ElementsAre(R"(["first 1","first 2","first 3"])",
                  R"(["after first 1","after first 2","after first 3"])"));
  function_.AnswerAll();
  DoAll(soon_);
  EXPECT_THAT(outcomes_,
              ElementsAre(R"({"data":{"things":[{"batched":"after first 1"},)"
                          R"({"batched":"after first 2"},)"
                          R"({"batched":"after first 3"}]}})"));
}

TEST_F(OperationsTest, ABatchWithoutAWaitHasNoResults) {
  Execute("{ things { told } }");
  using Mode = lambda::FunctionInvoker::Mode;
  EXPECT_THAT(function_.payloads, ElementsAre(R"(["2"])", R"(["1","3"])"));
  EXPECT_THAT(function_.modes,
              ElementsAre(Mode::kRequestResponse, Mode::kEvent));
  function_.AnswerAll([](const std::string& payload) {
    return payload == R"(["2"])" ? payload : "null";
  });
  DoAll(soon_);
  EXPECT_THAT(outcomes_,
              ElementsAre(R"({"data":{"things":[{"told":null},{"told":"2"},)"
                          R"({"told":null}]}})"));
}

}  // namespace
}  // namespace byoshin::local::appsync
