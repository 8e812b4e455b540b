// The mock API of the scheduler's stack, and deployments that do without it.
#include <json/json.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "core/scheduler/constants.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "infra/constants.h"
#include "infra/gen/default_deployment.h"
#include "infra/gen/scheduler_stack.h"
#include "infra/gen/testing/deployed_template.h"
#include "infra/gen/testing/permissions.h"

namespace byoshin::infra {
namespace {

using ::testing::Contains;
using testing::DeployedTemplate;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::Texts;
using ::testing::UnorderedElementsAre;

namespace core = ::byoshin::scheduler;

constexpr char kOwnApi[] = "https://api.example.com/v1";

TEST(SchedulerMockApi, ServesTheMockApisTwoPaths) {
  std::set<std::string> paths;
  for (const std::string& id : Default().Ids("AWS::ApiGateway::Method")) {
    const Json::Value method = Default().Properties(id);
    EXPECT_EQ(method["HttpMethod"], "GET");
    EXPECT_EQ(method["Integration"]["Type"], "AWS_PROXY");
    EXPECT_EQ(method["Integration"]["IntegrationHttpMethod"], "POST");
    EXPECT_THAT(method["Integration"]["Uri"].asString(),
                HasSubstr("functions/MockApiFunction.Arn/invocations"));
    EXPECT_EQ(method["ApiKeyRequired"], false);
    paths.insert("/" +
                 Default()
                     .Properties(method["ResourceId"].asString())["PathPart"]
                     .asString());
  }
  EXPECT_THAT(paths, ElementsAre(core::kHealthPath, core::kResponseCountPath));

  std::set<std::string> allowed;
  for (const char* id : {"HealthPermission", "ResponseCountPermission"}) {
    const Json::Value permission = Default().Properties(id);
    EXPECT_EQ(permission["FunctionName"], "MockApiFunction");
    EXPECT_EQ(permission["Principal"], "apigateway.amazonaws.com");
    allowed.insert(permission["SourceArn"].asString());
  }
  constexpr char kPrefix[] =
      "arn:aws:execute-api:us-east-1:123456789012:MockApi/prod/GET";
  EXPECT_THAT(allowed,
              ElementsAre(absl::StrCat(kPrefix, core::kHealthPath),
                          absl::StrCat(kPrefix, core::kResponseCountPath)));
}

TEST(SchedulerMockApi, ThrottlesAndLogsTheMockApi) {
  const Json::Value stage = Default().Properties("MockApiStage");
  EXPECT_EQ(stage["StageName"], "prod");
  EXPECT_EQ(stage["TracingEnabled"], true);
  EXPECT_EQ(stage["AccessLogSetting"]["DestinationArn"],
            "MockApiAccessLogGroup.Arn");
  EXPECT_TRUE(
      json::ParseValue(stage["AccessLogSetting"]["Format"].asString()).ok());
  const Json::Value& settings = stage["MethodSettings"][0];
  EXPECT_EQ(settings["ResourcePath"], "/*");
  EXPECT_EQ(settings["HttpMethod"], "*");
  EXPECT_EQ(settings["LoggingLevel"], "ERROR");
  EXPECT_EQ(settings["DataTraceEnabled"], false);
  // Catching up must fit.
  EXPECT_GE(settings["ThrottlingBurstLimit"].asInt(), kCollectorMaxConcurrency);
  EXPECT_GT(settings["ThrottlingRateLimit"].asInt(), 0);
}

TEST(SchedulerMockApi, RefusesRequestsWithoutAWindowBeforeTheFunction) {
  const Json::Value validator = Default().Properties("MockApiValidator");
  EXPECT_EQ(validator["ValidateRequestParameters"], true);
  EXPECT_EQ(validator["ValidateRequestBody"], true);
  const Json::Value method = Default().Properties("ResponseCountMethod");
  EXPECT_EQ(method["RequestValidatorId"], "MockApiValidator");
  EXPECT_EQ(json::WriteValue(method["RequestParameters"]),
            R"({"method.request.querystring.from":true,)"
            R"("method.request.querystring.to":true})");
  EXPECT_FALSE(
      Default().Properties("HealthMethod").isMember("RequestParameters"));
}

TEST(SchedulerMockApi, SnapsADeploymentOfEveryMethod) {
  const std::vector<std::string> deployments =
      Default().Ids("AWS::ApiGateway::Deployment");
  ASSERT_THAT(deployments, SizeIs(1));
  // A hash is part of the id, so that a changed API is deployed anew.
  constexpr absl::string_view kName = "MockApiDeployment";
  EXPECT_TRUE(absl::StartsWith(deployments[0], kName));
  EXPECT_THAT(deployments[0], SizeIs(kName.size() + 10));
  EXPECT_THAT(
      Texts(Default().source()["Resources"][deployments[0]]["DependsOn"]),
      UnorderedElementsAre("ResponseCountMethod", "HealthMethod",
                           "MockApiBadParametersResponse"));
  EXPECT_EQ(Default().Properties("MockApiStage")["DeploymentId"],
            deployments[0]);
}

TEST(SchedulerMockApi, IsDeployedAnewWhenItIsClosed) {
  const DeployedTemplate closed(
      SchedulerStack(), {{"ApiBaseUrl", kOwnApi}, {"MockApiAccess", "key"}});
  const std::vector<std::string> deployments =
      closed.Ids("AWS::ApiGateway::Deployment");
  ASSERT_THAT(deployments, SizeIs(1));
  EXPECT_THAT(Default().Ids(), ::testing::Not(Contains(deployments[0])));
  EXPECT_EQ(closed.Properties("MockApiStage")["DeploymentId"], deployments[0]);
  EXPECT_THAT(Texts(closed.source()["Resources"][deployments[0]]["DependsOn"]),
              UnorderedElementsAre("ResponseCountMethod", "HealthMethod",
                                   "MockApiBadParametersResponse"));
}

TEST(SchedulerMockApi, PollsTheMockApiUnlessToldOtherwise) {
  EXPECT_EQ(Default().Output("MockApiUrl"),
            "https://MockApi.execute-api.us-east-1.amazonaws.com/prod");
  const auto base_url = [](const DeployedTemplate& deployed) {
    return deployed.Properties("CollectorFunction")["Environment"]["Variables"]
                                                   [core::kApiBaseUrlVariable];
  };
  EXPECT_EQ(base_url(Default()), *Default().Output("MockApiUrl"));
  const DeployedTemplate own(SchedulerStack(), {{"ApiBaseUrl", kOwnApi}});
  EXPECT_EQ(base_url(own), kOwnApi);
  EXPECT_TRUE(own.Has("MockApi"));
}

TEST(SchedulerMockApi, CanDoWithoutTheMockApi) {
  const DeployedTemplate deployed(
      SchedulerStack(), {{"ApiBaseUrl", kOwnApi}, {"MockApiAccess", "none"}});
  EXPECT_THAT(deployed.Refusals(), IsEmpty());
  EXPECT_EQ(deployed.Output("MockApiUrl"), std::nullopt);
  for (const std::string& id : deployed.Ids()) {
    EXPECT_THAT(id, ::testing::Not(HasSubstr("MockApi")));
    EXPECT_THAT(deployed.TypeOf(id), ::testing::Not(HasSubstr("ApiGateway")));
    deployed.Properties(id);  // fails if it refers to what is not there
  }
}

TEST(SchedulerMockApi, CanAskForAKeyToTheMockApi) {
  const DeployedTemplate deployed(
      SchedulerStack(), {{"ApiBaseUrl", kOwnApi}, {"MockApiAccess", "key"}});
  EXPECT_THAT(deployed.Refusals(), IsEmpty());
  EXPECT_EQ(deployed.Properties("ResponseCountMethod")["ApiKeyRequired"], true);
  EXPECT_EQ(deployed.Properties("HealthMethod")["ApiKeyRequired"], false);
  EXPECT_EQ(deployed.Properties("MockApiUsagePlanKey")["KeyId"], "MockApiKey");
  EXPECT_EQ(deployed.Properties("MockApiUsagePlan")["ApiStages"][0]["Stage"],
            "MockApiStage");
  EXPECT_EQ(deployed.Output("MockApiKeyId"), "MockApiKey");
  EXPECT_FALSE(Default().Has("MockApiKey"));
}

TEST(SchedulerMockApi, RefusesToPollAMockApiThatTheCollectorCantCall) {
  EXPECT_THAT(Default().Refusals(), IsEmpty());
  for (const char* access : {"key", "none"}) {
    const DeployedTemplate deployed(SchedulerStack(),
                                    {{"MockApiAccess", access}});
    EXPECT_THAT(deployed.Refusals(),
                ElementsAre(HasSubstr("MockApiAccess must be public")));
  }
}

TEST(SchedulerMockApi, LeavesTheAccountsLogRoleAloneIfAsked) {
  EXPECT_TRUE(Default().Has("ApiGatewayAccount"));
  const DeployedTemplate deployed(SchedulerStack(),
                                  {{"SetApiGatewayLogRole", "false"}});
  EXPECT_FALSE(deployed.Has("ApiGatewayAccount"));
  EXPECT_FALSE(deployed.Has("ApiGatewayLogRole"));
  EXPECT_TRUE(deployed.Has("MockApiStage"));
}

}  // namespace
}  // namespace byoshin::infra
