#include "local/iam/policy.h"

#include <json/json.h>

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/value.h"
#include "core/strings/wildcard.h"
#include "local/iam/policy_grammar.h"

namespace byoshin::local::iam {
namespace {

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_version.html
constexpr char kVersion[] = "2012-10-17";
constexpr char kOlderVersion[] = "2008-10-17";

// For a single use. Errors start with the statement.
class StatementParser {
 public:
  StatementParser(const Json::Value& json, PolicyKind kind, std::string where)
      : json_(json), kind_(kind), where_(std::move(where)) {}

  absl::StatusOr<Statement> Parse() {
    if (!json_.isObject()) return Error("must be an object");
    if (absl::Status status = CheckMembers(); !status.ok()) return status;
    if (absl::Status status = ParseEffectAndSid(); !status.ok()) return status;
    if (absl::Status status = ParsePrincipals(); !status.ok()) return status;
    if (absl::Status status = ParseActions(); !status.ok()) return status;
    if (absl::Status status = ParseResources(); !status.ok()) return status;
    if (absl::Status status = ParseConditions(); !status.ok()) return status;
    return std::move(out_);
  }

 private:
  absl::Status Error(absl::string_view what) const {
    return absl::InvalidArgumentError(absl::StrCat(where_, ": ", what));
  }
  // OK if `fault` is empty.
  absl::Status Check(absl::string_view fault) const {
    return fault.empty() ? absl::OkStatus() : Error(fault);
  }
  absl::Status Check(absl::string_view name, absl::string_view fault) const {
    return Check(fault.empty() ? "" : absl::StrCat(name, ": ", fault));
  }

  absl::Status CheckMembers() const {
    std::set<std::string> known = {"Sid", "Effect", "Action", "NotAction",
                                   "Condition"};
    if (kind_ == PolicyKind::kIdentity || kind_ == PolicyKind::kResource) {
      known.insert({"Resource", "NotResource"});
    }
    if (kind_ != PolicyKind::kIdentity) known.insert("Principal");
    for (const std::string& member : json_.getMemberNames()) {
      if (known.count(member) == 0) {
        return Error(absl::StrCat(
            "element ", member,
            " is not known, or not allowed in this kind of policy"));
      }
    }
    return absl::OkStatus();
  }

  absl::Status ParseEffectAndSid() {
    const Json::Value& effect = json_["Effect"];
    if (effect == Json::Value("Allow")) {
      out_.effect = Effect::kAllow;
    } else if (effect == Json::Value("Deny")) {
      out_.effect = Effect::kDeny;
    } else {
      return Error(absl::StrCat("Effect must be Allow or Deny, not ",
                                json::Describe(effect)));
    }
    if (!json_.isMember("Sid")) return absl::OkStatus();
    if (!json_["Sid"].isString()) return Error("Sid must be a text");
    out_.sid = json_["Sid"].asString();
    return Check(SidFault(out_.sid, kind_));
  }

  absl::Status ParseTexts(absl::string_view name, const Json::Value& value,
                          std::vector<std::string>& out) const {
    if (value.isString()) return AddText(name, value, out);
    if (!value.isArray() || value.empty()) {
      return Error(absl::StrCat(name, " must be a text or a list of texts"));
    }
    for (const Json::Value& element : value) {
      if (absl::Status status = AddText(name, element, out); !status.ok()) {
        return status;
      }
    }
    return absl::OkStatus();
  }

  absl::Status AddText(absl::string_view name, const Json::Value& value,
                       std::vector<std::string>& out) const {
    if (!value.isString()) {
      return Error(absl::StrCat(name, " must be a text or a list of texts"));
    }
    out.push_back(value.asString());
    return CheckVariables(name, out.back());
  }

  absl::Status CheckVariables(absl::string_view name,
                              absl::string_view text) const {
    if (!absl::StrContains(text, "${")) return absl::OkStatus();
    return Error(
        absl::StrCat(name, ": policy variables are not supported: ", text));
  }

  // Action or NotAction, Resource or NotResource.
  absl::Status ParseEither(const std::string& name,
                           std::vector<std::string>& out,
                           std::vector<std::string>& not_out) const {
    const std::string not_name = absl::StrCat("Not", name);
    if (json_.isMember(name) == json_.isMember(not_name)) {
      return Error(absl::StrCat("needs one of ", name, " and ", not_name));
    }
    return json_.isMember(name)
               ? ParseTexts(name, json_[name], out)
               : ParseTexts(not_name, json_[not_name], not_out);
  }

  absl::Status ParseActions() {
    absl::Status status = ParseEither("Action", out_.actions, out_.not_actions);
    for (const std::vector<std::string>* actions :
         {&out_.actions, &out_.not_actions}) {
      for (const std::string& action : *actions) {
        status.Update(Check(action, ActionFault(action, kind_)));
      }
    }
    return status;
  }

  absl::Status ParseResources() {
    if (kind_ == PolicyKind::kTrust) return absl::OkStatus();
    absl::Status status =
        ParseEither("Resource", out_.resources, out_.not_resources);
    for (const std::vector<std::string>* resources :
         {&out_.resources, &out_.not_resources}) {
      for (const std::string& resource : *resources) {
        status.Update(Check(resource, ResourceFault(resource)));
      }
    }
    return status;
  }

