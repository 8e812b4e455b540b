// REST APIs of a deployed stack: the scheduler's own, from its template and
// zips, and one whose function shows what it was given. Over real HTTP, with
// real functions, on a clock that only moves when it is told to: so that
// throttling does not depend on how fast the machine is.
#include <gtest/gtest.h>
#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/files/read_file.h"
#include "core/http/client.h"
#include "core/http/curl_client.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "infra/constants.h"
#include "local/applications/application.h"
#include "local/applications/applications.h"
#include "local/applications/scheduler/module.h"
#include "local/applications/scheduler/series.h"
#include "local/applications/scheduler/slot_source.h"
#include "local/cli/arguments.h"
#include "local/cli/artifacts.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/source.h"
#include "local/stack/stack_cloud.h"
#include "tests/e2e/echo_paths.h"
#include "tests/e2e/test_cloud.h"

namespace byoshin::local {
namespace {

constexpr char kStackName[] = "byoshin";
constexpr char kAccessLog[] = "/byoshin/byoshin/mock-api-access";
// Nobody listens there, and nobody is called: the schedule never begins.
constexpr char kNoApi[] = "http://127.0.0.1:9";
constexpr char kWindow[] =
    "?from=2025-12-02T10:23:00Z&to=2025-12-02T10%3A23%3A05Z";
constexpr char kMissingToken[] =
    R"({"message":"Missing Authentication Token"})";
constexpr char kForbidden[] = R"({"message":"Forbidden"})";
// Only a hang takes as long.
constexpr absl::Duration kPatience = absl::Minutes(4);

Json::Value Body(const http::Response& response) {
  absl::StatusOr<Json::Value> body = json::ParseValue(response.body);
  EXPECT_TRUE(body.ok()) << response.body;
  return body.ok() ? *std::move(body) : Json::Value(Json::objectValue);
}

// A cloud, and requests to the REST API of what was deployed to it last.
class Cloud {
 public:
  explicit Cloud(const std::string& data_directory = "") {
    Start(data_directory);
  }

  // Begins anew; what was kept in the folder is there.
  void Start(const std::string& data_directory) {
    cloud_.reset();
    absl::StatusOr<std::unique_ptr<stack::StackCloud>> cloud =
        stack::StackCloud::Start(
            {.gateway = {.port = 0},
             .data_directory = data_directory,
             .applications = {applications::SchedulerModule({})}},
            clock_);
    ASSERT_TRUE(cloud.ok()) << cloud.status();
    cloud_ = *std::move(cloud);
  }

  void Deploy(stack::StackDeployment deployment) {
    const absl::StatusOr<cloudformation::DeployResult> result =
        cloud_->Deploy(deployment);
    ASSERT_TRUE(result.ok()) << result.status();
    stack_ = result->stack;
  }

  // The template and the zips that AWS would get.
  void DeployScheduler(std::map<std::string, std::string> parameters = {}) {
    const std::vector<applications::Application> all =
        applications::AllApplications();
    absl::StatusOr<std::vector<stack::StackDeployment>> deployments =
        cli::ReadArtifacts(
            *cli::ParseArguments({.flags = cli::ArtifactFlags(all)}, {}),
            env::FromMap({}), all);
    ASSERT_TRUE(deployments.ok()) << deployments.status();
    stack::StackDeployment* const deployment = &deployments->front();
    deployment->stack_name = kStackName;
    deployment->parameters = std::move(parameters);
    deployment->parameters.try_emplace("ApiBaseUrl", kNoApi);
    Deploy(std::move(*deployment));
    if (stack_.outputs.contains("MockApiUrl")) {
      url_ = stack_.outputs["MockApiUrl"].value;
    }
  }

  void DeployEcho() {
    Deploy({.stack_name = "echo",
            .template_text = files::ReadFile(kEchoTemplate).value(),
            .zips = {{"echo.zip", files::ReadFile(kEchoZip).value()}}});
    url_ = stack_.outputs["Url"].value;
  }

  // Sends a request for the stage's URL, which names a host of AWS's, to where
  // the cloud listens.
  http::Response Send(absl::string_view path, http::Request request = {}) {
    absl::string_view rest = url_;
    EXPECT_TRUE(absl::ConsumePrefix(&rest, "https://")) << url_;
    const absl::string_view host = rest.substr(0, rest.find('/'));
    request.headers.push_back({"Host", std::string(host)});
    request.url = absl::StrCat(cloud_->url(), rest.substr(host.size()), path);
    return Fetch(std::move(request));
  }

