#include "infra/gen/generation/api.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/generation/answer.h"
#include "core/generation/api_error.h"
#include "core/generation/constants.h"
#include "core/generation/message.h"
#include "infra/cloudformation/apigateway.h"
#include "infra/cloudformation/cognito.h"
#include "infra/cloudformation/lambda.h"
#include "infra/cloudformation/logs.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/generation/functions.h"
#include "infra/gen/generation/parameters.h"
#include "infra/gen/parts/accepted.h"
#include "infra/gen/parts/rest_api.h"

namespace byoshin::infra::generation {
namespace {

namespace apigateway = cloudformation::apigateway;
namespace cfn = cloudformation;
namespace core = ::byoshin::generation;
using cfn::Value;

constexpr char kApi[] = "Api";
constexpr char kOriginHeader[] = "Access-Control-Allow-Origin";

struct Endpoint {
  std::string name;  // "Status"; the ids are StatusMethod, …
  const char* http_method;
  absl::string_view path;
  cfn::Resource function;
  Value::Members request_models{};
  Value::Members request_parameters{};
};

// Adds what a deployment of the API consists of, and remembers the ids.
class ApiBuilder {
 public:
  ApiBuilder(cfn::Template& stack, const Inputs& inputs)
      : stack_(stack), inputs_(inputs) {}

  template <typename T>
  cfn::Resource Add(const std::string& id, const T& resource) {
    content_.push_back(id);
    return stack_.Add(id, resource);
  }

  void AddEndpoint(const Endpoint& endpoint, const cfn::Resource& authorizer,
                   const cfn::Resource& validator);
  void AddResponse(const std::string& type, int status = 0,
                   const std::string& body = "");
  cfn::Resource Deploy();

 private:
  // The resource of the path, whose segments are added as needed.
  cfn::Resource ResourceOf(absl::string_view path);
  // The same as the functions', with the origin of the template.
  Value::Members CorsHeaders() const;

  cfn::Template& stack_;
  const Inputs& inputs_;
  std::map<std::string, cfn::Resource> paths_;
  std::vector<std::string> content_;
};

// "/api/ai/async/status/{processId}" is ApiAiAsyncStatusProcessId.
std::string IdOfPath(absl::string_view path) {
  std::string id;
  bool starts_word = true;
  for (const char c : path) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) {
      starts_word = true;
      continue;
    }
    id.push_back(starts_word ? absl::ascii_toupper(c) : c);
    starts_word = false;
  }
  return id;
}

cfn::Resource ApiBuilder::ResourceOf(absl::string_view path) {
  Value parent = cfn::GetAtt(kApi, "RootResourceId");
  cfn::Resource resource("");
  std::string so_far;
  for (const absl::string_view part :
       absl::StrSplit(absl::StripPrefix(path, "/"), '/')) {
    absl::StrAppend(&so_far, "/", part);
    const auto known = paths_.find(so_far);
    if (known == paths_.end()) {
      resource = Add(absl::StrCat(IdOfPath(so_far), "Path"),
                     apigateway::PathResource{.rest_api = cfn::Ref(kApi),
                                              .parent = parent,
                                              .path_part = std::string(part)});
      paths_.emplace(so_far, resource);
    } else {
      resource = known->second;
    }
    parent = resource.Ref();
  }
  return resource;
}

Value::Members ApiBuilder::CorsHeaders() const {
  Value::Members headers;
  for (const auto& [name, value] : core::CorsHeaders("")) {
    headers.emplace_back(
        name, name == kOriginHeader ? inputs_.allowed_origin : Value(value));
  }
  return headers;
}