  absl::Status ParsePrincipals() {
    if (kind_ == PolicyKind::kIdentity) return absl::OkStatus();
    const Json::Value& principal = json_["Principal"];
    if (principal == Json::Value("*")) {
      out_.principals.anyone = true;
      return absl::OkStatus();
    }
    if (!principal.isObject() || principal.empty()) {
      return Error("Principal must be \"*\" or an object");
    }
    for (const std::string& member : principal.getMemberNames()) {
      if (member != "Service" && member != "AWS") {
        return Error(
            absl::StrCat("principals of kind ", member, " are not supported"));
      }
      std::vector<std::string>& out =
          member == "Service" ? out_.principals.services : out_.principals.aws;
      absl::Status status = ParseTexts(absl::StrCat("Principal.", member),
                                       principal[member], out);
      for (const std::string& each : out) {
        status.Update(Check(PrincipalFault(member, each)));
      }
      if (!status.ok()) return status;
    }
    for (const std::string& aws : out_.principals.aws) {
      if (aws == "*") out_.principals.anyone = true;
    }
    return absl::OkStatus();
  }

  absl::Status ParseConditions() {
    if (!json_.isMember("Condition")) return absl::OkStatus();
    const Json::Value& block = json_["Condition"];
    if (!block.isObject()) return Error("Condition must be an object");
    for (const std::string& operation : block.getMemberNames()) {
      const Json::Value& keys = block[operation];
      if (!keys.isObject()) {
        return Error(
            absl::StrCat("Condition.", operation, " must be an object"));
      }
      for (const std::string& key : keys.getMemberNames()) {
        absl::Status status = ParseCondition(operation, key, keys[key]);
        if (!status.ok()) return status;
      }
    }
    return absl::OkStatus();
  }

  absl::Status ParseCondition(absl::string_view operation,
                              const std::string& key,
                              const Json::Value& values) {
    Condition condition;
    condition.if_exists = absl::ConsumeSuffix(&operation, "IfExists");
    condition.operation = std::string(operation);
    condition.key = absl::AsciiStrToLower(key);
    absl::Status status = Check(OperatorFault(operation, condition.if_exists));
    status.Update(Check(ConditionKeyFault(key, kind_)));
    if (!status.ok()) return status;
    const auto append = [&condition](const Json::Value& value) {
      if (value.isArray() || value.isObject() || value.isNull()) return false;
      condition.values.push_back(value.isString() ? value.asString()
                                                  : json::WriteValue(value));
      return true;
    };
    bool valid = true;
    if (values.isArray()) {
      for (const Json::Value& value : values) valid &= append(value);
    } else {
      valid = append(values);
    }
    if (!valid || condition.values.empty()) {
      return Error(absl::StrCat("Condition.", operation, ".", key,
                                " must be a value or a list of values"));
    }
    for (const std::string& value : condition.values) {
      status.Update(
          CheckVariables(absl::StrCat("Condition.", operation), value));
    }
    status.Update(Check(absl::StrCat("Condition.", operation, ".", key),
                        ConditionValueFault(operation, condition.values)));
    out_.conditions.push_back(std::move(condition));
    return status;
  }

  const Json::Value& json_;
  const PolicyKind kind_;
  const std::string where_;
  Statement out_;
};

}  // namespace

absl::StatusOr<PolicyDocument> ParsePolicy(const Json::Value& document,
                                           PolicyKind kind) {
  if (!document.isObject()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a policy document must be an object, not ", json::Describe(document)));
  }
  for (const std::string& member : document.getMemberNames()) {
    if (member != "Version" && member != "Id" && member != "Statement") {
      return absl::InvalidArgumentError(
          absl::StrCat("policy document: element ", member, " is not known"));
    }
  }
  // The older version has no policy variables, which are not supported anyway.
  // It is the default of a document without a version, which is usually a
  // mistake; but services write it into the policies of resources.
  const Json::Value& version = document["Version"];
  const bool may_be_older = kind == PolicyKind::kResource &&
                            (version.isNull() || version == kOlderVersion);
  if (version != kVersion && !may_be_older) {
    return absl::InvalidArgumentError(
        absl::StrCat("policy document: Version must be \"", kVersion,
                     "\", not ", json::Describe(version)));
  }
  const Json::Value& statements = document["Statement"];
  if (!statements.isObject() && (!statements.isArray() || statements.empty())) {
    return absl::InvalidArgumentError(
        "policy document: Statement must be a statement or a list of them");
  }
  PolicyDocument policy;
  std::set<std::string> sids;
  const auto add = [&](const Json::Value& json, std::size_t number) {
    absl::StatusOr<Statement> statement =
        StatementParser(json, kind, absl::StrCat("policy statement ", number))
            .Parse();
    if (!statement.ok()) return statement.status();
    if (!statement->sid.empty() && !sids.insert(statement->sid).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("policy statement ", number,
                       ": Statement IDs (SID) in a single policy must be "
                       "unique."));
    }
    policy.statements.push_back(*std::move(statement));
    return absl::OkStatus();
  };
  if (statements.isObject()) {
    if (absl::Status status = add(statements, 1); !status.ok()) return status;
    return policy;
  }
  for (const Json::Value& json : statements) {
    absl::Status status = add(json, policy.statements.size() + 1);
    if (!status.ok()) return status;
  }
  return policy;
}

bool MatchesArn(absl::string_view pattern, absl::string_view arn) {
  if (pattern == "*") return true;
  const std::vector<absl::string_view> wanted =
      absl::StrSplit(pattern, absl::MaxSplits(':', 5));
  const std::vector<absl::string_view> found =
      absl::StrSplit(arn, absl::MaxSplits(':', 5));
  if (wanted.size() != found.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!strings::MatchesWildcards(wanted[i], found[i])) return false;
  }
  return true;
}

}  // namespace byoshin::local::iam
