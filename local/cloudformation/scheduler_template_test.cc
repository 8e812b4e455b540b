// The generated template, the very one that AWS gets, in the local cloud.

#include <json/json.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/files/read_file.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/recorded.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/testing/fake_provider.h"
#include "local/cloudformation/testing/service_schemas.h"
#include "local/iam/cloudformation.h"
#include "local/iam/iam.h"
#include "local/logs/cloudformation.h"
#include "local/logs/log_groups.h"
#include "local/logs/logs.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::cloudformation {
namespace {

using testing::FakeProvider;
using testing::FakeWorld;
using testing::ServiceSchema;
using testing::ServiceSchemas;

// Relative to the workspace, where tests run.
constexpr char kTemplate[] = "infra/gen/scheduler.template.json";

class SchedulerTemplateTest : public ::testing::Test {
 protected:
  SchedulerTemplateTest() : clock_(absl::FromUnixSeconds(0)), iam_(clock_, {}) {
    for (const ServiceSchema& service : ServiceSchemas()) {
      EXPECT_TRUE(registry_.Add(
          std::make_unique<FakeProvider>(service.type, service.schema, world_)))
          << service.type;
    }
    world_.id_prefixes["AWS::SQS::Queue"] =
        "http://127.0.0.1:4566/000000000000/";
    world_.arn_prefix = "arn:aws:fake:us-east-1:000000000000:";
    registry_.Add(logs::LogGroupProvider(log_groups_, logs_, clock_));
    iam::AddIamProviders(iam_, registry_);
    AddRecordedProviders(registry_);
    store_ = *OpenSqliteStore({});
    deployer_ = *Deployer::Open(*store_, clock_, registry_, {});
  }

  absl::StatusOr<DeployResult> Deploy(
      std::map<std::string, std::string> parameters = {}) {
    parameters.insert({{"CodeBucket", "local"},
                       {"SenderCode", "sender-1.zip"},
                       {"CollectorCode", "collector-1.zip"},
                       {"MockApiCode", "mock_api-1.zip"}});
    world_.calls.clear();
    return deployer_->Deploy(
        {.stack_name = "byoshin",
         .template_text = files::ReadFile(kTemplate).value(),
         .parameters = parameters});
  }

  iam::Decision MayRole(const DeployResult& deployed, const std::string& role,
                        const std::string& action,
                        const std::string& resource) {
    const auto session = iam_.AssumeRole(
        {.role_arn =
             deployed.stack.resources.at(role).state.attributes.at("Arn"),
         .session_name = "test",
         .service = "lambda.amazonaws.com"});
    EXPECT_TRUE(session.ok()) << session.status();
    return iam_.Authorize(
        {.principal = iam_.PrincipalOf(session->access_key_id),
         .action = action,
         .resource = resource});
  }

  time::SimulatedClock clock_;
  logs::LogGroups log_groups_;
  logs::Logs logs_{clock_, {}};
  iam::Iam iam_;
  FakeWorld world_;
  ProviderRegistry registry_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Deployer> deployer_;
};

TEST_F(SchedulerTemplateTest, IsDeployedWithItsDefaults) {
  const auto result = Deploy();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->stack.status, "CREATE_COMPLETE");
  const auto& resources = result->stack.resources;
  EXPECT_EQ(resources.count("MockApiStage"), 1u);
  EXPECT_EQ(resources.count("MockApiKey"), 0u);
  EXPECT_EQ(resources.count("AlarmTopic"), 0u);
  const std::string queue = resources.at("SchedulingQueue").state.physical_id;
  EXPECT_EQ(result->stack.outputs.at("SchedulingQueueUrl").value, queue);
  EXPECT_EQ(resources.at("SenderFunction")
                .properties["Environment"]["Variables"]["QUEUE_URL"],
            Json::Value(queue));
  EXPECT_EQ(resources.at("SenderFunction").properties["Code"]["S3Key"],
            Json::Value("byoshin/sender-1.zip"));
  EXPECT_EQ(resources.at("SenderLogGroup").state.physical_id,
            "/byoshin/byoshin/sender");
  // The dashboard's body is JSON after everything has been put into it.
  EXPECT_TRUE(
      json::ParseValue(
          resources.at("Dashboard").properties["DashboardBody"].asString())
          .ok());
}

TEST_F(SchedulerTemplateTest, IsDeployedWithEveryPartOfIt) {
  const auto result = Deploy({{"MockApiAccess", "key"},
                              {"ApiBaseUrl", "http://127.0.0.1:3000"},
                              {"AlarmEmail", "a@example.com"},
                              {"ReservedConcurrency", "10"}});
  ASSERT_TRUE(result.ok()) << result.status();
  // All but the deployment of an API that is open.
  EXPECT_EQ(result->stack.resources.size(),
            json::ParseValue(files::ReadFile(kTemplate).value())
                    .value()["Resources"]
                    .size() -
                1);
  // So every provider of the table is needed.
  std::set<std::string> types;
  for (const auto& [id, resource] : result->stack.resources) {
    types.insert(resource.type);
  }
  EXPECT_EQ(std::vector<std::string>(types.begin(), types.end()),
            registry_.Types());
}

TEST_F(SchedulerTemplateTest, ChangesOneFunctionForOneZip) {
  ASSERT_TRUE(Deploy().ok());
  const auto result = Deploy({{"SenderCode", "sender-2.zip"}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(world_.calls, std::vector<std::string>{"update SenderFunction"});
  EXPECT_FALSE(Deploy({{"SenderCode", "sender-2.zip"}})->changed);
}

TEST_F(SchedulerTemplateTest, RefusesParametersThatItsRulesForbid) {
  const auto result = Deploy({{"MockApiAccess", "none"}});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(absl::StrContains(result.status().message(),
                                "MockApiAccess must be public"));
  EXPECT_TRUE(world_.things.empty());
}

TEST_F(SchedulerTemplateTest, KeepsItsDataWhenItIsDeleted) {
  ASSERT_TRUE(Deploy().ok());
  ASSERT_TRUE(deployer_->Delete("byoshin").ok());
  std::set<std::string> left;
  for (const auto& [id, properties] : world_.things) {
    const std::string name = id.substr(id.rfind('/') + 1);
    left.insert(name.substr(0, name.rfind('-')));
  }
  EXPECT_EQ(left, (std::set<std::string>{"byoshin-MetricsTable",
                                         "byoshin-RuleFailureQueue",
                                         "byoshin-SchedulingDeadLetterQueue",
                                         "byoshin-SenderFailureQueue"}));
}

TEST_F(SchedulerTemplateTest, GivesTheFunctionsJustTheirPermissions) {
  const auto result = Deploy();
  ASSERT_TRUE(result.ok()) << result.status();
  const auto arn = [&](const std::string& id) {
    return result->stack.resources.at(id).state.attributes.at("Arn");
  };
  EXPECT_TRUE(
      MayRole(*result, "SenderRole", "sqs:SendMessage", arn("SchedulingQueue"))
          .allowed());
  EXPECT_TRUE(
      MayRole(*result, "CollectorRole", "dynamodb:PutItem", arn("MetricsTable"))
          .allowed());
  EXPECT_FALSE(MayRole(*result, "CollectorRole", "dynamodb:DeleteItem",
                       arn("MetricsTable"))
                   .allowed());
  EXPECT_FALSE(
      MayRole(*result, "SenderRole", "dynamodb:PutItem", arn("MetricsTable"))
          .allowed());
}

}  // namespace
}  // namespace byoshin::local::cloudformation
