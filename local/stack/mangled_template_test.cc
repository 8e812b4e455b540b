// Templates in which any one value is something else: they are refused with an
// error, or deployed, but never end the cloud.

#include <gtest/gtest.h>
#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/cloudformation/deployer.h"
#include "local/lambda/testing/zip.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::local::stack {
namespace {

// Something of everything that templates may have.
constexpr char kWhole[] = R"json({
  "AWSTemplateFormatVersion": "2010-09-09",
  "Description": "d",
  "Metadata": {"Byoshin": {"Code": {"CodeName": "code.zip"}}},
  "Parameters": {
    "CodeName": {"Type": "String", "AllowedPattern": ".*", "MaxLength": 99},
    "Zones": {"Type": "CommaDelimitedList", "Default": "a,b",
              "AllowedValues": ["a", "b"], "NoEcho": "true"}},
  "Mappings": {"Sizes": {"small": {"MB": "128", "List": ["x"]}}},
  "Conditions": {"On": {"Fn::Not": [{"Fn::Equals": ["a", "b"]}]},
                 "Both": {"Fn::And": [{"Condition": "On"},
                                      {"Condition": "On"}]}},
  "Rules": {"R": {"RuleCondition": {"Fn::Equals": ["a", "a"]},
                  "Assertions": [{"Assert": {"Fn::Contains": [
                      ["a"], "a"]}, "AssertDescription": "x"}]}},
  "Resources": {
    "Dead": {"Type": "AWS::SQS::Queue", "DeletionPolicy": "Delete"},
    "Jobs": {"Type": "AWS::SQS::Queue", "Condition": "On",
      "DependsOn": ["Dead"],
      "Properties": {"VisibilityTimeout": 30,
        "RedrivePolicy": {"deadLetterTargetArn": {"Fn::GetAtt": ["Dead",
                                                                 "Arn"]},
                          "maxReceiveCount": 5},
        "Tags": [{"Key": "k", "Value": {"Fn::Select": [0, {"Ref": "Zones"}]}}]}},
    "QueuePolicy": {"Type": "AWS::SQS::QueuePolicy", "Properties": {
      "Queues": [{"Ref": "Jobs"}],
      "PolicyDocument": {"Version": "2012-10-17", "Statement": [{
        "Effect": "Deny", "Principal": "*", "Action": "sqs:*",
        "Resource": {"Fn::GetAtt": ["Jobs", "Arn"]},
        "Condition": {"Bool": {"aws:SecureTransport": "false"}}}]}}},
    "Table": {"Type": "AWS::DynamoDB::Table", "Properties": {
      "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
      "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
      "GlobalSecondaryIndexes": [{"IndexName": "index",
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "INCLUDE",
                       "NonKeyAttributes": ["x"]}}],
      "BillingMode": "PAY_PER_REQUEST",
      "SSESpecification": {"SSEEnabled": true},
      "TimeToLiveSpecification": {"AttributeName": "x", "Enabled": true},
      "Tags": [{"Key": "k", "Value": "v"}]}},
    "Role": {"Type": "AWS::IAM::Role", "Properties": {
      "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"},
        "Action": "sts:AssumeRole"}]},
      "ManagedPolicyArns": [
        "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"],
      "Policies": [{"PolicyName": "p", "PolicyDocument": {
        "Version": "2012-10-17", "Statement": [{"Effect": "Allow",
        "Action": ["sqs:*"], "Resource": "*"}]}}]}},
    "Log": {"Type": "AWS::Logs::LogGroup",
            "Properties": {"RetentionInDays": 14}},
    "Function": {"Type": "AWS::Lambda::Function", "Properties": {
      "Runtime": "provided.al2023", "Architectures": ["x86_64"],
      "MemorySize": {"Fn::FindInMap": ["Sizes", "small", "MB"]},
      "Environment": {"Variables": {"NAME": {"Fn::Sub": ["${x}-${Jobs}",
                                                      {"x": "y"}]}}},
      "LoggingConfig": {"LogGroup": {"Ref": "Log"}, "LogFormat": "JSON"},
      "Code": {"S3Bucket": "any", "S3Key": {"Ref": "CodeName"}},
      "Role": {"Fn::GetAtt": "Role.Arn"}}},
    "Mapping": {"Type": "AWS::Lambda::EventSourceMapping", "Properties": {
      "EventSourceArn": {"Fn::GetAtt": ["Jobs", "Arn"]},
      "FunctionName": {"Ref": "Function"}, "BatchSize": 1,
      "FunctionResponseTypes": ["ReportBatchItemFailures"]}},
    "Invoke": {"Type": "AWS::Lambda::EventInvokeConfig", "Properties": {
      "FunctionName": {"Ref": "Function"}, "Qualifier": "$LATEST",
      "DestinationConfig": {"OnFailure": {"Destination": {
          "Fn::GetAtt": ["Dead", "Arn"]}}}}},
    "Schedule": {"Type": "AWS::Events::Rule", "Properties": {
      "ScheduleExpression": "rate(1 minute)",
      "Targets": [{"Id": "t", "Arn": {"Fn::GetAtt": ["Function", "Arn"]},
                   "Input": "{}", "RetryPolicy": {"MaximumRetryAttempts": 1},
                   "DeadLetterConfig": {"Arn": {"Fn::GetAtt": ["Dead",
                                                               "Arn"]}}}]}},
    "Permission": {"Type": "AWS::Lambda::Permission", "Properties": {
      "Action": "lambda:InvokeFunction", "FunctionName": {"Ref": "Function"},
      "Principal": "events.amazonaws.com",
      "SourceArn": {"Fn::GetAtt": ["Schedule", "Arn"]}}},
    "Api": {"Type": "AWS::ApiGateway::RestApi", "Properties": {
      "Name": "api", "BinaryMediaTypes": ["image/*"],
      "Tags": [{"Key": "k", "Value": "v"}]}},
    "Path": {"Type": "AWS::ApiGateway::Resource", "Properties": {
      "RestApiId": {"Ref": "Api"}, "PathPart": "x",
      "ParentId": {"Fn::GetAtt": ["Api", "RootResourceId"]}}},
    "Method": {"Type": "AWS::ApiGateway::Method", "Properties": {
      "RestApiId": {"Ref": "Api"}, "ResourceId": {"Ref": "Path"},
      "HttpMethod": "GET", "AuthorizationType": "NONE",
      "Integration": {"Type": "AWS_PROXY", "IntegrationHttpMethod": "POST",
        "Uri": {"Fn::Join": ["", ["arn:aws:apigateway:us-east-1:lambda:path/",
          "2015-03-31/functions/", {"Fn::GetAtt": ["Function", "Arn"]},
          "/invocations"]]}}}},
    "Deployed": {"Type": "AWS::ApiGateway::Deployment", "DependsOn": "Method",
      "Properties": {"RestApiId": {"Ref": "Api"}}},
    "Stage": {"Type": "AWS::ApiGateway::Stage", "Properties": {
      "RestApiId": {"Ref": "Api"}, "DeploymentId": {"Ref": "Deployed"},
      "StageName": "s", "MethodSettings": [{"ResourcePath": "/*",
        "HttpMethod": "*", "ThrottlingRateLimit": 5}]}},
    "Topic": {"Type": "AWS::SNS::Topic", "Properties": {
      "DisplayName": {"Fn::If": ["On", "a", {"Ref": "AWS::NoValue"}]}}}},
  "Outputs": {"Url": {"Description": "d", "Condition": "On",
    "Value": {"Fn::Join": ["", {"Fn::Split": [",", "a,b"]}]},
    "Export": {"Name": "name"}}}})json";

