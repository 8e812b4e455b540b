// The syntax of actions, resources and principals in policy documents. Pure
// functions. Each returns an error message, as AWS words it, or an empty text.
//
//   ActionFault("s*:SendMessage", PolicyKind::kIdentity);
//   // "Action vendors must not contain wildcards."
#ifndef BYOSHIN_LOCAL_IAM_POLICY_GRAMMAR_H_
#define BYOSHIN_LOCAL_IAM_POLICY_GRAMMAR_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/iam/policy.h"

namespace byoshin::local::iam {

std::string ActionFault(absl::string_view action, PolicyKind kind);

std::string ResourceFault(absl::string_view resource);

// `kind` is "AWS" or "Service".
std::string PrincipalFault(absl::string_view kind, absl::string_view principal);

std::string SidFault(absl::string_view sid, PolicyKind kind);

// Why the local IAM can't evaluate a condition on `key` in such a policy. An
// unknown key would otherwise count as absent from every request, and
// conditions like Null would be true.
std::string ConditionKeyFault(absl::string_view key, PolicyKind kind);

// `operation` is without "IfExists".
std::string OperatorFault(absl::string_view operation, bool if_exists);

// Checks the values of the operator.
std::string ConditionValueFault(absl::string_view operation,
                                const std::vector<std::string>& values);

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_POLICY_GRAMMAR_H_