void ApiBuilder::AddEndpoint(const Endpoint& endpoint,
                             const cfn::Resource& authorizer,
                             const cfn::Resource& validator) {
  const cfn::Resource path = ResourceOf(endpoint.path);
  Add(absl::StrCat(endpoint.name, "Method"),
      apigateway::LambdaMethod{
          .rest_api = cfn::Ref(kApi),
          .path_resource = path.Ref(),
          .http_method = endpoint.http_method,
          .function_arn = endpoint.function.Arn(),
          .cognito_authorizer = authorizer.Ref(),
          .request_validator = validator.Ref(),
          .request_models = endpoint.request_models,
          .request_parameters = endpoint.request_parameters});
  Add(absl::StrCat(endpoint.name, "Preflight"),
      apigateway::PreflightMethod{.rest_api = cfn::Ref(kApi),
                                  .path_resource = path.Ref(),
                                  .headers = CorsHeaders()});
  // In the ARN of a method, a path parameter is any text.
  const std::string arn_path(absl::StripSuffix(
      endpoint.path, absl::StrCat("{", core::kProcessIdParameter, "}")));
  const bool has_parameter = arn_path.size() != endpoint.path.size();
  stack_.Add(
      absl::StrCat(endpoint.name, "Permission"),
      cfn::lambda::Permission{
          .function_name = endpoint.function.Ref(),
          .principal = "apigateway.amazonaws.com",
          .source_arn = cfn::Sub(absl::StrCat(
              "arn:${AWS::Partition}:execute-api:${AWS::Region}:"
              "${AWS::AccountId}:${Api}/${StageName}/",
              endpoint.http_method, arn_path, has_parameter ? "*" : ""))});
}

void ApiBuilder::AddResponse(const std::string& type, int status,
                             const std::string& body) {
  Add(absl::StrCat(IdOfPath(absl::AsciiStrToLower(type)), "Response"),
      apigateway::GatewayResponse{.rest_api = cfn::Ref(kApi),
                                  .response_type = type,
                                  .status = status,
                                  .headers = CorsHeaders(),
                                  .body = body});
}

cfn::Resource ApiBuilder::Deploy() {
  std::vector<std::string> content = content_;
  content.push_back(kApi);
  return stack_.Add(
      absl::StrCat("ApiDeployment", parts::ContentHash(stack_, content)),
      apigateway::Deployment{.rest_api = cfn::Ref(kApi),
                             .description = "The API as of this template"},
      {.depends_on = content_});
}

// What API Gateway refuses by itself is answered as the functions would, except
// for 401, whose answer is API Gateway's own.
void AddResponses(ApiBuilder& api) {
  const auto add = [&](const char* type, const core::ApiError& error) {
    api.AddResponse(type, core::HttpStatusOf(error),
                    core::ErrorBody(error, core::Language::kJapanese));
  };
  api.AddResponse("DEFAULT_4XX");
  add("DEFAULT_5XX", {.code = core::ErrorCode::kInternalError,
                      .retryable = core::Retryable::kYes});
  add("BAD_REQUEST_BODY", {.code = core::ErrorCode::kValidationError,
                           .details = core::NotAnObjectDetails()});
  add("THROTTLED", {.code = core::ErrorCode::kRateLimitExceeded,
                    .retryable = core::Retryable::kYes});
}

// Looser than the function, whose answer says what is wrong with which field.
Value GenerateSchema() {
  return cfn::Object({{"$schema", "http://json-schema.org/draft-04/schema#"},
                      {"title", "GenerateRequest"},
                      {"type", "object"}});
}

Value::Members QueryParameters(const std::vector<std::string>& names) {
  Value::Members parameters;
  for (const std::string& name : names) {
    parameters.emplace_back(absl::StrCat("method.request.querystring.", name),
                            false);
  }
  return parameters;
}

void AddEndpoints(ApiBuilder& api, const ApiFunctions& functions,
                  const cfn::Resource& authorizer) {
  const cfn::Resource validator =
      api.Add("ApiValidator",
              apigateway::RequestValidator{.rest_api = cfn::Ref(kApi),
                                           .name = "BodyAndParameters"});
  const cfn::Resource model = api.Add(
      "GenerateModel", apigateway::Model{.rest_api = cfn::Ref(kApi),
                                         .name = "GenerateRequest",
                                         .description = "The body of generate",
                                         .schema = GenerateSchema()});
  const Value::Members process_id = {
      {absl::StrCat("method.request.path.", core::kProcessIdParameter), true}};
  const Endpoint endpoints[] = {
      {.name = "Generate",
       .http_method = "POST",
       .path = core::kGeneratePath,
       .function = functions.generate.function,
       .request_models = {{"application/json", model.Ref()}}},
      {.name = "Status",
       .http_method = "GET",
       .path = core::kStatusPath,
       .function = functions.status.function,
       .request_parameters = process_id},
      {.name = "Retry",
       .http_method = "POST",
       .path = core::kRetryPath,
       .function = functions.retry.function,
       .request_parameters = process_id},
      {.name = "Cancel",
       .http_method = "POST",
       .path = core::kCancelPath,
       .function = functions.cancel.function,
       .request_parameters = process_id},
      {.name = "History",
       .http_method = "GET",
       .path = core::kHistoryPath,
       .function = functions.history.function,
       .request_parameters = QueryParameters(
           {"page", "pageSize", "type", "status", "startDate", "endDate"})}};
  for (const Endpoint& endpoint : endpoints) {
    api.AddEndpoint(endpoint, authorizer, validator);
  }
}

