// The template against the functions' own code: the functions are run with the
// variables that the template gives them, and what they ask for, call and emit
// is compared with what the template sets, permits and watches.
#include <json/json.h>

#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/json/value.h"
#include "core/scheduler/constants.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "infra/gen/scheduler_stack.h"
#include "infra/gen/testing/deployed_template.h"
#include "infra/gen/testing/function_invocation.h"
#include "infra/gen/testing/permissions.h"

namespace byoshin::infra {
namespace {

using ::testing::Contains;
using testing::DeployedTemplate;
using testing::FunctionInvocation;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using testing::LambdasOwnVariables;
using testing::PermissionsOf;
using ::testing::SizeIs;
using testing::VariablesOf;

namespace core = ::byoshin::scheduler;

// Read, but not meant to be set on AWS: they lead to other endpoints than AWS's
// and to other certificates than the platform's.
const std::set<std::string>& VariablesForOtherPlaces() {
  static const auto* const kVariables = new std::set<std::string>{
      "AWS_CA_BUNDLE",        "AWS_ENDPOINT_URL",
      "AWS_ENDPOINT_URL_SQS", "AWS_ENDPOINT_URL_DYNAMODB",
      "CURL_CA_BUNDLE",       "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
      "SSL_CERT_FILE"};
  return *kVariables;
}

class SchedulerBehaviourTest : public ::testing::Test {
 protected:
  SchedulerBehaviourTest() {
    sender_.RunSender();
    collector_.RunCollector();
  }

