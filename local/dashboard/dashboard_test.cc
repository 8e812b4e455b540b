#include "local/dashboard/dashboard.h"

#include <json/json.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/history.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/queue_series.h"

namespace byoshin::local::dashboard {
namespace {

// Times of the tests, five seconds apart.
absl::Time At(int i) {
  return absl::FromUnixSeconds(1764633600) + i * kSampleInterval;
}

// Has one of everything that a panel may have.
class FakePanel final : public Panel {
 public:
  absl::string_view name() const override { return "orders"; }
  bool IsShown() override { return shown; }
  void WriteStatus(json::Writer& json) override {
    json.Open('{').Key("open").Int(3).Close('}');
  }
  std::vector<PanelEndpoint> endpoints() override {
    return {{.method = "GET",
             .name = "list",
             .answer = [](const http::ServerRequest& request)
                 -> absl::StatusOr<std::string> {
               if (request.query == "bad") {
                 return absl::InvalidArgumentError("bad");
               }
               return "[1]";
             }}};
  }
  const std::vector<Asset>& assets() const override { return assets_; }
  absl::StatusOr<std::int64_t> Reset() override { return 12; }

  bool shown = true;

 private:
  std::vector<Asset> assets_ = {
      {.name = "panel.js", .gzip = "packed", .etag = "1"}};
};

class FakeSource final : public DashboardSource {
 public:
  std::uint64_t version() const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return version_;
  }
  absl::StatusOr<Status> GetStatus() override {
    if (!failure.ok()) return failure;
    ++status_asked;
    Status status{.now = At(100)};
    status.stacks = {{.name = "shop", .status = "CREATE_COMPLETE"}};
    status.queues = {{.name = "slots", .delayed = 9, .dead_letter_queue = "d"},
                     {.name = "d",
                      .visible = 1,
                      .oldest = At(1),
                      .holds_dead_letters = true}};
    status.dead_letters = 1;
    status.functions = {
        {.stack = "shop",
         .name = "Collector",
         .invocations = 7,
         .duration = Quantiles{absl::Milliseconds(1), absl::Milliseconds(2),
                               absl::Microseconds(2500)}}};
    status.apis = {{.name = "Orders", .url = "http://127.0.0.1/x"}};
    status.last_log = logs.last_id();
    return status;
  }
  absl::Status VisitSamples(
      const TimeRange&,
      absl::FunctionRef<void(const QueueSample&)> visit) override {
    visit({.time = At(1), .waiting = 4});
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<Invocation>> Invocations(const TimeRange& range,
                                                      int limit) override {
    return invocations.Newest(range, static_cast<std::size_t>(limit));
  }
  absl::StatusOr<LogPage> Logs(const LogQuery& query) override {
    return logs.Find(query);
  }
  absl::StatusOr<DeadLetters> GetDeadLetters(int limit) override {
    last_limit = limit;
    return DeadLetters{.total = 2,
                       .redrivable = 1,
                       .messages = {{.queue = "d",
                                     .source = "slots",
                                     .id = "m",
                                     .sent = At(1),
                                     .body = body},
                                    {.queue = "failed", .id = "n"}}};
  }
  absl::StatusOr<std::int64_t> Redrive(
      const QueueName& name,
      const std::optional<std::vector<std::string>>& ids) override {
    const std::string& queue = name.queue;
    if (queue == "failed") return absl::FailedPreconditionError("no source");
    if (queue != "d") return absl::NotFoundError("no such dead-letter queue");
    redriven.push_back(absl::StrCat(
        name.stack, ids.has_value() ? absl::StrCat(ids->size()) : "all"));
    return 1;
  }
  absl::StatusOr<std::vector<std::string>> Tick(
      absl::string_view rule) override {
    return std::vector<std::string>{rule.empty() ? std::string("every")
                                                 : std::string(rule)};
  }
  absl::StatusOr<std::int64_t> Reset() override { return 3; }
  absl::StatusOr<RemovedStack> Remove(const std::string& stack) override {
    if (stack != "shop") return absl::NotFoundError("there is no such stack");
    return RemovedStack{.name = stack,
                        .retained = {{.logical_id = "Orders",
                                      .type = "AWS::DynamoDB::Table",
                                      .physical_id = "orders"}}};
  }
  absl::StatusOr<std::string> DescribeStacks() override {
    return R"({"stacks":[]})";
  }

  void Change() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++version_;
  }

