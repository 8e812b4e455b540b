#include "local/appsync/realtime/connection.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/gate.h"
#include "core/http/server_message.h"
#include "core/json/data.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/auth/authentication.h"
#include "local/appsync/model/api_key.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/model/resolver.h"
#include "local/appsync/realtime/frames.h"
#include "local/appsync/realtime/hub.h"
#include "local/appsync/realtime/limits.h"
#include "local/appsync/realtime/testing.h"
#include "local/appsync/resolve/operations.h"
#include "local/appsync/resolve/resolve_world.h"
#include "local/appsync/resolve/trace.h"
#include "local/appsync/script/runtime.h"
#include "local/appsync/sources/data_sources.h"
#include "local/appsync/sources/testing.h"
#include "local/gateway/credential_set.h"
#include "local/iam/evaluation.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::appsync {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kCheckedSchema[] = R"(
  type Note { group: String!, text: String }
  type Query { a: Int }
  type Mutation { say(group: String, text: String): Note }
  type Subscription {
    onSay(group: String): Note @aws_subscribe(mutations: ["say"])
    onChecked(group: String): Note @aws_subscribe(mutations: ["say"])
    onRequired(group: String): Note! @aws_subscribe(mutations: ["say"])
    onHeaders(group: String): Note @aws_subscribe(mutations: ["say"])
  })";
constexpr char kForward[] =
    "export function request(ctx) {"
    "  return {operation: 'Invoke', payload: ctx.args};"
    "}"
    "export function response(ctx) { return ctx.result; }";
constexpr char kForwardHeaders[] =
    "export function request(ctx) {"
    "  return {operation: 'Invoke', payload: ctx.request.headers};"
    "}"
    "export function response(ctx) { return ctx.result; }";

// Returns what the test says, when the test says so.
class WaitingFunction final : public lambda::FunctionInvoker {
 public:
  void InvokeForApi(Request request, Done done) override {
    payloads.push_back(std::move(request.payload));
    waiting.push_back(std::move(done));
  }
  // Answers the call that has waited longest.
  void Answer(std::string payload) {
    const Done done = std::move(waiting.front());
    waiting.erase(waiting.begin());
    done(Result{.payload = std::move(payload)});
  }

  std::vector<std::string> payloads;
  std::vector<Done> waiting;
};

class ConnectionTest : public ::testing::Test {
 protected:
  ConnectionTest() {
    GraphqlApi api{.id = "api", .region = "us-east-1"};
    api.providers.push_back({.type = AuthenticationType::kApiKey});
    api.log.level = FieldLogLevel::kError;
    state_->api = std::make_shared<const GraphqlApi>(std::move(api));
    state_->schema = std::make_shared<const std::string>(kCheckedSchema);
    state_->version = 1;
    state_->keys["da2-key"] = std::make_shared<const ApiKey>(
        ApiKey{.id = "da2-key", .expires = absl::InfiniteFuture()});
    state_->data_sources["function"] = std::make_shared<const DataSource>(
        DataSource{.name = "function",
                   .type = DataSource::Type::kLambda,
                   .function_arn = "arn:function"});
    AddResolver("onChecked", kForward);
    AddResolver("onHeaders", kForwardHeaders);
    http::ServerRequest credentials;
    credentials.headers = {{"x-api-key", "da2-key"}};
    connection_ = std::make_shared<Connection>(
        world_,
        Connection::Client{
            .api_id = "api",
            .endpoint_path = "/graphql",
            .credentials = credentials,
            .headers =
                json::Data::Parse(R"({"x-forwarded-for":"1.2.3.4"})").value()},
        hub_);
    connection_->Open(socket_);
    connection_->Receive(R"({"type":"connection_init"})");
    socket_->Take();
  }

  void AddResolver(const char* field, const char* code) {
    state_->resolvers[{"Subscription", field}] =
        std::make_shared<const Resolver>(Resolver{.type_name = "Subscription",
                                                  .field_name = field,
                                                  .data_source = "function",
                                                  .code = code});
  }

