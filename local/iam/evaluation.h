// Evaluates policies: whether they allow a request, and by which statement.
// Pure functions.
//
//   Decision decision = Evaluate(
//       policies, {.principal = Principal::Role(role_arn, session_arn),
//                  .action = "dynamodb:PutItem",
//                  .resource =
//                  "arn:aws:dynamodb:us-east-1:000000000000:table/T"});
//   if (!decision.allowed()) {
//     logger.Warning("access denied", {{"missing", decision.missing}});
//     return AccessDenied(DenialMessage(request, decision));
//   }
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
#ifndef BYOSHIN_LOCAL_IAM_EVALUATION_H_
#define BYOSHIN_LOCAL_IAM_EVALUATION_H_

#include <map>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "local/iam/policy.h"

namespace byoshin::local::iam {

// The caller.
struct Principal {
  enum class Kind {
    kAccount,  // the account itself, which may do everything that is not denied
    kRole,     // a session of a role
    kService,  // an AWS service on its own behalf
  };
  Kind kind = Kind::kAccount;
  // kAccount: "arn:aws:iam::000000000000:root"; kRole: the session,
  // "arn:aws:sts::000000000000:assumed-role/NAME/SESSION"; kService:
  // "events.amazonaws.com".
  std::string id{};
  // kRole: "arn:aws:iam::000000000000:role/NAME".
  std::string role_arn{};
};

struct AccessRequest {
  Principal principal{};
  std::string action{};    // "sqs:SendMessage"
  std::string resource{};  // an ARN, or "*" if the action has none
  // Condition keys and their values: {"aws:SourceArn", …}. Keys are
  // case-insensitive.
  std::map<std::string, std::string> context{};
};

struct NamedPolicy {
  std::string name{};
  PolicyDocument document{};
};

struct Policies {
  absl::Span<const NamedPolicy> identity{};  // of the principal's role
  absl::Span<const NamedPolicy> resource{};  // of the resource
};

struct Decision {
  enum class Outcome { kAllowed, kExplicitlyDenied, kNotAllowed };
  Outcome outcome = Outcome::kNotAllowed;
  // The statement that decided: "policy SenderPolicy, statement 2 (Sid)".
  // Empty if none did.
  std::string statement{};
  enum class Source { kNone, kIdentityPolicy, kResourcePolicy };
  Source source = Source::kNone;
  // The missing statement that would allow the request, in JSON. Empty unless
  // kNotAllowed.
  std::string missing{};

  bool allowed() const { return outcome == Outcome::kAllowed; }
};

Decision Evaluate(const Policies& policies, const AccessRequest& request);

// AWS's message for the caller: "User: arn:aws:sts::…:assumed-role/R/S is not
// authorized to perform: dynamodb:PutItem on resource: arn:… because no
// identity-based policy allows the dynamodb:PutItem action".
std::string DenialMessage(const AccessRequest& request,
                          const Decision& decision);

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_EVALUATION_H_
