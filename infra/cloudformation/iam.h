// AWS Identity and Access Management: policies and roles.
//
//   iam::Statement statement = iam::Allow({"sqs:SendMessage"}, {queue.Arn()});
//   stack.Add("SenderRole",
//             iam::Role{.assumed_by = "lambda.amazonaws.com",
//                       .statements = {statement}});
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_IAM_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_IAM_H_

#include <string>
#include <vector>

#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::iam {

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html
struct Statement {
  enum class Effect { kAllow, kDeny };

  Effect effect = Effect::kAllow;
  std::string sid{};
  // Absent in a policy of a role: it is the role.
  Value principal{};
  std::vector<std::string> actions{};
  // Empty in a trust policy: it is the role.
  Value::Items resources{};
  // {"Bool": {"aws:SecureTransport": "false"}}
  Value condition{};
};

Statement Allow(std::vector<std::string> actions, Value::Items resources);

// Denies every request without TLS.
Statement DenyWithoutTls(const std::string& actions, Value resource);

Value PolicyDocument(const std::vector<Statement>& statements);

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-role.html
struct Role {
  std::string description{};
  // The only service that may assume this role.
  std::string assumed_by{};
  std::string policy_name{};
  std::vector<Statement> statements{};
  Value::Items managed_policies{};

  static ResourceType Type();
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::iam

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_IAM_H_