  int status_asked = 0;
  LogHistory logs{{.lines = 100, .bytes = 100'000}};
  InvocationHistory invocations{100};
  std::string body = "{}";
  std::vector<std::string> redriven;
  int last_limit = 0;
  absl::Status failure;

 private:
  mutable std::mutex mutex_;
  std::uint64_t version_ = 5;
};

// One request's answer, once it is there.
class Exchange final : public http::Responder::Exchange {
 public:
  void Send(http::ServerResponse response) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!answer_.has_value()) answer_ = std::move(response);
    answered_.notify_all();
  }
  bool connected() const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return connected_;
  }
  http::ServerResponse Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    answered_.wait(lock, [this] { return answer_.has_value(); });
    return *answer_;
  }
  bool answered() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return answer_.has_value();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable answered_;
  std::optional<http::ServerResponse> answer_;
  bool connected_ = true;
};

http::ServerRequest Get(absl::string_view path, absl::string_view query = "") {
  return {.method = "GET",
          .path = std::string(path),
          .query = std::string(query),
          .headers = {{"Host", "127.0.0.1:4566"}}};
}

http::ServerRequest Post(absl::string_view name, absl::string_view body) {
  return {.method = "POST",
          .path = absl::StrCat("/_byoshin/api/", name),
          .headers = {{"Host", "localhost:4566"},
                      {"Content-Type", "application/json"},
                      {"X-Byoshin-Request", "1"}},
          .body = std::string(body)};
}

std::string HeaderOf(const http::ServerResponse& response,
                     absl::string_view name) {
  for (const http::Header& header : response.headers) {
    if (absl::EqualsIgnoreCase(header.name, name)) return header.value;
  }
  return "";
}

class DashboardTest : public ::testing::Test {
 protected:
  DashboardTest() { panels_.Add(panel_); }

  std::shared_ptr<Exchange> Begin(const http::ServerRequest& request) {
    auto exchange = std::make_shared<Exchange>();
    dashboard_.Handle(request, http::Responder(exchange));
    return exchange;
  }
  http::ServerResponse Send(const http::ServerRequest& request) {
    return Begin(request)->Wait();
  }
  Json::Value Ask(absl::string_view name, absl::string_view query = "") {
    const http::ServerResponse answer =
        Send(Get(absl::StrCat("/_byoshin/api/", name), query));
    EXPECT_EQ(answer.status, 200) << answer.body;
    return json::ParseValue(answer.body).value();
  }

  FakeSource source_;
  FakePanel panel_;
  Panels panels_;
  Dashboard dashboard_{source_, panels_, {.instance = "run", .max_waiting = 2}};
};

