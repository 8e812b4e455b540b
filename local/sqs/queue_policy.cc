#include "local/sqs/queue_policy.h"

#include <json/json.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/batch.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/limits.h"
#include "local/sqs/queue.h"

namespace byoshin::local::sqs {
namespace {

constexpr char kPolicyVersion[] = "2008-10-17";
constexpr char kStatements[] = "Statement";
constexpr char kLabel[] = "Sid";

// What other accounts can be permitted to do.
constexpr absl::string_view kGrantable[] = {
    "*",
    "SendMessage",
    "ReceiveMessage",
    "DeleteMessage",
    "ChangeMessageVisibility",
    "GetQueueAttributes",
    "GetQueueUrl",
    "ListDeadLetterSourceQueues",
    "PurgeQueue",
};

absl::Status CheckPermission(const Permission& permission) {
  // Labels have the form of the IDs in batches.
  if (!IsBatchId(permission.label)) {
    return InvalidParameter(
        "Label", permission.label,
        "Can only include alphanumeric characters, hyphens, or underscores. 1 "
        "to 80 in length");
  }
  if (permission.account_ids.empty()) {
    return InvalidParameter("PrincipalId", "[]", "Unable to verify.");
  }
  if (permission.actions.empty()) return MissingParameter("Actions");
  if (permission.actions.size() > kMaxPermissionActions) {
    return TooManyActions(permission.actions.size());
  }
  for (const std::string& action : permission.actions) {
    if (std::find(std::begin(kGrantable), std::end(kGrantable), action) ==
        std::end(kGrantable)) {
      return InvalidParameter(
          "ActionName", absl::StrCat("SQS:", action),
          "Only the queue owner is allowed to invoke this action.");
    }
  }
  return absl::OkStatus();
}

// A list, or its only element.
Json::Value OneOrMany(const std::vector<std::string>& texts) {
  if (texts.size() == 1) return texts.front();
  Json::Value list(Json::arrayValue);
  for (const std::string& text : texts) list.append(text);
  return list;
}

Json::Value StatementOf(absl::string_view queue_arn,
                        const Permission& permission) {
  std::vector<std::string> principals;
  for (const std::string& account_id : permission.account_ids) {
    principals.push_back(absl::StrCat("arn:aws:iam::", account_id, ":root"));
  }
  std::vector<std::string> actions;
  for (const std::string& action : permission.actions) {
    actions.push_back(absl::StrCat("SQS:", action));
  }
  Json::Value statement(Json::objectValue);
  statement[kLabel] = permission.label;
  statement["Effect"] = "Allow";
  statement["Principal"]["AWS"] = OneOrMany(principals);
  statement["Action"] = OneOrMany(actions);
  statement["Resource"] = std::string(queue_arn);
  return statement;
}

// The policy with a list of statements. SetQueueAttributes accepts objects
// only.
Json::Value Read(absl::string_view policy) {
  Json::Value document =
      json::ParseValue(policy).value_or(Json::Value(Json::objectValue));
  Json::Value& statements = document[kStatements];
  if (statements.isObject()) {
    Json::Value list(Json::arrayValue);
    list.append(std::exchange(statements, Json::Value()));
    statements = std::move(list);
  } else if (!statements.isArray()) {
    statements = Json::Value(Json::arrayValue);
  }
  return document;
}

bool HasLabel(const Json::Value& statement, absl::string_view label) {
  return statement.isObject() && statement[kLabel].isString() &&
         statement[kLabel].asString() == label;
}

}  // namespace

absl::StatusOr<std::string> AddStatement(absl::string_view policy,
                                         absl::string_view queue_arn,
                                         const Permission& permission) {
  if (absl::Status status = CheckPermission(permission); !status.ok()) {
    return status;
  }
  Json::Value document = Read(policy);
  if (policy.empty()) {
    document["Version"] = kPolicyVersion;
    document["Id"] = absl::StrCat(queue_arn, "/SQSDefaultPolicy");
  }
  for (const Json::Value& statement : document[kStatements]) {
    if (HasLabel(statement, permission.label)) {
      return InvalidParameter("Label", permission.label, "Already exists.");
    }
  }
  document[kStatements].append(StatementOf(queue_arn, permission));
  return json::WriteValue(document);
}

absl::StatusOr<std::string> RemoveStatement(absl::string_view policy,
                                            absl::string_view label) {
  Json::Value document = Read(policy);
  Json::Value rest(Json::arrayValue);
  for (const Json::Value& statement : document[kStatements]) {
    if (!HasLabel(statement, label)) rest.append(statement);
  }
  if (rest.size() == document[kStatements].size()) {
    return InvalidParameter("Label", label, "can't find label.");
  }
  if (rest.empty()) return "";
  document[kStatements] = std::move(rest);
  return json::WriteValue(document);
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_AddPermission.html
absl::Status Engine::AddPermission(const QueueAddress& address,
                                   const Permission& permission) {
  Queue* queue = Find(address);
  if (queue == nullptr) return QueueDoesNotExist();
  return SetPolicy(
      *queue, AddStatement(queue->settings().policy,
                           ArnOf(address, options_.account_id), permission));
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_RemovePermission.html
absl::Status Engine::RemovePermission(const QueueAddress& address,
                                      absl::string_view label) {
  Queue* queue = Find(address);
  if (queue == nullptr) return QueueDoesNotExist();
  return SetPolicy(*queue, RemoveStatement(queue->settings().policy, label));
}

absl::Status Engine::SetPolicy(Queue& queue,
                               absl::StatusOr<std::string> policy) {
  if (!policy.ok()) return policy.status();
  QueueRecord& record = queue.mutable_record();
  record.settings.policy = *std::move(policy);
  record.modified_at = clock_.Now();
  PutQueue(queue);
  ReportPolicy(queue.address(), record.settings.policy);
  return absl::OkStatus();
}

void Engine::ReportPolicy(const QueueAddress& queue, std::string policy) {
  if (!options_.on_policy) return;
  OnCommit([this, arn = ArnOf(queue, options_.account_id),
            policy = std::move(policy)](const absl::Status& committed) {
    if (committed.ok()) options_.on_policy(arn, policy);
  });
}

}  // namespace byoshin::local::sqs
