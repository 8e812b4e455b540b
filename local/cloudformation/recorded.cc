#include "local/cloudformation/recorded.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::cloudformation {
namespace {

// The name in the template, or a generated one.
std::string NameOf(const ResourceRequest& request, absl::string_view property,
                   std::size_t max_length) {
  const absl::StatusOr<std::string> name =
      TextProperty(request.properties, property);
  if (name.ok() && !name->empty()) return *name;
  return GeneratedName(request, max_length);
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-cloudwatch-alarm.html
ResourceState AlarmState(const ResourceRequest& request) {
  const std::string name = NameOf(request, "AlarmName", 255);
  return {.physical_id = name,
          .attributes = {{"Arn", ArnOf(request.stack, "cloudwatch",
                                       absl::StrCat("alarm:", name))}}};
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-cloudwatch-dashboard.html
ResourceState DashboardState(const ResourceRequest& request) {
  return {.physical_id = NameOf(request, "DashboardName", 255)};
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-sns-topic.html
ResourceState TopicState(const ResourceRequest& request) {
  const std::string name = NameOf(request, "TopicName", 256);
  const std::string arn = ArnOf(request.stack, "sns", name);
  return {.physical_id = arn,
          .attributes = {{"TopicArn", arn}, {"TopicName", name}}};
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-sns-subscription.html
ResourceState SubscriptionState(const ResourceRequest& request) {
  const std::string arn =
      absl::StrCat(TextProperty(request.properties, "TopicArn").value_or(""),
                   ":", absl::AsciiStrToLower(request.name_suffix));
  return {.physical_id = arn, .attributes = {{"Arn", arn}}};
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-sns-topicpolicy.html
ResourceState TopicPolicyState(const ResourceRequest& request) {
  const std::string id = GeneratedName(request, 255);
  return {.physical_id = id, .attributes = {{"Id", id}}};
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-apigateway-account.html
ResourceState AccountState(const ResourceRequest& request) {
  const std::string id = GeneratedName(request, 255);
  return {.physical_id = id, .attributes = {{"Id", id}}};
}

// Not thread-safe. Its state is in the stack.
class RecordedProvider final : public ResourceProvider {
 public:
  explicit RecordedProvider(const RecordedType& type) : type_(type) {
    schema_.acted_on = type.acted_on;
    for (const std::string& path : type.inert) {
      schema_.inert.push_back({.path = path, .reason = type.reason});
    }
    schema_.required = type.required;
    schema_.create_only = type.create_only;
    schema_.attributes = type.attributes;
  }

  absl::string_view type() const override { return type_.type; }
  const ResourceSchema& schema() const override { return schema_; }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    return type_.state(request);
  }
  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    return type_.state(request);
  }
  absl::Status Delete(const ResourceRequest&) override {
    return absl::OkStatus();
  }

 private:
  const RecordedType& type_;
  ResourceSchema schema_;
};

}  // namespace

const std::vector<RecordedType>& RecordedTypes() {
  static const auto& types = *new std::vector<RecordedType>{
      {.type = "AWS::CloudWatch::Alarm",
       .reason = "the dashboard of the local cloud shows what alarms watch",
       .acted_on = {"AlarmName"},
       .inert = {"ActionsEnabled",
                 "AlarmActions",
                 "AlarmDescription",
                 "ComparisonOperator",
                 "DatapointsToAlarm",
                 "Dimensions",
                 "EvaluateLowSampleCountPercentile",
                 "EvaluationPeriods",
                 "ExtendedStatistic",
                 "InsufficientDataActions",
                 "MetricName",
                 "Metrics",
                 "Namespace",
                 "OKActions",
                 "Period",
                 "Statistic",
                 "Tags",
                 "Threshold",
                 "ThresholdMetricId",
                 "TreatMissingData",
                 "Unit"},
       .required = {"ComparisonOperator", "EvaluationPeriods"},
       .create_only = {"AlarmName"},
       .attributes = {"Arn"},
       .expected = "alarm",
       .state = AlarmState},
      {.type = "AWS::CloudWatch::Dashboard",
       .reason = "the local cloud has a dashboard of its own",
       .acted_on = {"DashboardName"},
       .inert = {"DashboardBody", "Tags"},
       .required = {"DashboardBody"},
       .create_only = {"DashboardName"},
       .state = DashboardState},
      {.type = "AWS::SNS::Topic",
       .reason = "only alarms publish, and alarms are recorded only",
       .acted_on = {"TopicName"},
       .inert = {"DisplayName", "KmsMasterKeyId", "Tags"},
       .create_only = {"TopicName"},
       .attributes = {"TopicArn", "TopicName"},
       .expected = "topic",
       .state = TopicState},
      {.type = "AWS::SNS::Subscription",
       .reason = "only alarms publish, and a test machine sends no e-mail",
       .acted_on = {"TopicArn"},
       .inert = {"Endpoint", "Protocol", "RedrivePolicy"},
       .required = {"Protocol", "TopicArn"},
       .create_only = {"Endpoint", "Protocol", "TopicArn"},
       .attributes = {"Arn"},
       .expected = "subscription",
       .state = SubscriptionState},
      {.type = "AWS::SNS::TopicPolicy",
       .reason = "nothing publishes to a recorded topic",
       .inert = {"PolicyDocument", "Topics"},
       .required = {"PolicyDocument", "Topics"},
       .attributes = {"Id"},
       .state = TopicPolicyState},
      {.type = "AWS::ApiGateway::Account",
       .reason = "the local cloud writes access logs without any role",
       .inert = {"CloudWatchRoleArn"},
       .attributes = {"Id"},
       .state = AccountState},
  };
  return types;
}

std::string DescribeRecorded(const Stack& stack) {
  std::vector<std::string> counts;
  for (const RecordedType& type : RecordedTypes()) {
    if (type.expected.empty()) continue;
    const auto count = std::count_if(
        stack.resources.begin(), stack.resources.end(),
        [&](const auto& entry) { return entry.second.type == type.type; });
    if (count == 0) continue;
    counts.push_back(
        absl::StrCat(count, " ", type.expected, count == 1 ? "" : "s"));
  }
  return absl::StrJoin(counts, ", ");
}

void AddRecordedProviders(ProviderRegistry& registry) {
  for (const RecordedType& type : RecordedTypes()) {
    registry.Add(std::make_unique<RecordedProvider>(type));
  }
}

}  // namespace byoshin::local::cloudformation
