// IAM policy documents.
//
//   absl::StatusOr<PolicyDocument> policy =
//       ParsePolicy(json, PolicyKind::kIdentity);
//
// A document with unsupported elements is rejected; they are never ignored.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html
#ifndef BYOSHIN_LOCAL_IAM_POLICY_H_
#define BYOSHIN_LOCAL_IAM_POLICY_H_

#include <json/forwards.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::iam {

enum class Effect { kAllow, kDeny };

// Which elements a document must and must not have.
enum class PolicyKind {
  kIdentity,  // of a role: has resources and no principal
  kResource,  // of a queue, a topic, a function: has principals
  kTrust,     // of who may assume a role: has principals and no resource
};

// "ArnLikeIfExists": {"aws:SourceArn": ["arn:…:*"]}
struct Condition {
  std::string operation{};  // without IfExists: "ArnLike"
  std::string key{};        // in lower case, since keys are case-insensitive
  std::vector<std::string> values{};
  bool if_exists = false;
};

struct Principals {
  bool anyone = false;
  std::vector<std::string> services{};  // "events.amazonaws.com"
  std::vector<std::string> aws{};       // account ids, ARNs
};

// Exactly one of actions and not_actions is set, and likewise for resources,
// except in trust policies.
struct Statement {
  std::string sid{};
  Effect effect = Effect::kAllow;
  Principals principals{};
  std::vector<std::string> actions{};
  std::vector<std::string> not_actions{};
  std::vector<std::string> resources{};
  std::vector<std::string> not_resources{};
  std::vector<Condition> conditions{};
};

struct PolicyDocument {
  std::vector<Statement> statements{};
};

// Errors name the statement and the element.
absl::StatusOr<PolicyDocument> ParsePolicy(const Json::Value& document,
                                           PolicyKind kind);

// Whether an ARN matches a pattern; wildcards do not span the first five
// colons. "*" alone matches everything.
bool MatchesArn(absl::string_view pattern, absl::string_view arn);

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_POLICY_H_
