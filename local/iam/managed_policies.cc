#include "local/iam/managed_policies.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "local/iam/evaluation.h"
#include "local/iam/policy.h"

namespace byoshin::local::iam {
namespace {

// By the part of their ARNs after "policy/", with the actions that they allow
// on all resources.
const std::map<std::string, std::vector<std::string>>& KnownPolicies() {
  static const auto& policies = *new std::map<std::string,
                                              std::vector<std::string>>{
      // https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AmazonAPIGatewayPushToCloudWatchLogs.html
      {"service-role/AmazonAPIGatewayPushToCloudWatchLogs",
       {"logs:CreateLogGroup", "logs:CreateLogStream", "logs:DescribeLogGroups",
        "logs:DescribeLogStreams", "logs:PutLogEvents", "logs:GetLogEvents",
        "logs:FilterLogEvents"}},
      // https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSLambdaBasicExecutionRole.html
      {"service-role/AWSLambdaBasicExecutionRole",
       {"logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"}},
      // https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSLambdaSQSQueueExecutionRole.html
      {"service-role/AWSLambdaSQSQueueExecutionRole",
       {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes",
        "logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"}},
      // https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSXRayDaemonWriteAccess.html
      {"AWSXRayDaemonWriteAccess",
       {"xray:PutTraceSegments", "xray:PutTelemetryRecords",
        "xray:GetSamplingRules", "xray:GetSamplingTargets",
        "xray:GetSamplingStatisticSummaries"}},
  };
  return policies;
}

}  // namespace

absl::StatusOr<NamedPolicy> FindManagedPolicy(absl::string_view arn) {
  const std::vector<std::string> parts =
      absl::StrSplit(arn, absl::MaxSplits(":iam::aws:policy/", 1));
  const auto found = parts.size() == 2 ? KnownPolicies().find(parts[1])
                                       : KnownPolicies().end();
  if (found == KnownPolicies().end()) {
    std::string known;
    for (const auto& [name, actions] : KnownPolicies()) {
      absl::StrAppend(&known, known.empty() ? "" : ", ", name);
    }
    return absl::NotFoundError(
        absl::StrCat("the local cloud does not know the managed policy ", arn,
                     "; it knows ", known));
  }
  Statement statement;
  statement.actions = found->second;
  statement.resources = {"*"};
  return NamedPolicy{.name = found->first,
                     .document = {.statements = {std::move(statement)}}};
}

}  // namespace byoshin::local::iam