  // Where the stage is reached without such a host, as the cloud tells.
  std::string StageUrl() {
    const absl::StatusOr<dashboard::Status> status =
        cloud_->source().GetStatus();
    if (!status.ok() || status->apis.size() != 1) {
      ADD_FAILURE() << "no REST API, or several";
      return "";
    }
    EXPECT_EQ(status->apis[0].name, infra::kMockApiName);
    return status->apis[0].url;
  }

  http::Response Fetch(http::Request request) {
    request.timeout = kPatience;
    request.connect_timeout = kPatience;
    absl::StatusOr<http::Response> response = client_.Send(request);
    EXPECT_TRUE(response.ok()) << response.status();
    return response.ok() ? *std::move(response) : http::Response();
  }

  // The access log's lines, each a JSON object.
  std::vector<Json::Value> AccessLog() {
    std::vector<Json::Value> lines;
    const absl::StatusOr<dashboard::LogPage> page =
        cloud_->source().Logs({.limit = 1000, .function = kAccessLog});
    EXPECT_TRUE(page.ok()) << page.status();
    for (const dashboard::LogLine& line : page->lines) {
      lines.push_back(json::ParseValue(line.text).value());
    }
    return lines;
  }

  std::string KeyValue() {
    return stack_.resources["MockApiKey"].state.attributes["Value"];
  }
  int StatusWithKey(absl::string_view key) {
    return Send(absl::StrCat("/response_count", kWindow),
                {.headers = {{"x-api-key", std::string(key)}}})
        .status;
  }

  stack::StackCloud& cloud() { return *cloud_; }
  cloudformation::Stack& stack() { return stack_; }
  time::SimulatedClock& clock() { return clock_; }
  std::string& url() { return url_; }

 private:
  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  http::CurlClient client_{""};
  std::unique_ptr<stack::StackCloud> cloud_;
  cloudformation::Stack stack_;
  std::string url_;  // of the stage, as the stack's output has it
};

// Deployed once for all tests: that is what takes longest.
class SchedulersApi : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = std::make_unique<Cloud>();
    shared_->DeployScheduler();
  }
  static void TearDownTestSuite() { shared_.reset(); }
  // Limits are as if nobody had called before.
  void SetUp() override { cloud_.clock().AdvanceBy(absl::Seconds(1)); }

  static inline std::unique_ptr<Cloud> shared_;
  Cloud& cloud_ = *shared_;
};

class EchoApi : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = std::make_unique<Cloud>();
    shared_->DeployEcho();
  }
  static void TearDownTestSuite() { shared_.reset(); }

  static inline std::unique_ptr<Cloud> shared_;
  Cloud& cloud_ = *shared_;
};

TEST_F(SchedulersApi, TheStageAnswersWithWhatItsFunctionSays) {
  const http::Response count =
      cloud_.Send(absl::StrCat("/response_count", kWindow));
  EXPECT_EQ(count.status, 200);
  EXPECT_EQ(count.body,
            R"({"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z",)"
            R"("count":1})");
  EXPECT_EQ(count.FindHeader("Content-Type"), "application/json");
  EXPECT_FALSE(count.FindHeader("x-amzn-RequestId").empty());
  EXPECT_FALSE(count.FindHeader("x-amz-apigw-id").empty());
  EXPECT_EQ(cloud_.Send("/health").body, R"({"status":"ok"})");
  EXPECT_EQ(cloud_.StageUrl(),
            absl::StrCat(cloud_.cloud().url(), "/restapis/",
                         cloud_.stack().resources["MockApi"].state.physical_id,
                         "/prod/_user_request_"));
  EXPECT_EQ(cloud_
                .Fetch({.url = absl::StrCat(cloud_.StageUrl(),
                                            "/response_count", kWindow)})
                .body,
            count.body);

  // Also what it says is wrong.
  const http::Response wrong =
      cloud_.Send("/response_count?from=yesterday&to=today");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_TRUE(
      absl::StrContains(Body(wrong)["error"].asString(), "\"yesterday\""))
      << wrong.body;
  // The stage itself refuses a request without a window, in the same form.
  const http::Response none = cloud_.Send("/response_count");
  EXPECT_EQ(none.status, 400);
  EXPECT_EQ(none.body,
            R"({"error":"Missing required request parameters: [from, to]"})");
}