  void Start(absl::string_view id, absl::string_view field,
             absl::string_view group,
             absl::string_view headers = R"("x-api-key":"da2-key")") {
    connection_->Receive(absl::StrCat(
        R"({"id":")", id,
        R"(","type":"start","payload":{"data":"{\"query\":\"subscription { )",
        field, R"((group: \\\")", group,
        R"(\\\") { group text } }\"}","extensions":{"authorization":{)",
        headers, "}}}}"));
  }
  void Stop(absl::string_view id) {
    connection_->Receive(absl::StrCat(R"({"id":")", id, R"(","type":"stop"})"));
  }
  // Lets the function answer the oldest call, and the subscription go on.
  void Answer(std::string payload) {
    function_.Answer(std::move(payload));
    for (const std::function<void()>& work : std::exchange(soon_, {})) work();
  }
  void Say(absl::string_view group) {
    hub_->Publish({"onSay", "onChecked"},
                  json::Data::Parse(absl::StrCat(R"({"group":")", group,
                                                 R"(","text":"hello"})"))
                      .value());
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  CredentialSet credentials_;
  NoRoles roles_{clock_};
  WaitingFunction function_;
  DataSources sources_{{.roles = roles_.caller,
                        .functions = function_,
                        .signing_clock = clock_,
                        .new_client = nullptr}};
  script::Runtime runtime_;
  Traces traces_;
  std::vector<std::function<void()>> soon_;
  std::shared_ptr<async::Gate> gate_ = std::make_shared<async::Gate>();
  ResolveWorld resolve_world_{
      .runtime = runtime_,
      .sources = sources_,
      .clock = clock_,
      .traces = traces_,
      .is_allowed = [](const iam::AccessRequest&) { return true; },
      .post =
          [this](std::function<void()> work) {
            soon_.push_back(std::move(work));
          },
      .post_long = [](const std::function<void()>& work) { work(); },
      .gate = gate_,
      .quick_code_time = absl::InfiniteDuration(),
      .max_code_time = absl::InfiniteDuration()};
  std::shared_ptr<ApiState> state_ = std::make_shared<ApiState>();
  Operations operations_{resolve_world_,
                         {.account_id = kLocalAccountId,
                          .log_writer =
                              [this](const CompiledApi&) {
                                return [this](std::string line) {
                                  logged_.push_back(std::move(line));
                                };
                              },
                          .is_current = [](const ApiState&) { return true; }}};
  Authentication authentication_{{.credentials = credentials_,
                                  .signing_clock = clock_,
                                  .clock = clock_,
                                  .iam = roles_.iam,
                                  .tokens = nullptr,
                                  .functions = function_,
                                  .account_id = kLocalAccountId,
                                  .gate = gate_}};
  RealtimeWorld world_{.find_api = [this](absl::string_view) { return state_; },
                       .authentication = authentication_,
                       .operations = operations_,
                       .traces = traces_,
                       .clock = clock_,
                       .new_request_id = [] { return std::string("request"); },
                       .gate = gate_};
  std::vector<std::string> logged_;
  std::shared_ptr<Hub> hub_ = std::make_shared<Hub>();
  std::shared_ptr<RecordingSocket> socket_ =
      std::make_shared<RecordingSocket>();
  std::shared_ptr<Connection> connection_;
};

TEST_F(ConnectionTest, StartsWithoutAResolverAtOnce) {
  Start("1", "onSay", "g");
  EXPECT_THAT(socket_->Take(), ElementsAre(IdFrame("start_ack", "1")));
  Say("g");
  EXPECT_THAT(socket_->Take(), SizeIs(1));
  // Nothing to see.
  EXPECT_THAT(traces_.Newest("api", 10), IsEmpty());
}

TEST_F(ConnectionTest, AStartThatWasStoppedDoesNotTakeTheNextOnesPlace) {
  Start("1", "onChecked", "first");
  Stop("1");
  Start("1", "onChecked", "second");
  EXPECT_THAT(socket_->Take(), ElementsAre(IdFrame("complete", "1")));
  Answer("null");
  EXPECT_THAT(socket_->Take(), IsEmpty());
  Answer("null");
  EXPECT_THAT(socket_->Take(), ElementsAre(IdFrame("start_ack", "1")));
  EXPECT_EQ(hub_->size(), 1);
  Say("first");
  EXPECT_THAT(socket_->Take(), IsEmpty());
  Say("second");
  EXPECT_THAT(socket_->Take(), ElementsAre(HasSubstr("second")));
  Stop("1");
  EXPECT_EQ(hub_->size(), 0);
}

TEST_F(ConnectionTest, AFailureAfterAStopDoesNotEndTheNextOne) {
  Start("1", "onChecked", "first");
  Stop("1");
  Start("1", "onChecked", "second");
  socket_->Take();
  Answer("not JSON");
  EXPECT_THAT(socket_->Take(), IsEmpty());
  Answer("null");
  EXPECT_THAT(socket_->Take(), ElementsAre(IdFrame("start_ack", "1")));
}

TEST_F(ConnectionTest, StartsThatWereStoppedCountUntilTheyAreChecked) {
  for (std::size_t i = 0; i < kMaxSubscriptions; ++i) {
    Start("1", "onChecked", "g");
    Stop("1");
  }
  EXPECT_THAT(function_.waiting, SizeIs(kMaxSubscriptions));
  socket_->Take();
  Start("1", "onChecked", "g");
  EXPECT_THAT(socket_->Take(),
              ElementsAre(HasSubstr("MaxSubscriptionsReachedError")));
  EXPECT_THAT(function_.waiting, SizeIs(kMaxSubscriptions));
  Answer("null");
  Start("1", "onChecked", "g");
  EXPECT_THAT(socket_->Take(), IsEmpty());
  EXPECT_THAT(function_.waiting, SizeIs(kMaxSubscriptions));
}

TEST_F(ConnectionTest, AStartThatEndsAfterTheConnectionLeavesNothing) {
  Start("1", "onChecked", "g");
  connection_->Closed();
  Answer("null");
  EXPECT_EQ(hub_->size(), 0);
}

TEST_F(ConnectionTest, AValueWithoutWhatItsTypeRequiresIsAnError) {
  Start("1", "onChecked", "g");
  Answer(R"({"text":"no group"})");
  EXPECT_THAT(socket_->Take(), ElementsAre(HasSubstr("non-nullable")));
  EXPECT_EQ(hub_->size(), 0);
  Start("2", "onChecked", "g");
  Answer(R"({"group":"g"})");
  EXPECT_THAT(socket_->Take(), ElementsAre(IdFrame("start_ack", "2")));
}

TEST_F(ConnectionTest, NoValueYetIsNoErrorEvenIfTheTypeRequiresOne) {
  Start("1", "onRequired", "g");
  EXPECT_THAT(logged_, Each(Not(HasSubstr("non-nullable"))));
  EXPECT_THAT(logged_, Not(IsEmpty()));
  EXPECT_THAT(socket_->Take(), ElementsAre(IdFrame("start_ack", "1")));
}

TEST_F(ConnectionTest, ResolversGetTheHeadersOfTheStart) {
  Start("1", "onHeaders", "g",
        R"("x-api-key":"da2-key","Tenant":"t","X-Forwarded-For":"6.6.6.6")");
  ASSERT_THAT(function_.payloads, SizeIs(1));
  const json::Data headers = json::Data::Parse(function_.payloads[0]).value();
  EXPECT_EQ(
      headers.ToJson(),
      R"({"x-forwarded-for":"1.2.3.4","x-api-key":"da2-key","tenant":"t"})");
}

TEST_F(ConnectionTest, TheResolversOfAStartAreTraced) {
  Start("1", "onChecked", "g");
  Answer("null");
  const std::vector<Traces::Pointer> traces = traces_.Newest("api", 10);
  ASSERT_THAT(traces, SizeIs(1));
  EXPECT_EQ(traces[0]->kind, RequestTrace::Kind::kSubscription);
  ASSERT_THAT(traces[0]->resolvers, SizeIs(1));
  EXPECT_EQ(traces[0]->resolvers[0].field_name, "onChecked");
}

TEST(WithHeaders, TakesThoseOfTheCredentialsInLowerCase) {
  http::ServerRequest credentials;
  credentials.headers = {{"Host", "x"}, {"x-forwarded-for", "6.6.6.6"}};
  EXPECT_EQ(WithHeaders(json::Data::Parse(R"({"host":"h","a":"b"})").value(),
                        credentials)
                .ToJson(),
            R"({"host":"x","a":"b"})");
}

}  // namespace
}  // namespace byoshin::local::appsync
