#include "infra/gen/scheduler/mock_api.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/scheduler/constants.h"
#include "infra/cloudformation/apigateway.h"
#include "infra/cloudformation/lambda.h"
#include "infra/cloudformation/logs.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/parts/function.h"
#include "infra/gen/parts/rest_api.h"
#include "infra/gen/scheduler/functions.h"
#include "infra/gen/scheduler/parameters.h"

namespace byoshin::infra::scheduler {
namespace {

namespace apigateway = cloudformation::apigateway;
namespace cfn = cloudformation;
namespace core = ::byoshin::scheduler;
using cfn::Value;

constexpr char kGet[] = "GET";

// A path of the API, and API Gateway's permission to invoke the function for
// it.
struct Endpoint {
  std::string name;  // "Health"; the ids are HealthResource, HealthMethod, …
  absl::string_view path;
  cfn::Resource function;
  Value api_key_required{};
};

struct EndpointResources {
  cfn::Resource resource;
  cfn::Resource method;
};

EndpointResources AddEndpoint(cfn::Template& stack, const Inputs& inputs,
                              const Endpoint& endpoint) {
  const cfn::ResourceOptions options = {.condition = inputs.has_mock_api};
  const absl::string_view part = absl::StripPrefix(endpoint.path, "/");
  const cfn::Resource resource =
      stack.Add(absl::StrCat(endpoint.name, "Resource"),
                apigateway::PathResource{
                    .rest_api = cfn::Ref("MockApi"),
                    .parent = cfn::GetAtt("MockApi", "RootResourceId"),
                    .path_part = std::string(part)},
                options);
  const cfn::Resource method = stack.Add(
      absl::StrCat(endpoint.name, "Method"),
      apigateway::LambdaMethod{.rest_api = cfn::Ref("MockApi"),
                               .path_resource = resource.Ref(),
                               .http_method = kGet,
                               .function_arn = endpoint.function.Arn(),
                               .api_key_required = endpoint.api_key_required},
      options);
  stack.Add(absl::StrCat(endpoint.name, "Permission"),
            cfn::lambda::Permission{
                .function_name = endpoint.function.Ref(),
                .principal = "apigateway.amazonaws.com",
                .source_arn = cfn::Sub(absl::StrCat(
                    "arn:${AWS::Partition}:execute-api:${AWS::Region}:"
                    "${AWS::AccountId}:${MockApi}/",
                    kMockApiStage, "/", kGet, "/", part))},
            options);
  return {.resource = resource, .method = method};
}

// A deployment is a snapshot: its id contains a hash of the content, so that a
// changed API gets a new one. The id also depends on the parameter that opens
// or closes the API: otherwise its stage would not change.
Value AddDeployments(cfn::Template& stack, const Inputs& inputs,
                     const std::vector<EndpointResources>& endpoints) {
  std::vector<std::string> content = {"MockApi"};
  std::vector<std::string> methods;
  for (const auto& [resource, method] : endpoints) {
    content.push_back(resource.id());
    content.push_back(method.id());
    methods.push_back(method.id());
  }
  const std::string hash = parts::ContentHash(stack, content);
  const apigateway::Deployment deployment{
      .rest_api = cfn::Ref("MockApi"),
      .description = "The methods as of this template"};
  const cfn::Resource open =
      stack.Add(absl::StrCat("MockApiDeployment", hash), deployment,
                {.condition = inputs.has_open_mock_api, .depends_on = methods});
  const cfn::Resource closed =
      stack.Add(absl::StrCat("MockApiKeyDeployment", hash), deployment,
                {.condition = inputs.needs_api_key, .depends_on = methods});
  return cfn::If(inputs.needs_api_key, closed.Ref(), open.Ref());
}

cfn::Resource AddStage(cfn::Template& stack, const Inputs& inputs,
                       const Value& deployment) {
  const cfn::Resource log_group = stack.Add(
      "MockApiAccessLogGroup",
      cfn::logs::LogGroup{
          .name = cfn::Sub("/byoshin/${AWS::StackName}/mock-api-access"),
          .retention_days = inputs.functions.observation.log_retention},
      {.condition = inputs.has_mock_api,
       .removal = cfn::RemovalPolicy::kDelete});
  return stack.Add(
      "MockApiStage",
      apigateway::Stage{
          .rest_api = cfn::Ref("MockApi"),
          .deployment = deployment,
          .name = kMockApiStage,
          .description = parts::AddLogRole(stack, inputs.sets_log_role),
          .access_log_group_arn = log_group.Arn(),
          .access_log_format = parts::AccessLogFormat(),
          .rate_limit = kMockApiRateLimit,
          .burst_limit = kMockApiBurstLimit,
          .tracing = cfn::If(inputs.functions.observation.traces_requests, true,
                             false)},
      {.condition = inputs.has_mock_api});
}

void AddApiKey(cfn::Template& stack, const Inputs& inputs,
               const cfn::Resource& stage) {
  const cfn::ResourceOptions options = {.condition = inputs.needs_api_key};
  const cfn::Resource key = stack.Add(
      "MockApiKey", apigateway::ApiKey{.description = "Opens the mock API"},
      options);
  const cfn::Resource plan = stack.Add(
      "MockApiUsagePlan",
      apigateway::UsagePlan{.description = "For those with the mock API's key",
                            .rest_api = cfn::Ref("MockApi"),
                            .stage = stage.Ref(),
                            .rate_limit = kMockApiRateLimit,
                            .burst_limit = kMockApiBurstLimit},
      options);
  stack.Add(
      "MockApiUsagePlanKey",
      apigateway::UsagePlanKey{.usage_plan = plan.Ref(), .key = key.Ref()},
      options);
  stack.AddOutput(
      "MockApiKeyId",
      {.description = "Id of the mock API's key (its value: aws apigateway "
                      "get-api-key --include-value)",
       .value = key.Ref(),
       .condition = inputs.needs_api_key});
}

}  // namespace

MockApi AddMockApi(cfn::Template& stack, const Inputs& inputs) {
  const FunctionResources function =
      parts::AddFunction(stack, inputs.functions,
                         {.name = "MockApi",
                          .log_name = "mock-api",
                          .description = "Answers like the API that is polled.",
                          .code_key = inputs.mock_api_code_key,
                          .timeout = core::kMockApiTimeout,
                          .condition = inputs.has_mock_api});
  stack.Add("MockApi",
            apigateway::RestApi{
                .name = kMockApiName,
                .description = "Mock API for testing data collection"},
            {.condition = inputs.has_mock_api});
  // Health checks need no key.
  const std::vector<EndpointResources> endpoints = {
      AddEndpoint(
          stack, inputs,
          {.name = "ResponseCount",
           .path = core::kResponseCountPath,
           .function = function.function,
           .api_key_required = cfn::If(inputs.needs_api_key, true, false)}),
      AddEndpoint(stack, inputs,
                  {.name = "Health",
                   .path = core::kHealthPath,
                   .function = function.function,
                   .api_key_required = false})};
  const cfn::Resource stage =
      AddStage(stack, inputs, AddDeployments(stack, inputs, endpoints));
  AddApiKey(stack, inputs, stage);
  return {.function = function,
          .url = cfn::Sub(absl::StrCat("https://${MockApi}.execute-api."
                                       "${AWS::Region}.${AWS::URLSuffix}/",
                                       kMockApiStage))};
}

}  // namespace byoshin::infra::scheduler