// Each value inside `value`, itself last: what is inside it has another place
// once it was changed.
void Collect(Json::Value& value, const std::string& path,
             std::vector<std::pair<std::string, Json::Value*>>& places) {
  if (value.isObject()) {
    for (const std::string& name : value.getMemberNames()) {
      Collect(value[name], absl::StrCat(path, ".", name), places);
    }
  } else if (value.isArray()) {
    for (Json::ArrayIndex i = 0; i < value.size(); ++i) {
      Collect(value[i], absl::StrCat(path, "[", i, "]"), places);
    }
  }
  places.emplace_back(path, &value);
}

TEST(MangledTemplate, IsRefusedWithAnErrorOrDeployed) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'764'670'980));
  const std::unique_ptr<StackCloud> cloud =
      *StackCloud::Start({.gateway = {.port = 0}}, clock);
  const std::string zip = lambda::MakeZip(
      {{.name = "bootstrap", .mode = 0100755, .content = "#!/bin/sh\n"}});
  const auto deploy = [&](const Json::Value& t) {
    return cloud
        ->Deploy({.template_text = json::WriteValue(t),
                  .zips = {{"code.zip", zip}, {"Function.zip", zip}}})
        .status();
  };
  Json::Value whole = *json::ParseValue(kWhole);
  ASSERT_EQ(deploy(whole), absl::OkStatus());

  std::vector<std::pair<std::string, Json::Value*>> places;
  Collect(whole, "template", places);
  const std::vector<std::string> others = {"5",
                                           R"("x")",
                                           "[]",
                                           R"([["x"]])",
                                           R"({"x":5})",
                                           R"({"Ref":"Zones"})",
                                           R"({"Fn::Sub":[5,5]})"};
  int refused = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& [path, place] = places[i];
    // All of them near the top; below, some here and others there.
    const bool is_near_top = std::count(path.begin(), path.end(), '.') <= 2;
    const std::size_t tries = is_near_top ? others.size() : 3;
    for (std::size_t attempt = 0; attempt < tries; ++attempt) {
      const std::string& other = others[(i + attempt) % others.size()];
      const Json::Value before = *place;
      *place = *json::ParseValue(other);
      const absl::Status status = deploy(whole);
      *place = before;
      if (status.ok()) continue;
      ++refused;
      EXPECT_FALSE(status.message().empty()) << path << ": " << other;
      EXPECT_FALSE(absl::StrContains(status.message(), "rolling back failed"))
          << path << ": " << other << ": " << status;
    }
  }
  EXPECT_GT(refused, 500);
  EXPECT_EQ(deploy(whole), absl::OkStatus());
}

}  // namespace
}  // namespace byoshin::local::stack