TEST_F(DashboardTest, ServesThePageWithAStrictPolicy) {
  const http::ServerResponse answer = Send(Get("/"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(HeaderOf(answer, "Content-Type"), "text/html; charset=utf-8");
  EXPECT_TRUE(absl::StrContains(HeaderOf(answer, "Content-Security-Policy"),
                                "default-src 'none'; script-src 'self';"));
  EXPECT_EQ(HeaderOf(answer, "X-Content-Type-Options"), "nosniff");
  EXPECT_TRUE(absl::StartsWith(answer.body, "<!doctype html>"));
  EXPECT_FALSE(absl::StrContains(answer.body, "http://"));
  EXPECT_FALSE(absl::StrContains(answer.body, "https://"));
}

TEST_F(DashboardTest, ServesEveryFileThatThePageNames) {
  const std::string page = Send(Get("/_byoshin/page/index.html")).body;
  int found = 0;
  for (const Asset& asset : FrameAssets()) {
    const std::string path = absl::StrCat("/_byoshin/page/", asset.name);
    found += absl::StrContains(page, path) ? 1 : 0;
    http::ServerRequest request = Get(path);
    request.headers.push_back({"Accept-Encoding", "gzip, br"});
    const http::ServerResponse packed = Send(request);
    EXPECT_EQ(HeaderOf(packed, "Content-Encoding"), "gzip");
    EXPECT_EQ(packed.body, asset.gzip);
    EXPECT_LT(packed.body.size(), Send(Get(path)).body.size() + 64);
    request.headers.push_back({"If-None-Match", HeaderOf(packed, "ETag")});
    EXPECT_EQ(Send(request).status, 304);
  }
  EXPECT_EQ(found, 5);  // icon, two styles, two scripts
  EXPECT_EQ(Send(Get("/_byoshin/page/none.js")).status, 404);
}

TEST_F(DashboardTest, WantsThePageAndLeavesSignedRequestsToTheServices) {
  EXPECT_TRUE(Dashboard::Wants(Get("/")));
  EXPECT_TRUE(Dashboard::Wants(Get("/_byoshin/api/status")));
  EXPECT_TRUE(Dashboard::Wants(Get("/_byoshin/page/app.js")));
  EXPECT_FALSE(Dashboard::Wants(Get("/", "Action=ListQueues")));
  EXPECT_FALSE(Dashboard::Wants(Get("/000000000000/queue")));
  http::ServerRequest request = Get("/");
  request.method = "POST";
  EXPECT_FALSE(Dashboard::Wants(request));
  request = Get("/");
  request.headers.push_back({"Authorization", "AWS4-HMAC-SHA256 ..."});
  EXPECT_FALSE(Dashboard::Wants(request));
}

TEST_F(DashboardTest, IsClosedToPagesThatMayOnlyCallAwsApis) {
  for (const char* path : {"/", "/_byoshin/api/status"}) {
    http::ServerRequest request = Get(path);
    request.headers.push_back({"Origin", "http://localhost:3000"});
    EXPECT_EQ(Send(request).status, 403) << path;
    request.headers.back().value = "null";
    EXPECT_EQ(Send(request).status, 403) << path;
    request.headers.back().value = "http://127.0.0.1:4566";
    EXPECT_EQ(Send(request).status, 200) << path;
  }
}

TEST_F(DashboardTest, RefusesAPostThatAnotherSiteCouldSend) {
  const http::ServerRequest good = Post("redrive", R"({"queue":"d"})");
  for (const std::size_t left_out : {1, 2}) {
    http::ServerRequest request = good;
    request.headers.erase(request.headers.begin() +
                          static_cast<std::ptrdiff_t>(left_out));
    EXPECT_EQ(Send(request).status, 403);
  }
  http::ServerRequest request = good;
  request.headers.push_back({"Origin", "http://rebound.example"});
  EXPECT_EQ(Send(request).status, 403);
  EXPECT_TRUE(source_.redriven.empty());
  request.headers.back().value = "http://localhost:4566";
  EXPECT_EQ(Send(request).status, 200);
  EXPECT_EQ(source_.redriven, std::vector<std::string>{"all"});
  request.method = "OPTIONS";
  EXPECT_EQ(Send(request).status, 405);
}

TEST_F(DashboardTest, ServesThePanelsFilesAndEndpoints) {
  http::ServerRequest request = Get("/_byoshin/page/orders/panel.js");
  request.headers.push_back({"Accept-Encoding", "gzip"});
  EXPECT_EQ(Send(request).body, "packed");
  EXPECT_EQ(Send(Get("/_byoshin/page/orders/app.js")).status, 404);
  EXPECT_EQ(Ask("orders/list")[0], 1);
  EXPECT_EQ(Send(Get("/_byoshin/api/orders/list", "bad")).status, 400);
  EXPECT_EQ(Send(Post("orders/list", "{}")).status, 405);
  EXPECT_EQ(Send(Get("/_byoshin/api/orders/other")).status, 404);
  EXPECT_EQ(Send(Get("/_byoshin/api/orderslist")).status, 404);
}

TEST_F(DashboardTest, HasAMemberOfTheStatusForEachPanelThatIsShown) {
  Json::Value status = Ask("status");
  EXPECT_EQ(json::WriteValue(status["panels"]), R"(["orders"])");
  EXPECT_EQ(status["orders"]["open"], 3);
  panel_.shown = false;
  status = Ask("status");
  EXPECT_TRUE(status["panels"].empty());
  EXPECT_FALSE(status.isMember("orders"));
}

TEST_F(DashboardTest, TellsTheStatus) {
  const Json::Value status = Ask("status");
  EXPECT_EQ(status["cursor"], "run-5");
  EXPECT_EQ(status["now"].asInt64(), absl::ToUnixMillis(At(100)));
  EXPECT_EQ(status["stacks"][0]["name"], "shop");
  EXPECT_TRUE(status["stacks"][0]["description"].isNull());
  EXPECT_EQ(status["functions"][0]["stack"], "shop");
  EXPECT_EQ(status["queues"][0]["deadLetterQueue"], "d");
  EXPECT_TRUE(status["queues"][0]["oldest"].isNull());
  EXPECT_TRUE(status["queues"][1]["deadLetterQueue"].isNull());
  EXPECT_FALSE(status["queues"][0]["holdsDeadLetters"].asBool());
  EXPECT_TRUE(status["queues"][1]["holdsDeadLetters"].asBool());
  EXPECT_EQ(status["functions"][0]["durationMs"]["max"].asDouble(), 2.5);
  EXPECT_TRUE(status["functions"][0]["initMs"].isNull());
  EXPECT_EQ(status["apis"][0]["name"], "Orders");
  EXPECT_EQ(status["apis"][0]["url"], "http://127.0.0.1/x");
}

TEST_F(DashboardTest, HoldsUpdatesUntilSomethingChanges) {
  const std::shared_ptr<Exchange> held =
      Begin(Get("/_byoshin/api/updates", "after=run-5"));
  dashboard_.Changed();  // for nothing: the version is the same
  Ask("status");         // answered after whatever stood before it
  EXPECT_FALSE(held->answered());
  source_.Change();
  dashboard_.Changed();
  EXPECT_EQ(json::ParseValue(held->Wait().body).value()["cursor"], "run-6");
  // What changed before is told at once, and so is another run of the cloud.
  EXPECT_EQ(Ask("updates", "after=run-5")["cursor"], "run-6");
  EXPECT_EQ(Ask("updates", "after=other-6")["cursor"], "run-6");
}

TEST_F(DashboardTest, HoldsNobodyWhenTheCloudStops) {
  const std::shared_ptr<Exchange> held =
      Begin(Get("/_byoshin/api/updates", "after=run-5"));
  dashboard_.EndLongPolls();
  EXPECT_EQ(held->Wait().status, 200);
  EXPECT_EQ(Ask("updates", "after=run-5")["cursor"], "run-5");
}

TEST_F(DashboardTest, HoldsNoMoreUpdatesThanItMay) {
  std::vector<std::shared_ptr<Exchange>> held;
  for (int i = 0; i < 3; ++i) {
    held.push_back(Begin(Get("/_byoshin/api/updates", "after=run-5")));
  }
  EXPECT_EQ(held[0]->Wait().status, 200);
  EXPECT_FALSE(held[1]->answered());
}

TEST_F(DashboardTest, AggregatesTheSamplesOfTheQueues) {
  const std::string query =
      absl::StrCat("from=", absl::ToUnixMillis(At(0)),
                   "&to=", absl::ToUnixMillis(At(3)), "&buckets=10");
  const int asked_before = source_.status_asked;
  const Json::Value series = Ask("queue-series", query);
  // That would ask every queue.
  EXPECT_EQ(source_.status_asked, asked_before);
  EXPECT_EQ(series["bucketMs"], 5000);
  EXPECT_EQ(json::WriteValue(series["waiting"]), "[null,4,null]");
  for (const char* wrong :
       {"", "from=1", "from=5&to=5", "from=x&to=9", "from=-1&to=9",
        "from=1&to=9999999999999999", "from=1&to=9&buckets=1",
        "from=1&to=9&buckets=4001", "from=%zz&to=9"}) {
    EXPECT_EQ(Send(Get("/_byoshin/api/queue-series", wrong)).status, 400)
        << wrong;
  }
}

TEST_F(DashboardTest, TellsWhenThereAreMoreInvocations) {
  for (int i = 0; i < 3; ++i) {
    source_.invocations.Add({.start = At(i),
                             .function = "f",
                             .duration = absl::Milliseconds(i),
                             .outcome = Outcome::kTimeout});
  }
  const std::string range = absl::StrCat("from=", absl::ToUnixMillis(At(0)),
                                         "&to=", absl::ToUnixMillis(At(9)));
  Json::Value answer = Ask("invocations", absl::StrCat(range, "&limit=2"));
  EXPECT_TRUE(answer["truncated"].asBool());
  ASSERT_EQ(answer["invocations"].size(), 2);
  EXPECT_EQ(answer["invocations"][1]["ms"].asDouble(), 2);
  EXPECT_EQ(answer["invocations"][1]["outcome"], "timeout");
  answer = Ask("invocations", range);
  EXPECT_FALSE(answer["truncated"].asBool());
  EXPECT_EQ(answer["invocations"].size(), 3);
}

TEST_F(DashboardTest, ShowsDeadLettersWhateverIsInThem) {
  source_.body =
      std::string("\"<script>\0\xff\n", 12) + std::string(70000, 'x');
  const Json::Value letters = Ask("dead-letters", "limit=7");
  EXPECT_EQ(source_.last_limit, 7);
  const Json::Value& letter = letters["messages"][0];
  EXPECT_EQ(letter["bodyBytes"], 70012);
  EXPECT_TRUE(absl::StartsWith(letter["body"].asString(), "\"<script>"));
  EXPECT_LT(letter["body"].asString().size(), 66000);
}

TEST_F(DashboardTest, TellsWhichDeadLettersCanBeMovedBack) {
  const Json::Value letters = Ask("dead-letters");
  EXPECT_EQ(letters["total"], 2);
  EXPECT_EQ(letters["redrivable"], 1);
  EXPECT_EQ(letters["messages"][0]["source"], "slots");
  EXPECT_TRUE(letters["messages"][1]["source"].isNull());
}

TEST_F(DashboardTest, FindsLogLines) {
  source_.logs.Add(At(1), "Sender", "one");
  source_.logs.Add(At(2), "Collector", "tWo");
  const Json::Value page = Ask("logs", "function=Collector&q=two&after=0");
  ASSERT_EQ(page["lines"].size(), 1);
  EXPECT_EQ(page["lines"][0]["text"], "tWo");
  EXPECT_EQ(page["next"], 2);
  EXPECT_EQ(Ask("logs", "limit=1")["lines"][0]["id"], 2);
}

TEST_F(DashboardTest, RedrivesTicksResetsAndRemoves) {
  EXPECT_EQ(Send(Post("redrive", R"({"queue":"d","ids":["a","b"]})")).body,
            R"({"moved":1})");
  EXPECT_EQ(source_.redriven, std::vector<std::string>{"2"});
  EXPECT_EQ(Send(Post("redrive", R"({"stack":"s","queue":"d"})")).status, 200);
  EXPECT_EQ(source_.redriven.back(), "sall");
  EXPECT_EQ(Send(Post("redrive", R"({"queue":"x"})")).status, 404);
  EXPECT_EQ(Send(Post("redrive", R"({"queue":"failed"})")).status, 409);
  for (const char* wrong :
       {"", "[]", "{}", R"({"queue":1})", R"({"queue":"d","ids":"a"})",
        R"({"queue":"d","ids":[1]})", R"({"queue":"d","stack":1})"}) {
    EXPECT_EQ(Send(Post("redrive", wrong)).status, 400) << wrong;
  }
  EXPECT_EQ(Send(Post("tick", "{}")).body, R"({"fired":["every"]})");
  EXPECT_EQ(Send(Post("tick", R"({"rule":"r"})")).body, R"({"fired":["r"]})");
  EXPECT_EQ(Send(Post("tick", R"({"rule":1})")).status, 400);
  EXPECT_EQ(Send(Post("reset", "{}")).body, R"({"items":12,"messages":3})");
  EXPECT_EQ(Send(Post("remove-stack", R"({"stack":"shop"})")).body,
            R"({"removed":"shop","retained":[{"logicalId":"Orders",)"
            R"("type":"AWS::DynamoDB::Table","physicalId":"orders"}]})");
  EXPECT_EQ(Send(Post("remove-stack", R"({"stack":"x"})")).status, 404);
  EXPECT_EQ(Send(Post("remove-stack", "{}")).status, 400);
}

TEST_F(DashboardTest, TellsWhatIsWrong) {
  EXPECT_EQ(Send(Get("/_byoshin/api/nothing")).status, 404);
  const http::ServerResponse answer = Send(Get("/_byoshin/api/redrive"));
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(HeaderOf(answer, "Allow"), "POST");
  EXPECT_EQ(Send(Post("status", "{}")).status, 405);
  source_.failure = absl::UnavailableError("the cloud is stopping");
  EXPECT_EQ(Send(Get("/_byoshin/api/status")).status, 503);
  source_.failure = absl::InternalError("the table is gone");
  const http::ServerResponse failed = Send(Get("/_byoshin/api/status"));
  EXPECT_EQ(failed.status, 500);
  EXPECT_EQ(failed.body, R"({"error":"the table is gone"})");
}

}  // namespace
}  // namespace byoshin::local::dashboard