  const DeployedTemplate deployed_{SchedulerStack(),
                                   {{"WindowLagSeconds", "10"}}};
  FunctionInvocation sender_{deployed_, "SenderFunction"};
  FunctionInvocation collector_{deployed_, "CollectorFunction"};
};

// Variables.

// Of those that a function reads, what the template has to set.
std::set<std::string> NeededVariables(const FunctionInvocation& invocation) {
  std::set<std::string> needed;
  for (const std::string& name : invocation.variables_read()) {
    if (LambdasOwnVariables().count(name) == 0 &&
        VariablesForOtherPlaces().count(name) == 0) {
      needed.insert(name);
    }
  }
  return needed;
}

std::set<std::string> SetVariables(const DeployedTemplate& deployed,
                                   const std::string& function) {
  std::set<std::string> names;
  for (const auto& variable : VariablesOf(deployed, function)) {
    names.insert(variable.first);
  }
  return names;
}

TEST_F(SchedulerBehaviourTest, SetsTheVariablesThatTheSenderReadsAndNoOthers) {
  EXPECT_EQ(SetVariables(deployed_, "SenderFunction"),
            NeededVariables(sender_));
}

TEST_F(SchedulerBehaviourTest,
       SetsTheVariablesThatTheCollectorReadsAndNoOthers) {
  EXPECT_EQ(SetVariables(deployed_, "CollectorFunction"),
            NeededVariables(collector_));
}

TEST_F(SchedulerBehaviourTest, SetsNothingForTheMockApiWhichReadsNothing) {
  EXPECT_THAT(SetVariables(deployed_, "MockApiFunction"), SizeIs(0));
}

TEST_F(SchedulerBehaviourTest, LeadsTheFunctionsToTheStacksOwnThings) {
  ASSERT_THAT(sender_.requests(), SizeIs(2));
  EXPECT_TRUE(absl::StartsWith(sender_.requests()[0].url,
                               "https://sqs.us-east-1.amazonaws.com"));
  ASSERT_THAT(collector_.requests(), SizeIs(2));
  EXPECT_THAT(collector_.requests()[0].url,
              HasSubstr(absl::StrCat(
                  "https://mockapi.execute-api.us-east-1.amazonaws.com/prod",
                  core::kResponseCountPath, "?")));
}

TEST_F(SchedulerBehaviourTest, TellsBothFunctionsTheSameLag) {
  // Ten seconds before 10:23:00, when the minute's first slot is due.
  const Json::Value input =
      json::ParseValue(sender_.requests()[0].body).value();
  EXPECT_THAT(input["Entries"][0]["MessageBody"].asString(),
              HasSubstr("2025-12-02T10:22:50Z"));
  EXPECT_EQ(
      VariablesOf(deployed_, "SenderFunction")[core::kWindowLagVariable],
      VariablesOf(deployed_, "CollectorFunction")[core::kWindowLagVariable]);
}

// Permissions.

// What IAM asks for a request, and on what: SQS's batches are permitted by the
// permission for one message.
std::string PermissionFor(const DeployedTemplate& deployed,
                          const http::Request& request) {
  const std::string target = http::testing::HeaderOf(request, "X-Amz-Target");
  const Json::Value input = json::ParseValue(request.body).value();
  absl::string_view operation = target;
  if (absl::ConsumePrefix(&operation, "AmazonSQS.")) {
    const std::string url = input["QueueUrl"].asString();
    return absl::StrCat("sqs:", absl::StripSuffix(operation, "Batch"), " on ",
                        url.substr(url.rfind('/') + 1), ".Arn");
  }
  EXPECT_TRUE(absl::ConsumePrefix(&operation, "DynamoDB_20120810.")) << target;
  std::string table;
  for (const std::string& id : deployed.Ids("AWS::DynamoDB::Table")) {
    if (deployed.Properties(id)["TableName"] == input["TableName"]) table = id;
  }
  return absl::StrCat("dynamodb:", operation, " on ", table, ".Arn");
}

// What the function's calls need, and what Lambda itself does in its name.
std::set<std::string> NeededPermissions(const DeployedTemplate& deployed,
                                        const std::string& function,
                                        const FunctionInvocation& invocation) {
  std::set<std::string> needed = {"xray:PutTraceSegments on *",
                                  "xray:PutTelemetryRecords on *"};
  for (const http::Request& request : invocation.requests()) {
    if (http::testing::HeaderOf(request, "X-Amz-Target").empty()) continue;
    needed.insert(PermissionFor(deployed, request));
  }
  const std::string log_group =
      deployed.Properties(function)["LoggingConfig"]["LogGroup"].asString();
  for (const char* action : {"CreateLogStream", "PutLogEvents"}) {
    needed.insert(absl::StrCat("logs:", action, " on ", log_group, ".Arn"));
  }
  for (const auto& id : deployed.Ids("AWS::Lambda::EventSourceMapping")) {
    const Json::Value mapping = deployed.Properties(id);
    if (mapping["FunctionName"] != function) continue;
    for (const char* action :
         {"ReceiveMessage", "DeleteMessage", "GetQueueAttributes"}) {
      needed.insert(absl::StrCat("sqs:", action, " on ",
                                 mapping["EventSourceArn"].asString()));
    }
  }
  for (const auto& id : deployed.Ids("AWS::Lambda::EventInvokeConfig")) {
    const Json::Value config = deployed.Properties(id);
    if (config["FunctionName"] != function) continue;
    needed.insert(absl::StrCat(
        "sqs:SendMessage on ",
        config["DestinationConfig"]["OnFailure"]["Destination"].asString()));
  }
  return needed;
}

TEST_F(SchedulerBehaviourTest, PermitsWhatTheSenderCallsAndNothingElse) {
  EXPECT_EQ(PermissionsOf(deployed_, "SenderFunction"),
            NeededPermissions(deployed_, "SenderFunction", sender_));
}

TEST_F(SchedulerBehaviourTest, PermitsWhatTheCollectorCallsAndNothingElse) {
  EXPECT_EQ(PermissionsOf(deployed_, "CollectorFunction"),
            NeededPermissions(deployed_, "CollectorFunction", collector_));
}

TEST_F(SchedulerBehaviourTest, SendsDelaysThatSqsAllows) {
  std::vector<int> delays;
  for (const http::Request& request : sender_.requests()) {
    const Json::Value input = json::ParseValue(request.body).value();
    for (const Json::Value& entry : input["Entries"]) {
      delays.push_back(entry["DelaySeconds"].asInt());
    }
  }
  EXPECT_THAT(delays, ::testing::ElementsAre(0, 5, 10, 15, 20, 25, 30, 35, 40,
                                             45, 50, 55));
}

TEST_F(SchedulerBehaviourTest, WritesTheKeysThatTheTableHas) {
  const Json::Value input =
      json::ParseValue(collector_.requests()[1].body).value();
  const Json::Value keys = deployed_.Properties("MetricsTable")["KeySchema"];
  ASSERT_EQ(keys.size(), 2);
  for (const Json::Value& key : keys) {
    EXPECT_TRUE(input["Item"][key["AttributeName"].asString()]["S"].isString());
  }
}

// Metrics and logs.

// "Metric of Function" for each metric that the invocation emitted into the
// functions' namespace.
std::set<std::string> EmittedMetrics(const FunctionInvocation& invocation) {
  std::set<std::string> emitted;
  for (const Json::Value& line : invocation.logs().metrics()) {
    for (const Json::Value& directive : line["_aws"]["CloudWatchMetrics"]) {
      EXPECT_EQ(directive["Namespace"], core::kMetricsNamespace);
      EXPECT_EQ(json::WriteValue(directive["Dimensions"]),
                absl::StrCat("[[\"", core::kFunctionDimension, "\"]]"));
      for (const Json::Value& metric : directive["Metrics"]) {
        emitted.insert(absl::StrCat(metric["Name"].asString(), " of ",
                                    line[core::kFunctionDimension].asString()));
      }
    }
  }
  return emitted;
}

TEST_F(SchedulerBehaviourTest, WatchesMetricsThatTheFunctionsEmit) {
  std::set<std::string> watched;
  for (const auto& id : deployed_.Ids("AWS::CloudWatch::Alarm")) {
    const Json::Value alarm = deployed_.Properties(id);
    if (alarm["Namespace"] != core::kMetricsNamespace) continue;
    EXPECT_EQ(alarm["Dimensions"][0]["Name"], core::kFunctionDimension);
    watched.insert(absl::StrCat(alarm["MetricName"].asString(), " of ",
                                alarm["Dimensions"][0]["Value"].asString()));
  }
  EXPECT_THAT(watched, SizeIs(2));
  EXPECT_THAT(EmittedMetrics(collector_), IsSupersetOf(watched));
}

TEST_F(SchedulerBehaviourTest, ShowsMetricsThatTheFunctionsEmit) {
  std::set<std::string> emitted = EmittedMetrics(collector_);
  emitted.merge(EmittedMetrics(sender_));
  const Json::Value body =
      json::ParseValue(
          deployed_.Properties("Dashboard")["DashboardBody"].asString())
          .value();
  int shown = 0;
  for (const Json::Value& widget : body["widgets"]) {
    for (const Json::Value& metric : widget["properties"]["metrics"]) {
      if (metric[0] != core::kMetricsNamespace) continue;
      ++shown;
      EXPECT_THAT(emitted, Contains(absl::StrCat(metric[1].asString(), " of ",
                                                 metric[3].asString())));
    }
  }
  EXPECT_GT(shown, 0);
}

TEST_F(SchedulerBehaviourTest, ShowsTheCountsThatTheCollectorLogs) {
  int counts = 0;
  for (const Json::Value& line : collector_.logs().entries()) {
    if (!line.isMember(core::kCountAttribute)) continue;
    ++counts;
    EXPECT_EQ(line[core::kCountAttribute].asInt64(), 1);
    EXPECT_EQ(line["level"], "INFO");
  }
  EXPECT_EQ(counts, 1);
}

TEST_F(SchedulerBehaviourTest, ShowsTheErrorsThatTheCollectorLogs) {
  FunctionInvocation failing(deployed_, "CollectorFunction");
  failing.set_api_answer({.status = 500, .body = "broken"});
  failing.RunCollector();
  const std::vector<Json::Value> errors = failing.logs().AtLevel("ERROR");
  ASSERT_THAT(errors, SizeIs(1));
  // The fields of the dashboard's table.
  for (const char* field : {"message", "from", "step", "error"}) {
    EXPECT_TRUE(errors[0].isMember(field)) << field;
  }
}

}  // namespace
}  // namespace byoshin::infra
