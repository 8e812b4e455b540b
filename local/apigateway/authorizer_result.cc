#include "local/apigateway/authorizer_result.h"

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/iam/condition_keys.h"
#include "local/iam/evaluation.h"
#include "local/iam/policy.h"

namespace byoshin::local::apigateway {
namespace {

constexpr char kInvokeAction[] = "execute-api:Invoke";
constexpr char kVersion[] = "2012-10-17";
constexpr char kOlderVersion[] = "2008-10-17";

absl::Status BadResult(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("the authorizer's result is invalid: ", why));
}

bool IsPlain(const Json::Value& value) {
  return value.isString() || value.isBool() || value.isNumeric();
}

std::string PlainText(const Json::Value& value) {
  return value.isString() ? value.asString() : json::WriteValue(value);
}

// The text of an optional member.
absl::StatusOr<std::string> PlainMember(const Json::Value& object,
                                        const char* name) {
  const Json::Value& member = object[name];
  if (member.isNull()) return "";
  if (!IsPlain(member)) {
    return BadResult(absl::StrCat(name, " is ", json::Describe(member)));
  }
  return PlainText(member);
}

}  // namespace

absl::StatusOr<AuthorizerResult> ParseAuthorizerResult(
    absl::string_view payload) {
  const absl::StatusOr<Json::Value> value = json::ParseValue(payload);
  if (!value.ok()) return BadResult(value.status().message());
  if (!value->isObject()) return BadResult("it is not an object");
  AuthorizerResult result;
  absl::StatusOr<std::string> principal = PlainMember(*value, "principalId");
  if (!principal.ok()) return principal.status();
  result.principal_id = *std::move(principal);
  absl::StatusOr<std::string> key = PlainMember(*value, "usageIdentifierKey");
  if (!key.ok()) return key.status();
  result.usage_key = *std::move(key);

  Json::Value document = (*value)["policyDocument"];
  if (!document.isObject()) return BadResult("policyDocument is missing");
  // The older version is the default. It differs in policy variables, which
  // are rejected anyway.
  if (document["Version"].isNull() || document["Version"] == kOlderVersion) {
    document["Version"] = kVersion;
  }
  absl::StatusOr<iam::PolicyDocument> policy =
      iam::ParsePolicy(document, iam::PolicyKind::kIdentity);
  if (!policy.ok()) {
    return BadResult(
        absl::StrCat("policyDocument: ", policy.status().message()));
  }
  result.policy = *std::move(policy);

  const Json::Value& context = (*value)["context"];
  if (!context.isNull() && !context.isObject()) {
    return BadResult("context is not an object");
  }
  for (const std::string& name : context.getMemberNames()) {
    if (context[name].isNull()) continue;
    if (!IsPlain(context[name])) {
      return BadResult(absl::StrCat("context has ", json::Excerpt(name),
                                    ", which is no string, number or boolean"));
    }
    result.context[name] = PlainText(context[name]);
  }
  return result;
}

Permission Permits(const AuthorizerResult& result,
                   absl::string_view method_arn) {
  const iam::NamedPolicy policy{.name = "authorizer",
                                .document = result.policy};
  const iam::Decision decision =
      iam::Evaluate({.identity = absl::MakeConstSpan(&policy, 1)},
                    {.principal = {.kind = iam::Principal::Kind::kRole,
                                   .id = result.principal_id},
                     .action = kInvokeAction,
                     .resource = std::string(method_arn),
                     .context = {{iam::kSecureTransportKey, "true"}}});
  switch (decision.outcome) {
    case iam::Decision::Outcome::kAllowed:
      return Permission::kAllowed;
    case iam::Decision::Outcome::kExplicitlyDenied:
      return Permission::kExplicitlyDenied;
    case iam::Decision::Outcome::kNotAllowed:
      break;
  }
  return Permission::kNotAllowed;
}

}  // namespace byoshin::local::apigateway
