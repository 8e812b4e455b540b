#include "infra/gen/scheduler/mock_api.h"

#include <string>
#include <utility>
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
#include "infra/gen/parts/accepted.h"
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
constexpr char kMockApiValidator[] = "MockApiValidator";
constexpr char kBadParametersResponse[] = "MockApiBadParametersResponse";

constexpr char kOpenReason[] =
    "A mock for tests that has no data: it stands for an API without "
    "authorization. MockApiAccess=key asks for an API key.";

// A path of the API, and API Gateway's permission to invoke the function for
// it.
struct Endpoint {
  std::string name;  // "Health"; the ids are HealthResource, HealthMethod, …
  absl::string_view path;
  cfn::Resource function;
  Value api_key_required{};
  // That a request must have.
  std::vector<absl::string_view> query_parameters{};
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
  cfn::ResourceOptions method_options = options;
  method_options.metadata =
      parts::Accept({{.rule = "AwsSolutions-APIG4", .reason = kOpenReason},
                     {.rule = "AwsSolutions-COG4", .reason = kOpenReason}});
  Value::Members parameters;
  for (const absl::string_view name : endpoint.query_parameters) {
    parameters.emplace_back(absl::StrCat("method.request.querystring.", name),
                            true);
  }
  const cfn::Resource method = stack.Add(
      absl::StrCat(endpoint.name, "Method"),
      apigateway::LambdaMethod{.rest_api = cfn::Ref("MockApi"),
                               .path_resource = resource.Ref(),
                               .http_method = kGet,
                               .function_arn = endpoint.function.Arn(),
                               .api_key_required = endpoint.api_key_required,
                               .request_validator = cfn::Ref(kMockApiValidator),
                               .request_parameters = std::move(parameters)},
      method_options);
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
  std::vector<std::string> content = {"MockApi", kMockApiValidator,
                                      kBadParametersResponse};
  std::vector<std::string> methods;
  for (const auto& [resource, method] : endpoints) {
    content.push_back(resource.id());
    content.push_back(method.id());
    methods.push_back(method.id());
  }
  methods.push_back(kBadParametersResponse);
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

// A request without a required parameter is refused before the function is
// invoked, in the form in which the function refuses requests.
void AddValidation(cfn::Template& stack, const Inputs& inputs) {
  const cfn::ResourceOptions options = {.condition = inputs.has_mock_api};
  stack.Add(kMockApiValidator,
            apigateway::RequestValidator{.rest_api = cfn::Ref("MockApi"),
                                         .name = "all"},
            options);
  stack.Add(kBadParametersResponse,
            apigateway::GatewayResponse{
                .rest_api = cfn::Ref("MockApi"),
                .response_type = "BAD_REQUEST_PARAMETERS",
                .body = R"({"error":$context.error.messageString})"},
            options);
}

cfn::Resource AddStage(cfn::Template& stack, const Inputs& inputs,
                       const Value& deployment) {
  const auto add_group = [&](const char* id, Value name) {
    return stack.Add(
        id,
        cfn::logs::LogGroup{
            .name = std::move(name),
            .retention_days = inputs.functions.observation.log_retention},
        {.condition = inputs.has_mock_api,
         .removal = cfn::RemovalPolicy::kDelete});
  };
  const cfn::Resource log_group =
      add_group("MockApiAccessLogGroup",
                cfn::Sub("/byoshin/${AWS::StackName}/mock-api-access"));
  // Created before API Gateway would, without an end of retention.
  const cfn::Resource execution_log =
      add_group("MockApiExecutionLogGroup",
                cfn::Sub(absl::StrCat("API-Gateway-Execution-Logs_${MockApi}/",
                                      kMockApiStage)));
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
                             false),
          .execution_log = apigateway::Stage::ExecutionLog::kErrors},
      {.condition = inputs.has_mock_api,
       .depends_on = {execution_log.id()},
       .metadata = parts::Accept({parts::StageWithoutFirewall()})});
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
  AddValidation(stack, inputs);
  // Health checks need no key.
  const std::vector<EndpointResources> endpoints = {
      AddEndpoint(
          stack, inputs,
          {.name = "ResponseCount",
           .path = core::kResponseCountPath,
           .function = function.function,
           .api_key_required = cfn::If(inputs.needs_api_key, true, false),
           .query_parameters = {core::kFromParameter, core::kToParameter}}),
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