TEST_F(SchedulersApi, PathsAndMethodsThatAreNotThereAreRefusedAsByAws) {
  const http::Response path = cloud_.Send("/nothing");
  EXPECT_EQ(path.status, 403);
  EXPECT_EQ(path.body, kMissingToken);
  EXPECT_EQ(path.FindHeader("x-amzn-ErrorType"),
            "MissingAuthenticationTokenException");
  EXPECT_EQ(cloud_.Send("").body, kMissingToken);
  EXPECT_EQ(cloud_.Send("/health/more").body, kMissingToken);
  const http::Response method =
      cloud_.Send("/health", {.method = "POST", .body = "{}"});
  EXPECT_EQ(method.status, 403);
  EXPECT_EQ(method.body, kMissingToken);

  // Of another stage or API nothing is told but that.
  const std::string good = cloud_.url();
  for (const std::string& bad :
       {absl::StrCat(good, "2"),
        std::string("https://none.execute-api.us-east-1.amazonaws.com/prod")}) {
    cloud_.url() = bad;
    const http::Response stage = cloud_.Send("/health");
    EXPECT_EQ(stage.status, 403) << bad;
    EXPECT_EQ(stage.body, kForbidden) << bad;
  }
  cloud_.url() = good;
}

TEST_F(SchedulersApi, MoreThanTheTemplatesLimitIsRefusedUntilTimePasses) {
  for (int i = 0; i < infra::kMockApiBurstLimit; ++i) {
    ASSERT_EQ(cloud_.Send("/health").status, 200) << i;
  }
  const http::Response refused = cloud_.Send("/health");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.body, R"({"message":"Too Many Requests"})");
  EXPECT_EQ(refused.FindHeader("x-amzn-ErrorType"), "TooManyRequestsException");
  // One token a fiftieth of a second.
  cloud_.clock().AdvanceBy(absl::Seconds(1) / infra::kMockApiRateLimit);
  EXPECT_EQ(cloud_.Send("/health").status, 200);
  EXPECT_EQ(cloud_.Send("/health").status, 429);
  const Json::Value line = cloud_.AccessLog().back();
  EXPECT_EQ(line["status"], "429");
  EXPECT_EQ(line["path"], "/prod/health");
}

TEST_F(SchedulersApi, EveryRequestIsInTheAccessLog) {
  const std::size_t before = cloud_.AccessLog().size();
  cloud_.Send(absl::StrCat("/response_count", kWindow),
              {.headers = {{"User-Agent", "a \"tester\""}}});
  cloud_.Send("/nothing");
  const std::vector<Json::Value> lines = cloud_.AccessLog();
  ASSERT_EQ(lines.size(), before + 2);
  const Json::Value& good = lines[before];
  EXPECT_EQ(good["httpMethod"], "GET");
  EXPECT_EQ(good["path"], "/prod/response_count");
  EXPECT_EQ(good["status"], "200");
  EXPECT_EQ(good["requestTime"],
            absl::FormatTime("%d/%b/%Y:%H:%M:%S +0000", cloud_.clock().Now(),
                             absl::UTCTimeZone()));
  EXPECT_EQ(good["sourceIp"], "127.0.0.1");
  EXPECT_EQ(good["userAgent"], "a \"tester\"");
  EXPECT_EQ(good["integrationError"], "-");
  EXPECT_EQ(lines.back()["path"], "/prod/nothing");
  EXPECT_EQ(lines.back()["status"], "403");
}

TEST(RestApi, AKeyIsAskedForWhileTheParameterSaysSo) {
  const std::string data = testing::TempDir() + "/rest_api_data";
  Cloud cloud(data);
  cloud.DeployScheduler({{"MockApiAccess", "key"}});
  const http::Response without =
      cloud.Send(absl::StrCat("/response_count", kWindow));
  EXPECT_EQ(without.status, 403);
  EXPECT_EQ(without.body, kForbidden);
  EXPECT_EQ(without.FindHeader("x-amzn-ErrorType"), "ForbiddenException");
  EXPECT_EQ(cloud.StatusWithKey("wrong"), 403);
  const std::string key = cloud.KeyValue();
  ASSERT_FALSE(key.empty());
  EXPECT_EQ(cloud.StatusWithKey(key), 200);
  EXPECT_EQ(cloud.Send("/health").status, 200) << "is open to all";

  // Address and key are the same after a restart.
  cloud.Start(data);
  EXPECT_EQ(cloud.StatusWithKey(key), 200);
  EXPECT_EQ(cloud.StatusWithKey(""), 403);

  // Opened to all, closed again with another key, and taken away.
  cloud.DeployScheduler();
  EXPECT_EQ(cloud.StatusWithKey(""), 200);
  cloud.DeployScheduler({{"MockApiAccess", "key"}});
  EXPECT_EQ(cloud.StatusWithKey(""), 403);
  EXPECT_EQ(cloud.StatusWithKey(key), 403);
  EXPECT_EQ(cloud.StatusWithKey(cloud.KeyValue()), 200);
  cloud.DeployScheduler({{"MockApiAccess", "none"}});
  EXPECT_EQ(cloud.Send("/health").body, kForbidden);
}

