#include "local/iam/evaluation.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "core/json/value.h"
#include "core/strings/wildcard.h"
#include "local/iam/policy.h"

namespace byoshin::local::iam {
namespace {

// Actions are case-insensitive.
bool MatchesAction(absl::string_view pattern, absl::string_view action) {
  return strings::MatchesWildcards(absl::AsciiStrToLower(pattern),
                                   absl::AsciiStrToLower(action));
}

std::optional<std::string> ContextValue(const AccessRequest& request,
                                        absl::string_view key) {
  for (const auto& [name, value] : request.context) {
    if (absl::EqualsIgnoreCase(name, key)) return value;
  }
  return std::nullopt;
}

bool CompareNumbers(absl::string_view relation, absl::string_view found,
                    absl::string_view wanted) {
  double a = 0;
  double b = 0;
  if (!absl::SimpleAtod(found, &a) || !absl::SimpleAtod(wanted, &b)) {
    return false;
  }
  if (relation == "Equals") return a == b;
  if (relation == "LessThan") return a < b;
  if (relation == "LessThanEquals") return a <= b;
  if (relation == "GreaterThan") return a > b;
  return a >= b;  // GreaterThanEquals
}

// `operation` is without its "Not".
bool Compare(absl::string_view operation, absl::string_view found,
             absl::string_view wanted) {
  if (operation == "StringEquals") return found == wanted;
  if (operation == "StringEqualsIgnoreCase" || operation == "Bool") {
    return absl::EqualsIgnoreCase(found, wanted);
  }
  if (operation == "StringLike")
    return strings::MatchesWildcards(wanted, found);
  if (operation == "ArnEquals" || operation == "ArnLike") {
    return MatchesArn(wanted, found);
  }
  if (absl::ConsumePrefix(&operation, "Numeric")) {
    return CompareNumbers(operation, found, wanted);
  }
  return false;
}

bool Holds(const Condition& condition, const AccessRequest& request) {
  const std::optional<std::string> found = ContextValue(request, condition.key);
  if (condition.operation == "Null") {
    return std::any_of(condition.values.begin(), condition.values.end(),
                       [&](const std::string& absent) {
                         return absl::EqualsIgnoreCase(absent, "true") !=
                                found.has_value();
                       });
  }
  std::string operation = condition.operation;
  const std::size_t negation = operation.find("Not");
  const bool negated = negation != std::string::npos;
  if (negated) operation.erase(negation, 3);
  // A missing key is not equal to anything.
  if (!found.has_value()) return condition.if_exists || negated;
  const bool any = std::any_of(condition.values.begin(), condition.values.end(),
                               [&](const std::string& wanted) {
                                 return Compare(operation, *found, wanted);
                               });
  return any != negated;
}

template <typename Matches>
bool AnyMatches(const std::vector<std::string>& patterns,
                const std::string& text, Matches matches) {
  return std::any_of(
      patterns.begin(), patterns.end(),
      [&](const std::string& pattern) { return matches(pattern, text); });
}

// Checks everything except the principal.
bool Applies(const Statement& statement, const AccessRequest& request) {
  const bool action =
      statement.actions.empty()
          ? !AnyMatches(statement.not_actions, request.action, MatchesAction)
          : AnyMatches(statement.actions, request.action, MatchesAction);
  if (!action) return false;
  // A trust policy names no resource: it is the role itself.
  const bool resource =
      statement.resources.empty()
          ? !AnyMatches(statement.not_resources, request.resource, MatchesArn)
          : AnyMatches(statement.resources, request.resource, MatchesArn);
  if (!resource) return false;
  return std::all_of(statement.conditions.begin(), statement.conditions.end(),
                     [&](const Condition& c) { return Holds(c, request); });
}

// The actions that no queue policy denies to the account: otherwise nobody
// could take back a policy that denies everybody.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/root-user-tasks.html
constexpr absl::string_view kUnlockingActions[] = {"sqs:GetQueueAttributes",
                                                   "sqs:SetQueueAttributes"};

bool MayUnlock(const AccessRequest& request) {
  return request.principal.kind == Principal::Kind::kAccount &&
         std::find(std::begin(kUnlockingActions), std::end(kUnlockingActions),
                   request.action) != std::end(kUnlockingActions);
}

enum class Naming { kNone, kByAccount, kDirect };

// Whether and how the principals include the caller.
Naming NamingOf(const Principals& principals, const Principal& principal) {
  if (principals.anyone) return Naming::kDirect;
  if (principal.kind == Principal::Kind::kService) {
    return AnyMatches(principals.services, principal.id,
                      [](const std::string& a, const std::string& b) {
                        return a == b;
                      })
               ? Naming::kDirect
               : Naming::kNone;
  }
  const std::vector<absl::string_view> parts =
      absl::StrSplit(principal.id, absl::MaxSplits(':', 5));
  const absl::string_view account = parts.size() == 6 ? parts[4] : "";
  Naming naming = Naming::kNone;
  for (const std::string& named : principals.aws) {
    if (named == principal.id ||
        (!principal.role_arn.empty() && named == principal.role_arn)) {
      return Naming::kDirect;
    }
    if (!account.empty() &&
        (named == account ||
         absl::EndsWith(named, absl::StrCat(":iam::", account, ":root")))) {
      naming = Naming::kByAccount;
    }
  }
  return naming;
}

std::string Describe(const NamedPolicy& policy, std::size_t index) {
  const Statement& statement = policy.document.statements[index];
  return absl::StrCat(
      "policy ", policy.name, ", statement ", index + 1,
      statement.sid.empty() ? "" : absl::StrCat(" (", statement.sid, ")"));
}

// Finds the first statement with this effect that applies.
std::optional<std::string> FindIdentity(absl::Span<const NamedPolicy> policies,
                                        Effect effect,
                                        const AccessRequest& request) {
  for (const NamedPolicy& policy : policies) {
    for (std::size_t i = 0; i < policy.document.statements.size(); ++i) {
      const Statement& statement = policy.document.statements[i];
      if (statement.effect == effect && Applies(statement, request)) {
        return Describe(policy, i);
      }
    }
  }
  return std::nullopt;
}

// A policy that allows the whole account delegates to the account's own
// policies; one that denies it denies every caller in it.
std::optional<std::string> FindResource(absl::Span<const NamedPolicy> policies,
                                        Effect effect,
                                        const AccessRequest& request) {
  for (const NamedPolicy& policy : policies) {
    for (std::size_t i = 0; i < policy.document.statements.size(); ++i) {
      const Statement& statement = policy.document.statements[i];
      if (statement.effect != effect || !Applies(statement, request)) continue;
      const Naming naming = NamingOf(statement.principals, request.principal);
      if (naming == Naming::kDirect ||
          (naming == Naming::kByAccount && effect == Effect::kDeny)) {
        return Describe(policy, i);
      }
    }
  }
  return std::nullopt;
}

std::string MissingStatement(const AccessRequest& request) {
  Json::Value statement(Json::objectValue);
  statement["Effect"] = "Allow";
  statement["Action"] = request.action;
  statement["Resource"] = request.resource;
  if (request.principal.kind == Principal::Kind::kService) {
    statement["Principal"]["Service"] = request.principal.id;
  }
  return json::WriteValue(statement);
}

}  // namespace

Decision Evaluate(const Policies& policies, const AccessRequest& request) {
  using Outcome = Decision::Outcome;
  using Source = Decision::Source;
  if (MayUnlock(request)) return {.outcome = Outcome::kAllowed};
  const auto decide = [&](Effect effect,
                          Outcome outcome) -> std::optional<Decision> {
    if (auto by = FindIdentity(policies.identity, effect, request)) {
      return Decision{.outcome = outcome,
                      .statement = *by,
                      .source = Source::kIdentityPolicy};
    }
    if (auto by = FindResource(policies.resource, effect, request)) {
      return Decision{.outcome = outcome,
                      .statement = *by,
                      .source = Source::kResourcePolicy};
    }
    return std::nullopt;
  };
  if (auto denied = decide(Effect::kDeny, Outcome::kExplicitlyDenied)) {
    return *denied;
  }
  if (request.principal.kind == Principal::Kind::kAccount) {
    return {.outcome = Outcome::kAllowed};
  }
  if (auto allowed = decide(Effect::kAllow, Outcome::kAllowed)) {
    return *allowed;
  }
  return {.outcome = Outcome::kNotAllowed,
          .missing = MissingStatement(request)};
}

std::string DenialMessage(const AccessRequest& request,
                          const Decision& decision) {
  const bool by_resource =
      decision.source == Decision::Source::kResourcePolicy ||
      (decision.source == Decision::Source::kNone &&
       request.principal.kind == Principal::Kind::kService);
  const absl::string_view kind =
      by_resource ? "resource-based" : "identity-based";
  std::string message =
      absl::StrCat("User: ", request.principal.id,
                   " is not authorized to perform: ", request.action,
                   " on resource: ", request.resource);
  if (decision.outcome == Decision::Outcome::kExplicitlyDenied) {
    absl::StrAppend(&message, " with an explicit deny in ",
                    by_resource ? "a " : "an ", kind, " policy");
  } else {
    absl::StrAppend(&message, " because no ", kind, " policy allows the ",
                    request.action, " action");
  }
  return message;
}

}  // namespace byoshin::local::iam
