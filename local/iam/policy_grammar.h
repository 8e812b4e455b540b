// How the words of a policy document are written: actions, resources,
// principals. Pure functions. Each says what is wrong, as AWS does, or returns
// an empty text.
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

// Why the local IAM can't evaluate a condition on `key` in such a policy. A key
// that it does not know would otherwise count as absent from every request, so
// that conditions such as Null would hold.
std::string ConditionKeyFault(absl::string_view key, PolicyKind kind);

// `operation` is without "IfExists".
std::string OperatorFault(absl::string_view operation, bool if_exists);

// Whether the values fit the operator.
std::string ConditionValueFault(absl::string_view operation,
                                const std::vector<std::string>& values);

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_POLICY_GRAMMAR_H_