TEST(RestApi, TheCollectorCanPollTheApiOfItsOwnStack) {
  Cloud cloud;
  cloud.DeployScheduler();
  cloud.DeployScheduler({{"ApiBaseUrl", cloud.StageUrl()}});
  cloud.cloud().Begin();
  // The first whole minute, and its twelve slots.
  cloud.clock().RunUntil(cloud.clock().Now() + absl::Seconds(40 + 59));
  std::vector<std::int64_t> counts;
  auto& slots = cloud.cloud().Get<applications::SlotSource>();
  const absl::Status visited =
      slots.VisitRecords({absl::InfinitePast(), absl::InfiniteFuture()},
                         [&](const applications::SlotRecord& record) {
                           // Nobody is kept from the records while they are
                           // looked at.
                           EXPECT_EQ(slots.GetStatus().records.total, 12);
                           counts.push_back(record.count);
                           return true;
                         });
  EXPECT_TRUE(visited.ok()) << visited;
  // The minute is 10:24; the last window ends with it.
  EXPECT_EQ(counts,
            (std::vector<std::int64_t>{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3}));
  const std::vector<Json::Value> lines = cloud.AccessLog();
  ASSERT_EQ(lines.size(), 12);
  for (const Json::Value& line : lines) EXPECT_EQ(line["status"], "200");
}

TEST_F(EchoApi, TheFunctionGetsTheEventOfAProxyIntegration) {
  const http::Response response =
      cloud_.Send("/orders/a%20b/c?x=1&x=%C3%A4&empty=",
                  {.method = "PATCH",
                   .headers = {{"Content-Type", "text/plain"},
                               {"X-Thing", "one"},
                               {"X-Thing", "two"}},
                   .body = "hello"});
  EXPECT_EQ(response.status, 200);
  std::vector<std::string> cookies;
  for (const http::Header& header : response.headers) {
    if (header.name == "Set-Cookie") cookies.push_back(header.value);
  }
  EXPECT_EQ(cookies, (std::vector<std::string>{"a=1", "b=2"}));

  const Json::Value event = Body(response);
  EXPECT_EQ(event["resource"], "/{kind}/{rest+}");
  EXPECT_EQ(event["path"], "/orders/a b/c");
  EXPECT_EQ(event["httpMethod"], "PATCH");
  EXPECT_EQ(event["pathParameters"]["kind"], "orders");
  EXPECT_EQ(event["pathParameters"]["rest"], "a b/c");
  EXPECT_EQ(event["queryStringParameters"]["x"], "ä");
  EXPECT_EQ(event["queryStringParameters"]["empty"], "");
  EXPECT_EQ(event["multiValueQueryStringParameters"]["x"][0], "1");
  EXPECT_EQ(event["multiValueQueryStringParameters"]["x"][1], "ä");
  EXPECT_EQ(event["headers"]["X-Thing"], "two");
  EXPECT_EQ(event["multiValueHeaders"]["X-Thing"][0], "one");
  EXPECT_EQ(event["headers"]["X-Forwarded-For"], "127.0.0.1");
  EXPECT_TRUE(event["stageVariables"].isNull());
  EXPECT_EQ(event["body"], "hello");
  EXPECT_EQ(event["isBase64Encoded"], false);
  const Json::Value& context = event["requestContext"];
  EXPECT_EQ(context["stage"], "v1");
  EXPECT_EQ(context["path"], "/v1/orders/a b/c");
  EXPECT_EQ(context["accountId"], "000000000000");
  EXPECT_EQ(context["identity"]["sourceIp"], "127.0.0.1");
  EXPECT_EQ(context["requestId"],
            std::string(response.FindHeader("x-amzn-RequestId")));
}

TEST_F(EchoApi, BytesGetThroughWhereTheApiSaysWhichTypesTheyHave) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  const auto send = [&](absl::string_view accept) {
    return cloud_.Send("/files/bytes",
                       {.method = "PUT",
                        .headers = {{"Content-Type", "image/png"},
                                    {"Accept", std::string(accept)}},
                        .body = bytes});
  };
  const http::Response response = send("image/png, text/html");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.FindHeader("Content-Type"), "image/png");
  EXPECT_EQ(response.body, bytes);
  // A client that does not ask for them gets what the function wrote.
  EXPECT_TRUE(absl::StartsWith(send("text/html, image/png").body, "AAECAwQF"));
}

}  // namespace
}  // namespace byoshin::local
