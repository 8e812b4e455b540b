// What the providers of the local cloud's services must at least understand so
// that the scheduler's template can be deployed: a table for tests.
//
//   for (const ServiceSchema& wanted : ServiceSchemas()) …
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_TESTING_SERVICE_SCHEMAS_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_TESTING_SERVICE_SCHEMAS_H_

#include <string>
#include <vector>

#include "local/cloudformation/provider.h"

namespace byoshin::local::cloudformation::testing {

struct ServiceSchema {
  std::string type{};
  ResourceSchema schema{};
};

// `acted_on` is what a provider may not ignore if the deployed scheduler is to
// behave as on AWS; `inert` what it may.
inline const std::vector<ServiceSchema>& ServiceSchemas() {
  static const auto& schemas = *new std::vector<ServiceSchema>{
      {"AWS::SQS::Queue",
       {.acted_on = {"DelaySeconds", "MessageRetentionPeriod", "QueueName",
                     "RedriveAllowPolicy.redrivePermission",
                     "RedrivePolicy.deadLetterTargetArn",
                     "RedrivePolicy.maxReceiveCount", "VisibilityTimeout"},
        .inert = {{"SqsManagedSseEnabled", "files on the own machine"},
                  {"Tags", "the local cloud does not use tags"}},
        .create_only = {"QueueName"},
        .attributes = {"Arn", "QueueName", "QueueUrl"}}},
      {"AWS::SQS::QueuePolicy",
       {.acted_on = {"PolicyDocument.**", "Queues[]"},
        .required = {"PolicyDocument", "Queues"},
        .attributes = {"Id"}}},
      {"AWS::DynamoDB::Table",
       {.acted_on = {"AttributeDefinitions[].AttributeName",
                     "AttributeDefinitions[].AttributeType", "BillingMode",
                     "DeletionProtectionEnabled", "KeySchema[].AttributeName",
                     "KeySchema[].KeyType", "TableName"},
        .inert = {{"PointInTimeRecoverySpecification", "no backups here"},
                  {"SSESpecification", "files on the own machine"},
                  {"Tags", "the local cloud does not use tags"}},
        .required = {"KeySchema"},
        .create_only = {"KeySchema", "TableName"},
        .attributes = {"Arn"}}},
      {"AWS::Lambda::Function",
       {.acted_on = {"Architectures[]", "Code.S3Bucket", "Code.S3Key",
                     "Environment.Variables.*", "FunctionName", "Handler",
                     "LoggingConfig.ApplicationLogLevel",
                     "LoggingConfig.LogFormat", "LoggingConfig.LogGroup",
                     "LoggingConfig.SystemLogLevel", "MemorySize",
                     "ReservedConcurrentExecutions", "Role", "Runtime",
                     "Timeout"},
        .inert = {{"Description", "text for readers"},
                  {"Tags", "the local cloud does not use tags"},
                  {"TracingConfig", "no X-Ray here"}},
        .required = {"Code", "Role"},
        .create_only = {"FunctionName"},
        .attributes = {"Arn"}}},
      {"AWS::Lambda::EventInvokeConfig",
       {.acted_on = {"DestinationConfig.OnFailure.Destination", "FunctionName",
                     "MaximumEventAgeInSeconds", "MaximumRetryAttempts",
                     "Qualifier"},
        .required = {"FunctionName", "Qualifier"},
        .create_only = {"FunctionName", "Qualifier"}}},
      {"AWS::Lambda::EventSourceMapping",
       {.acted_on = {"BatchSize", "EventSourceArn", "FunctionName",
                     "FunctionResponseTypes[]",
                     "ScalingConfig.MaximumConcurrency"},
        .inert = {{"Tags", "the local cloud does not use tags"}},
        .required = {"FunctionName"},
        .create_only = {"EventSourceArn"}}},
      {"AWS::Lambda::Permission",
       {.acted_on = {"Action", "FunctionName", "Principal", "SourceArn"},
        .required = {"Action", "FunctionName", "Principal"},
        .create_only = {"Action", "FunctionName", "Principal", "SourceArn"}}},
      {"AWS::Events::Rule",
       {.acted_on = {"ScheduleExpression", "State", "Targets[].Arn",
                     "Targets[].DeadLetterConfig.Arn", "Targets[].Id",
                     "Targets[].RetryPolicy.MaximumEventAgeInSeconds",
                     "Targets[].RetryPolicy.MaximumRetryAttempts"},
        .inert = {{"Description", "text for readers"},
                  {"Tags", "the local cloud does not use tags"}},
        .attributes = {"Arn"}}},
      {"AWS::ApiGateway::RestApi",
       {.acted_on = {"Name"},
        .inert = {{"Description", "text for readers"},
                  {"EndpointConfiguration", "there is one endpoint"},
                  {"Tags", "the local cloud does not use tags"}},
        .attributes = {"RestApiId", "RootResourceId"}}},
      {"AWS::ApiGateway::Resource",
       {.acted_on = {"ParentId", "PathPart", "RestApiId"},
        .required = {"ParentId", "PathPart", "RestApiId"},
        .create_only = {"ParentId", "PathPart", "RestApiId"}}},
      {"AWS::ApiGateway::Method",
       {.acted_on = {"ApiKeyRequired", "AuthorizationType", "HttpMethod",
                     "Integration.IntegrationHttpMethod", "Integration.Type",
                     "Integration.Uri", "RequestParameters.**",
                     "RequestValidatorId", "ResourceId", "RestApiId"},
        .required = {"HttpMethod", "ResourceId", "RestApiId"},
        .create_only = {"HttpMethod", "ResourceId", "RestApiId"}}},
      {"AWS::ApiGateway::RequestValidator",
       {.acted_on = {"Name", "RestApiId", "ValidateRequestBody",
                     "ValidateRequestParameters"},
        .required = {"RestApiId"},
        .create_only = {"Name", "RestApiId"}}},
      {"AWS::ApiGateway::GatewayResponse",
       {.acted_on = {"ResponseParameters.**", "ResponseTemplates.**",
                     "ResponseType", "RestApiId"},
        .required = {"ResponseType", "RestApiId"},
        .create_only = {"ResponseType", "RestApiId"}}},
      {"AWS::ApiGateway::Deployment",
       {.acted_on = {"RestApiId"},
        .inert = {{"Description", "text for readers"}},
        .required = {"RestApiId"},
        .create_only = {"RestApiId"}}},
      {"AWS::ApiGateway::Stage",
       {.acted_on = {"AccessLogSetting.DestinationArn",
                     "AccessLogSetting.Format", "DeploymentId",
                     "MethodSettings[].HttpMethod",
                     "MethodSettings[].ResourcePath",
                     "MethodSettings[].ThrottlingBurstLimit",
                     "MethodSettings[].ThrottlingRateLimit", "RestApiId",
                     "StageName"},
        .inert = {{"Description", "text for readers"},
                  {"MethodSettings[].DataTraceEnabled", "no execution logs"},
                  {"MethodSettings[].LoggingLevel", "no execution logs"},
                  {"MethodSettings[].MetricsEnabled", "no CloudWatch"},
                  {"Tags", "the local cloud does not use tags"},
                  {"TracingEnabled", "no X-Ray here"}},
        .required = {"RestApiId"},
        .create_only = {"RestApiId", "StageName"}}},
      {"AWS::ApiGateway::ApiKey",
       {.acted_on = {"Enabled"},
        .inert = {{"Description", "text for readers"},
                  {"Tags", "the local cloud does not use tags"}}}},
      {"AWS::ApiGateway::UsagePlan",
       {.acted_on = {"ApiStages[].ApiId", "ApiStages[].Stage",
                     "Throttle.BurstLimit", "Throttle.RateLimit"},
        .inert = {{"Description", "text for readers"},
                  {"Tags", "the local cloud does not use tags"}}}},
      {"AWS::ApiGateway::UsagePlanKey",
       {.acted_on = {"KeyId", "KeyType", "UsagePlanId"},
        .required = {"KeyId", "KeyType", "UsagePlanId"},
        .create_only = {"KeyId", "KeyType", "UsagePlanId"}}},
  };
  return schemas;
}

}  // namespace byoshin::local::cloudformation::testing

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_TESTING_SERVICE_SCHEMAS_H_
