#include "local/iam/policy_grammar.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "local/iam/condition_keys.h"
#include "local/iam/policy.h"

namespace byoshin::local::iam {
namespace {

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
constexpr std::array<absl::string_view, 18> kOperators = {
    "StringEquals",
    "StringNotEquals",
    "StringEqualsIgnoreCase",
    "StringNotEqualsIgnoreCase",
    "StringLike",
    "StringNotLike",
    "NumericEquals",
    "NumericNotEquals",
    "NumericLessThan",
    "NumericLessThanEquals",
    "NumericGreaterThan",
    "NumericGreaterThanEquals",
    "Bool",
    "ArnEquals",
    "ArnLike",
    "ArnNotEquals",
    "ArnNotLike",
    "Null",
};

bool HasWildcard(absl::string_view text) {
  return text.find_first_of("*?") != absl::string_view::npos;
}

bool IsAlphanumericOr(absl::string_view others, absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           others.find(c) != absl::string_view::npos;
  });
}

std::vector<absl::string_view> KnownKeys(PolicyKind kind) {
  std::vector<absl::string_view> keys = {
      kPrincipalAccountKey, kSecureTransportKey, kSourceAccountKey};
  if (kind != PolicyKind::kTrust) keys.push_back(kSourceArnKey);
  return keys;
}

}  // namespace

std::string ActionFault(absl::string_view action, PolicyKind kind) {
  const std::vector<absl::string_view> parts = absl::StrSplit(action, ':');
  if (kind == PolicyKind::kTrust &&
      !absl::EqualsIgnoreCase(parts.front(), "sts")) {
    return "AssumeRole policy may only specify STS AssumeRole actions.";
  }
  if (action == "*") return "";
  if (parts.size() == 1) {
    return "Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, "
           "ec2, etc.";
  }
  if (parts.size() > 2) return "Actions/Condition can contain only one colon.";
  if (HasWildcard(parts[0])) {
    return "Action vendors must not contain wildcards.";
  }
  if (parts[0].empty() || !IsAlphanumericOr("-.", parts[0])) {
    return absl::StrCat("Vendor ", parts[0], " is not valid");
  }
  return "";
}

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html
std::string ResourceFault(absl::string_view resource) {
  if (resource == "*") return "";
  const std::vector<absl::string_view> parts = absl::StrSplit(resource, ':');
  if (parts.size() < 3 || parts[0] != "arn") {
    return absl::StrCat("Resource ", resource,
                        " must be in ARN format or \"*\".");
  }
  if (parts[2].empty() || HasWildcard(parts[2])) {
    return "Resource vendor must be fully qualified and cannot contain "
           "regexes.";
  }
  return "";
}

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
std::string PrincipalFault(absl::string_view kind,
                           absl::string_view principal) {
  const bool everyone = kind == "AWS" && principal == "*";
  if (!principal.empty() && (everyone || !HasWildcard(principal))) return "";
  return absl::StrCat("Invalid principal in policy: \"", kind, "\":\"",
                      principal, "\"");
}

std::string SidFault(absl::string_view sid, PolicyKind kind) {
  // Services other than IAM are less strict about their resources' policies.
  if (kind == PolicyKind::kResource || IsAlphanumericOr("", sid)) return "";
  return "Statement IDs (SID) must be alpha-numeric.";
}

std::string ConditionKeyFault(absl::string_view key, PolicyKind kind) {
  const std::vector<absl::string_view> known = KnownKeys(kind);
  for (const absl::string_view name : known) {
    if (absl::EqualsIgnoreCase(name, key)) return "";
  }
  return absl::StrCat("the local IAM cannot evaluate the condition key ", key,
                      "; it supports ", absl::StrJoin(known, ", "));
}

std::string OperatorFault(absl::string_view operation, bool if_exists) {
  const bool known = std::find(kOperators.begin(), kOperators.end(),
                               operation) != kOperators.end();
  if (known && !(operation == "Null" && if_exists)) return "";
  return absl::StrCat("condition operator ", operation,
                      if_exists ? "IfExists" : "",
                      " is not supported; the local IAM supports ",
                      absl::StrJoin(kOperators, ", "),
                      ", and IfExists after all of these except Null");
}

std::string ConditionValueFault(absl::string_view operation,
                                const std::vector<std::string>& values) {
  if (operation != "Null" && operation != "Bool") return "";
  for (const std::string& value : values) {
    if (!absl::EqualsIgnoreCase(value, "true") &&
        !absl::EqualsIgnoreCase(value, "false")) {
      return absl::StrCat(operation, " expects true or false, not ", value);
    }
  }
  return "";
}

}  // namespace byoshin::local::iam
