#include "infra/gen/parts/rest_api.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/crypto/hex.h"
#include "core/crypto/sha256.h"
#include "infra/cloudformation/apigateway.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/cloudformation/writer.h"
#include "infra/gen/parts/accepted.h"

namespace byoshin::infra::parts {

namespace cfn = cloudformation;
using cfn::Value;

// One per account and region, so it is retained when this stack is deleted:
// other APIs may depend on it.
Value AddLogRole(cfn::Template& stack, const std::string& condition) {
  const cfn::ResourceOptions options = {.condition = condition,
                                        .removal = cfn::RemovalPolicy::kRetain};
  cfn::ResourceOptions role_options = options;
  role_options.metadata =
      Accept({{.rule = "AwsSolutions-IAM4",
               .reason = "API Gateway writes the logs of all APIs of the "
                         "account with this role: AWS's policy for it is what "
                         "AWS asks for."}});
  const cfn::Resource role = stack.Add(
      "ApiGatewayLogRole",
      cfn::iam::Role{.description = "Lets API Gateway write logs",
                     .assumed_by = "apigateway.amazonaws.com",
                     .managed_policies = {cfn::Sub(
                         "arn:${AWS::Partition}:iam::aws:policy/service-role/"
                         "AmazonAPIGatewayPushToCloudWatchLogs")}},
      role_options);
  const cfn::Resource account =
      stack.Add("ApiGatewayAccount",
                cfn::apigateway::Account{.log_role = role.Arn()}, options);
  return cfn::If(condition,
                 cfn::Sub(absl::StrCat("Logs as this stack set it up: ${",
                                       account.id(), "}")),
                 "Logs as the account is set up");
}

Accepted StageWithoutFirewall() {
  return {.rule = "AwsSolutions-APIG3",
          .reason =
              "A web ACL is billed by the month, and belongs to the "
              "account: associate yours with the stage. Requests are "
              "throttled without it."};
}

std::string AccessLogFormat(Value::Members more) {
  Value::Members members = {
      {"requestId", "$context.requestId"},
      {"requestTime", "$context.requestTime"},
      {"httpMethod", "$context.httpMethod"},
      {"path", "$context.path"},
      {"status", "$context.status"},
      {"responseLength", "$context.responseLength"},
      {"responseLatency", "$context.responseLatency"},
      {"integrationLatency", "$context.integrationLatency"},
      {"integrationError", "$context.integrationErrorMessage"},
      {"sourceIp", "$context.identity.sourceIp"},
      {"userAgent", "$context.identity.userAgent"}};
  for (auto& member : more) members.push_back(std::move(member));
  return cfn::ToCompactJson(cfn::Object(std::move(members)));
}

std::string ContentHash(const cfn::Template& stack,
                        const std::vector<std::string>& ids) {
  constexpr std::size_t kHashDigits = 10;
  std::string content;
  for (const std::string& id : ids) {
    absl::StrAppend(&content, cfn::ToCompactJson(stack.ResourceValue(id)));
  }
  return crypto::HexEncode(crypto::Sha256(content)).substr(0, kHashDigits);
}

}  // namespace byoshin::infra::parts
