#include "local/appsync/resolve/operations.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/gate.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/model/resolver.h"
#include "local/appsync/resolve/request_execution.h"
#include "local/appsync/resolve/resolve_world.h"
#include "local/appsync/resolve/trace.h"
#include "local/appsync/script/runtime.h"
#include "local/appsync/sources/data_sources.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/iam/evaluation.h"
#include "local/iam/iam.h"
#include "local/iam/role_caller.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::appsync {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Work = std::function<void()>;

// Returns what it is given, when the test says so.
class EchoFunction final : public lambda::FunctionInvoker {
 public:
  void InvokeForApi(Request request, Done done) override {
    payloads.push_back(request.payload);
    waiting.emplace_back(std::move(request.payload), std::move(done));
  }
  void AnswerAll() {
    for (auto& [payload, done] : std::exchange(waiting, {})) {
      done(Result{.payload = payload});
    }
  }

  std::vector<std::string> payloads;
  std::vector<std::pair<std::string, Done>> waiting;
};

constexpr char kSchema[] = R"(
  type Thing { id: ID, slow: String, quick: String, batched: String }
  type Query { slow: String, quick: String, things: [Thing] })";

constexpr char kQuick[] =
    "export function request() { return {payload: 'quick'}; }"
    "export function response(ctx) { return ctx.result; }";
// More steps than the quick limits allow, fewer than an evaluation may take.
constexpr char kSlow[] =
    "export function request() {"
    "  let list = [1]; let sum = 0;"
    "  for (const i of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {"
    "    list = [...list, ...list];"
    "  }"
    "  for (const i of list) { for (const j of list) { sum += j; } }"
    "  return {payload: 'slow ' + sum};"
    "}"
    "export function response(ctx) { return ctx.result; }";
constexpr char kThings[] =
    "export function request() {"
    "  return {payload: [{id: '1'}, {id: '2'}, {id: '3'}]};"
    "}"
    "export function response(ctx) { return ctx.result; }";
constexpr char kPipeline[] =
    "export function request() { return null; }"
    "export function response(ctx) { return ctx.prev.result; }";
constexpr char kFirst[] =
    "export function request(ctx) {"
    "  return {operation: 'BatchInvoke', payload: 'first ' + ctx.source.id};"
    "}"
    "export function response(ctx) { return ctx.result; }";
constexpr char kSecond[] =
    "export function request(ctx) {"
    "  return {operation: 'BatchInvoke', payload: 'after ' + ctx.prev.result};"
    "}"
    "export function response(ctx) { return ctx.result; }";

// Steps decide what takes long, not the machine's speed.
script::RuntimeOptions CountedOptions() {
  script::RuntimeOptions options;
  options.limits.cpu_time = absl::InfiniteDuration();
  options.quick_limits.cpu_time = absl::InfiniteDuration();
  return options;
}

// What the API's last state compiled to.
struct Compiled {
  std::weak_ptr<const graphql::Schema> schema;
  std::weak_ptr<const script::Script> script;
};

class OperationsTest : public ::testing::Test {
 protected:
  OperationsTest() {
    GraphqlApi api{.id = "api", .region = "us-east-1"};
    api.providers.push_back({.type = AuthenticationType::kApiKey});
    state_->api = std::make_shared<const GraphqlApi>(std::move(api));
    state_->schema = std::make_shared<const std::string>(kSchema);
    state_->version = 1;
    AddSource({.name = "none", .type = DataSource::Type::kNone});
    AddSource({.name = "function",
               .type = DataSource::Type::kLambda,
               .function_arn = "arn:function"});
    for (const char* type : {"Query", "Thing"}) {
      AddUnit(type, "slow", kSlow);
      AddUnit(type, "quick", kQuick);
    }
    AddUnit("Query", "things", kThings);
    AddFunction({.id = "first", .data_source = "function", .code = kFirst});
    AddFunction({.id = "second", .data_source = "function", .code = kSecond});
    AddResolver({.type_name = "Thing",
                 .field_name = "batched",
                 .kind = Resolver::Kind::kPipeline,
                 .functions = {"first", "second"},
                 .code = kPipeline});
  }

  void AddSource(DataSource source) {
    const std::string name = source.name;
    state_->data_sources[name] =
        std::make_shared<const DataSource>(std::move(source));
  }
  void AddFunction(Function function) {
    const std::string id = function.id;
    state_->functions[id] =
        std::make_shared<const Function>(std::move(function));
  }
  void AddResolver(Resolver resolver) {
    const std::pair name(resolver.type_name, resolver.field_name);
    state_->resolvers[name] =
        std::make_shared<const Resolver>(std::move(resolver));
  }
  void AddUnit(const char* type, const char* field, const char* code) {
    AddResolver({.type_name = type,
                 .field_name = field,
                 .data_source = "none",
                 .code = code});
  }

  // Its outcome as JSON is added to outcomes_.
  void Execute(const std::string& query) {
    std::variant<PreparedOperation, RequestRefusal> prepared =
        operations_.Prepare(state_, {.query = query});
    ASSERT_TRUE(std::holds_alternative<PreparedOperation>(prepared));
    operations_.Execute(std::get<PreparedOperation>(prepared), caller_, {},
                        [this](const RequestOutcome& outcome) {
                          outcomes_.push_back(outcome.result.ToJson());
                        });
  }

  // Runs a query, so that the API is compiled.
  Compiled Compile() {
    Execute("{ quick }");
    const auto prepared = operations_.Prepare(state_, {.query = "{ quick }"});
    return {.schema = std::get<PreparedOperation>(prepared).api->schema,
            .script = runtime_.Load(kQuick).script};
  }

  static void DoOne(std::deque<Work>& queue) {
    const Work work = std::move(queue.front());
    queue.pop_front();
    work();
  }
  static void DoAll(std::deque<Work>& queue) {
    while (!queue.empty()) DoOne(queue);
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  iam::Iam iam_{clock_, {}};
  iam::Authority authority_{iam_, [](const std::string&) {}};
  iam::RoleCaller roles_{
      {.iam = iam_,
       .authority = authority_,
       .clock = clock_,
       .account_id = "123456789012",
       .actor = "AppSync",
       .principal = "appsync.amazonaws.com",
       .find_service = [](absl::string_view) -> Service* { return nullptr; },
       .endpoint = [] { return std::string(); }}};
  EchoFunction function_;
  DataSources sources_{
      {.roles = roles_, .functions = function_, .new_client = nullptr}};
  script::Runtime runtime_{CountedOptions()};
  Traces traces_;
  std::deque<Work> soon_;
  std::deque<Work> long_;
  ResolveWorld world_{
      .runtime = runtime_,
      .sources = sources_,
      .clock = clock_,
      .traces = traces_,
      .is_allowed = [](const iam::AccessRequest&) { return true; },
      .post = [this](Work work) { soon_.push_back(std::move(work)); },
      .post_long = [this](Work work) { long_.push_back(std::move(work)); },
      .gate = std::make_shared<async::Gate>(),
      .quick_code_time = absl::InfiniteDuration(),
      .max_code_time = absl::InfiniteDuration()};
  std::shared_ptr<ApiState> state_ = std::make_shared<ApiState>();
  Operations operations_{
      world_,
      {.account_id = "123456789012",
       .log_writer = [](const CompiledApi&) { return nullptr; },
       .is_current =
           [this](const ApiState& state) { return &state == state_.get(); }}};
  std::shared_ptr<const ApiCaller> caller_ =
      std::make_shared<const ApiCaller>();
  std::vector<std::string> outcomes_;
};

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

}  // namespace
}  // namespace byoshin::local::appsync