cfn::Resource AddUserPool(cfn::Template& stack, const Inputs& inputs) {
  return stack.Add(
      "UserPool",
      cfn::cognito::UserPool{.name = cfn::Sub("${AWS::StackName}-users"),
                             .only_administrators_create_users =
                                 cfn::If(inputs.has_self_sign_up, false, true),
                             .minimum_password_length = kMinPasswordLength},
      {.removal = cfn::RemovalPolicy::kRetain,
       .metadata = parts::Accept(
           {{.rule = "AwsSolutions-COG2",
             .reason = "The page signs in with a password only; what it shows "
                       "belongs to the user alone."},
            {.rule = "AwsSolutions-COG8",
             .reason = "The Plus plan is billed per user, and protects against "
                       "stolen passwords; change the plan if you need it."}})});
}

cfn::Resource AddClient(cfn::Template& stack, const cfn::Resource& pool) {
  return stack.Add(
      "UserPoolClient",
      cfn::cognito::UserPoolClient{
          .user_pool = pool.Ref(),
          .name = cfn::Sub("${AWS::StackName}-page"),
          .auth_flows = {"ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH",
                         "ALLOW_REFRESH_TOKEN_AUTH"},
          .token_validity = kTokenValidity});
}

void AddStage(cfn::Template& stack, const Inputs& inputs,
              const cfn::Resource& deployment) {
  const auto add_group = [&](const char* id, Value name) {
    return stack.Add(
        id,
        cfn::logs::LogGroup{
            .name = std::move(name),
            .retention_days = inputs.functions.observation.log_retention},
        {.removal = cfn::RemovalPolicy::kDelete});
  };
  const cfn::Resource access_log = add_group(
      "ApiAccessLogGroup", cfn::Sub("/byoshin/${AWS::StackName}/api-access"));
  // Created before API Gateway would, without an end of retention.
  const cfn::Resource execution_log =
      add_group("ApiExecutionLogGroup",
                cfn::Sub("API-Gateway-Execution-Logs_${Api}/${StageName}"));
  stack.Add("ApiStage",
            apigateway::Stage{
                .rest_api = cfn::Ref(kApi),
                .deployment = deployment.Ref(),
                .name = inputs.stage_name,
                .description = parts::AddLogRole(stack, inputs.sets_log_role),
                .access_log_group_arn = access_log.Arn(),
                .access_log_format = parts::AccessLogFormat(
                    {{"user", "$context.authorizer.claims.sub"}}),
                .rate_limit = kGenerationRateLimit,
                .burst_limit = kGenerationBurstLimit,
                .tracing = cfn::If(inputs.functions.observation.traces_requests,
                                   true, false),
                .execution_log = apigateway::Stage::ExecutionLog::kErrors},
            {.depends_on = {execution_log.id()},
             .metadata = parts::Accept({parts::StageWithoutFirewall()})});
}

}  // namespace

Api AddApi(cfn::Template& stack, const Inputs& inputs,
           const ApiFunctions& functions) {
  const cfn::Resource pool = AddUserPool(stack, inputs);
  const cfn::Resource client = AddClient(stack, pool);
  const cfn::Resource rest_api = stack.Add(
      kApi, apigateway::RestApi{.name = kGenerationApiName,
                                .description = "Asynchronous AI generation"});
  ApiBuilder builder(stack, inputs);
  const cfn::Resource authorizer =
      builder.Add("ApiAuthorizer",
                  apigateway::CognitoAuthorizer{.rest_api = rest_api.Ref(),
                                                .name = "Users",
                                                .user_pool_arn = pool.Arn()});
  AddEndpoints(builder, functions, authorizer);
  AddResponses(builder);
  AddStage(stack, inputs, builder.Deploy());
  return {.rest_api = rest_api,
          .user_pool = pool,
          .user_pool_client = client,
          .url = cfn::Sub("https://${Api}.execute-api.${AWS::Region}."
                          "${AWS::URLSuffix}/${StageName}")};
}

}  // namespace byoshin::infra::generation
