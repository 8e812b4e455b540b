// An API with resolvers of many kinds, for tests of operations. Its threads are
// queues, whose work is done when the test says so.
#ifndef BYOSHIN_LOCAL_APPSYNC_RESOLVE_OPERATIONS_FIXTURE_H_
#define BYOSHIN_LOCAL_APPSYNC_RESOLVE_OPERATIONS_FIXTURE_H_

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/gate.h"
#include "core/http/client.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/model/resolver.h"
#include "local/appsync/resolve/operations.h"
#include "local/appsync/resolve/request_effects.h"
#include "local/appsync/resolve/request_execution.h"
#include "local/appsync/resolve/resolve_world.h"
#include "local/appsync/resolve/trace.h"
#include "local/appsync/script/runtime.h"
#include "local/appsync/sources/data_sources.h"
#include "local/appsync/sources/testing.h"
#include "local/iam/evaluation.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::appsync {
// Returns what it is given, when the test says so.
class EchoFunction final : public lambda::FunctionInvoker {
 public:
  void InvokeForApi(Request request, Done done) override {
    payloads.push_back(request.payload);
    modes.push_back(request.mode);
    waiting.emplace_back(std::move(request.payload), std::move(done));
  }
  void AnswerAll(const std::function<std::string(const std::string&)>& answer =
                     [](const std::string& payload) { return payload; }) {
    for (auto& [payload, done] : std::exchange(waiting, {})) {
      done(Result{.payload = answer(payload)});
    }
  }
  void FailAll() {
    for (auto& [payload, done] : std::exchange(waiting, {})) {
      done(Result{.payload = R"({"errorMessage":"broken"})", .failed = true});
    }
  }

  std::vector<std::string> payloads;
  std::vector<Mode> modes;
  std::vector<std::pair<std::string, Done>> waiting;
};

inline constexpr char kSchema[] = R"(
  type Thing {
    id: ID, slow: String, quick: String, batched: String, told: String
  }
  type Query {
    slow: String, quick: String, things: [Thing], call: String, direct: String
    header(name: String, value: String): String
    invalidate(payload: Int): String
    log: String, number: Int, raise: String, secret: String @aws_iam
  })";

inline constexpr char kQuick[] =
    "export function request() { return {payload: 'quick'}; }"
    "export function response(ctx) { return ctx.result; }";
// More steps than the quick limits allow, fewer than an evaluation may take.
inline constexpr char kSlow[] =
    "export function request() {"
    "  let list = [1]; let sum = 0;"
    "  for (const i of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {"
    "    list = [...list, ...list];"
    "  }"
    "  for (const i of list) { for (const j of list) { sum += j; } }"
    "  return {payload: 'slow ' + sum};"
    "}"
    "export function response(ctx) { return ctx.result; }";
inline constexpr char kThings[] =
    "export function request() {"
    "  return {payload: [{id: '1'}, {id: '2'}, {id: '3'}]};"
    "}"
    "export function response(ctx) { return ctx.result; }";
inline constexpr char kCall[] =
    "export function request(ctx) {"
    "  return {operation: 'Invoke', payload: 'called'};"
    "}"
    "export function response(ctx) { return ctx.result; }";
// Without a wait, except for the second.
inline constexpr char kTold[] =
    "export function request(ctx) {"
    "  const {id} = ctx.source;"
    "  const invocationType = id === '2' ? 'RequestResponse' : 'Event';"
    "  return {operation: 'BatchInvoke', invocationType, payload: id};"
    "}"
    "export function response(ctx) { return ctx.result; }";
inline constexpr char kHeader[] =
    "import { util } from '@aws-appsync/utils';"
    "export function request(ctx) {"
    "  util.http.addResponseHeader(ctx.args.name, ctx.args.value);"
    "  return {payload: 'done'};"
    "}"
    "export function response(ctx) { return ctx.result; }";
inline constexpr char kInvalidate[] =
    "import { extensions } from '@aws-appsync/utils';"
    "export function request(ctx) {"
    "  extensions.invalidateSubscriptions("
    "      {subscriptionField: 'a', payload: ctx.args});"
    "  return {payload: 'done'};"
    "}"
    "export function response(ctx) { return ctx.result; }";
inline constexpr char kLog[] =
    "export function request() {"
    "  console.log('said'); console.error('cried');"
    "  return {payload: 'logged'};"
    "}"
    "export function response(ctx) { return ctx.result; }";
inline constexpr char kRaise[] =
    "import { util } from '@aws-appsync/utils';"
    "export function request() { util.error('raised'); }"
    "export function response(ctx) { return ctx.result; }";
inline constexpr char kPipeline[] =
    "export function request() { return null; }"
    "export function response(ctx) { return ctx.prev.result; }";
inline constexpr char kFirst[] =
    "export function request(ctx) {"
    "  return {operation: 'BatchInvoke', payload: 'first ' + ctx.source.id};"
    "}"
    "export function response(ctx) { return ctx.result; }";
inline constexpr char kSecond[] =
    "export function request(ctx) {"
    "  return {operation: 'BatchInvoke', payload: 'after ' + ctx.prev.result};"
    "}"
    "export function response(ctx) { return ctx.result; }";

// Steps decide what takes long, not the machine's speed.
inline script::RuntimeOptions CountedOptions() {
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

using Work = std::function<void()>;

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
    AddUnit("Query", "header", kHeader);
    AddUnit("Query", "invalidate", kInvalidate);
    AddUnit("Query", "log", kLog);
    AddUnit("Query", "number", kQuick);
    AddUnit("Query", "raise", kRaise);
    AddUnit("Query", "secret", kQuick);
    AddResolver({.type_name = "Query",
                 .field_name = "direct",
                 .data_source = "function"});
    AddResolver({.type_name = "Query",
                 .field_name = "call",
                 .data_source = "function",
                 .code = kCall});
    AddResolver({.type_name = "Thing",
                 .field_name = "told",
                 .data_source = "function",
                 .code = kTold});
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
                          effects_ = outcome.effects;
                        });
  }

  // The response headers of the last request, as lines.
  std::vector<std::string> Headers() const {
    std::vector<std::string> lines;
    for (const http::Header& header : effects_.response_headers) {
      lines.push_back(absl::StrCat(header.name, ": ", header.value));
    }
    return lines;
  }

  // What an API with this level logs about a request with a field of each kind,
  // without the requests' ids.
  std::vector<std::string> LoggedAt(FieldLogLevel level) {
    GraphqlApi api = *state_->api;
    api.log.level = level;
    const std::shared_ptr<ApiState> before = state_;
    state_ = std::make_shared<ApiState>(*before);
    state_->api = std::make_shared<const GraphqlApi>(std::move(api));
    ++state_->version;
    log_lines_.clear();
    Execute("{ log number raise secret direct }");
    function_.FailAll();
    DoAll(soon_);
    return log_lines_;
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
  NoRoles roles_{clock_};
  EchoFunction function_;
  DataSources sources_{{.roles = roles_.caller,
                        .functions = function_,
                        .signing_clock = clock_,
                        .new_client = nullptr}};
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
       .log_writer =
           [this](const CompiledApi&) {
             return [this](std::string line) {
               log_lines_.push_back(std::move(line));
             };
           },
       .is_current =
           [this](const ApiState& state) { return &state == state_.get(); }}};
  std::shared_ptr<const ApiCaller> caller_ =
      std::make_shared<const ApiCaller>();
  std::vector<std::string> outcomes_;
  // Of the last request.
  Effects effects_;
  std::vector<std::string> log_lines_;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_RESOLVE_OPERATIONS_FIXTURE_H_
