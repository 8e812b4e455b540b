#include "local/iam/policy.h"

#include <json/json.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/iam/evaluation.h"

namespace byoshin::local::iam {
namespace {

constexpr char kPolicyQueue[] = "arn:aws:sqs:us-east-1:000000000000:orders";
constexpr char kRole[] = "arn:aws:iam::000000000000:role/R";
constexpr char kSession[] = "arn:aws:sts::000000000000:assumed-role/R/S";

Principal RoleSession() {
  return {.kind = Principal::Kind::kRole, .id = kSession, .role_arn = kRole};
}

PolicyDocument Policy(absl::string_view statements,
                      PolicyKind kind = PolicyKind::kIdentity) {
  const absl::StatusOr<PolicyDocument> policy =
      ParsePolicy(json::ParseValue(
                      absl::StrCat(R"({"Version": "2012-10-17", "Statement": )",
                                   statements, "}"))
                      .value(),
                  kind);
  EXPECT_TRUE(policy.ok()) << statements << ": " << policy.status();
  return policy.value_or(PolicyDocument{});
}

std::string Refusal(absl::string_view document,
                    PolicyKind kind = PolicyKind::kIdentity) {
  const absl::StatusOr<PolicyDocument> policy =
      ParsePolicy(json::ParseValue(document).value(), kind);
  return policy.ok() ? "none" : std::string(policy.status().message());
}

std::string StatementRefusal(absl::string_view statement,
                             PolicyKind kind = PolicyKind::kIdentity) {
  return Refusal(absl::StrCat(R"({"Version": "2012-10-17", "Statement": [)",
                              statement, "]}"),
                 kind);
}

Decision Decide(absl::string_view identity, absl::string_view resource,
                const AccessRequest& request) {
  std::vector<NamedPolicy> identities;
  std::vector<NamedPolicy> resources;
  if (!identity.empty()) identities.push_back({"I", Policy(identity)});
  if (!resource.empty()) {
    resources.push_back({"Q", Policy(resource, PolicyKind::kResource)});
  }
  return Evaluate({.identity = identities, .resource = resources}, request);
}

// Whether the one statement, with its last part given, lets a role send.
bool Allows(absl::string_view rest,
            std::map<std::string, std::string> context = {}) {
  return Decide(absl::StrCat(R"({"Effect": "Allow", )", rest, "}"), "",
                {.principal = RoleSession(),
                 .action = "sqs:SendMessage",
                 .resource = kPolicyQueue,
                 .context = std::move(context)})
      .allowed();
}

bool AllowsIf(absl::string_view condition,
              const std::map<std::string, std::string>& context) {
  return Allows(absl::StrCat(R"("Action": "*", "Resource": "*", "Condition": )",
                             condition),
                context);
}

TEST(MatchesArn, KeepsWildcardsBetweenTheColons) {
  EXPECT_TRUE(MatchesArn("*", kPolicyQueue));
  EXPECT_TRUE(MatchesArn("arn:aws:sqs:*:000000000000:ord*", kPolicyQueue));
  EXPECT_FALSE(MatchesArn("arn:aws:sqs:*:orders", kPolicyQueue));
  EXPECT_FALSE(MatchesArn("arn:aws:sqs:us-east-1:*", kPolicyQueue));
  EXPECT_TRUE(MatchesArn("arn:aws:logs:r:1:log-group:*",
                         "arn:aws:logs:r:1:log-group:a:b"));
}

TEST(ParsePolicy, RefusesWhatItDoesNotUnderstand) {
  EXPECT_EQ(Refusal("[]"), "a policy document must be an object, not an array");
  EXPECT_TRUE(absl::StrContains(Refusal(R"({"Statement": []})"),
                                "Version must be \"2012-10-17\", not null"));
  EXPECT_TRUE(absl::StrContains(
      Refusal(R"({"Version": "2012-10-17", "Statement": []})"),
      "Statement must be"));
  EXPECT_TRUE(
      absl::StrContains(Refusal(R"({"Version": "2012-10-17", "Statment": []})"),
                        "element Statment is not known"));
  const std::string rest = R"("Action": "*", "Resource": "*")";
  EXPECT_EQ(StatementRefusal(absl::StrCat("{", rest, "}")),
            "policy statement 1: Effect must be Allow or Deny, not null");
  EXPECT_EQ(StatementRefusal(R"({"Effect": "Allow", "Resource": "*"})"),
            "policy statement 1: needs one of Action and NotAction");
  EXPECT_EQ(StatementRefusal(R"({"Effect": "Allow", "Action": "*"})"),
            "policy statement 1: needs one of Resource and NotResource");
  EXPECT_EQ(
      StatementRefusal(R"({"Effect": "Allow", "Action": [], "Resource": "*"})"),
      "policy statement 1: Action must be a text or a list of texts");
  EXPECT_TRUE(absl::StrContains(
      StatementRefusal(
          absl::StrCat(R"({"Effect": "Allow", "Principal": "*", )", rest, "}")),
      "element Principal is not known, or not allowed"));
  EXPECT_TRUE(absl::StrContains(
      StatementRefusal(absl::StrCat(R"({"Effect": "Allow", )", rest, "}"),
                       PolicyKind::kResource),
      "Principal must be"));
  EXPECT_TRUE(absl::StrContains(
      StatementRefusal(
          R"({"Effect": "Allow", "Principal": {"Federated": "x"},
              "Action": "sts:AssumeRole"})",
          PolicyKind::kTrust),
      "principals of kind Federated are not supported"));
  EXPECT_TRUE(absl::StrContains(
      StatementRefusal(absl::StrCat(
          R"({"Effect": "Allow", "Condition": {"IpAddress": {"a": "b"}}, )",
          rest, "}")),
      "condition operator IpAddress is not supported; the local IAM supports "
      "StringEquals, "));
  EXPECT_TRUE(
      absl::StrContains(StatementRefusal(R"({"Effect": "Allow", "Action": "*",
                           "Resource": "arn:${aws:username}"})"),
                        "policy variables are not supported"));
}

TEST(ParsePolicy, RefusesConditionsThatItCannotEvaluate) {
  const auto refusal = [](absl::string_view condition,
                          PolicyKind kind = PolicyKind::kIdentity) {
    return StatementRefusal(
        absl::StrCat(R"({"Effect": "Allow", )",
                     kind == PolicyKind::kTrust
                         ? R"("Principal": "*", "Action": "sts:AssumeRole")"
                         : R"("Action": "*", "Resource": "*")",
                     R"(, "Condition": )", condition, "}"),
        kind);
  };
  EXPECT_EQ(refusal(R"({"Null": {"aws:MultiFactorAuthPresent": "true"}})"),
            "policy statement 1: the local IAM cannot evaluate the condition "
            "key aws:MultiFactorAuthPresent; it supports aws:PrincipalAccount, "
            "aws:SecureTransport, aws:SourceAccount, aws:SourceArn");
  for (const char* condition :
       {R"({"StringEqualsIfExists": {"aws:SourceVpce": "vpce-1"}})",
        R"({"StringNotEquals": {"sqs:Unknown": "x"}})",
        R"({"StringNotEquals": {"": "x"}})",
        R"({"StringEquals": {"aws:SourceArn": "x", "aws:SourceIp": "y"}})"}) {
    EXPECT_TRUE(absl::StrContains(refusal(condition), "cannot evaluate"))
        << condition;
  }
  // The local cloud can't tell for which function a role is assumed.
  const char* source = R"({"Null": {"aws:SourceArn": "true"}})";
  EXPECT_EQ(refusal(source), "none");
  EXPECT_TRUE(absl::StrContains(refusal(source, PolicyKind::kTrust),
                                "cannot evaluate"));
  EXPECT_TRUE(absl::StrContains(
      refusal(R"({"NullIfExists": {"aws:SourceArn": "true"}})"),
      "condition operator NullIfExists is not supported"));
  for (const char* condition :
       {R"({"ForAllValues:StringEquals": {"aws:SourceArn": "x"}})",
        R"({"ForAnyValue:StringLike": {"aws:SourceArn": "x"}})",
        R"({"DateLessThan": {"aws:SourceArn": "x"}})",
        R"({"stringequals": {"aws:SourceArn": "x"}})"}) {
    EXPECT_TRUE(absl::StrContains(refusal(condition), "is not supported"))
        << condition;
  }
  EXPECT_TRUE(
      absl::StrContains(refusal(R"({"Null": {"aws:SourceArn": "yes"}})"),
                        "Null expects true or false, not yes"));
  EXPECT_TRUE(
      absl::StrContains(refusal(R"({"Bool": {"aws:SecureTransport": 1}})"),
                        "Bool expects true or false, not 1"));
}

TEST(ParsePolicy, RefusesActionsAndResourcesAsAwsDoes) {
  const auto refusal = [](absl::string_view action,
                          absl::string_view resource = "*") {
    return StatementRefusal(absl::StrCat(R"({"Effect": "Allow", "Action": ")",
                                         action, R"(", "Resource": ")",
                                         resource, "\"}"));
  };
  EXPECT_EQ(refusal("s*:SendMessage"),
            "policy statement 1: s*:SendMessage: Action vendors must not "
            "contain wildcards.");
  for (const char* action : {"*:SendMessage", "sq?:SendMessage", "*:*"}) {
    EXPECT_TRUE(absl::StrContains(refusal(action), "wildcards")) << action;
  }
  EXPECT_TRUE(
      absl::StrContains(refusal("SendMessage"), "prefaced by a vendor"));
  EXPECT_TRUE(absl::StrContains(refusal(""), "prefaced by a vendor"));
  EXPECT_TRUE(absl::StrContains(refusal("sqs*"), "prefaced by a vendor"));
  EXPECT_TRUE(absl::StrContains(refusal("sqs:a:b"), "only one colon"));
  EXPECT_TRUE(absl::StrContains(refusal("s qs:a"), "Vendor s qs is not valid"));
  EXPECT_TRUE(absl::StrContains(refusal(":a"), "is not valid"));
  EXPECT_TRUE(absl::StrContains(
      StatementRefusal(
          R"({"Effect": "Allow", "NotAction": "s*:x", "Resource": "*"})"),
      "wildcards"));
  for (const char* action :
       {"*", "sqs:*", "SQS:Send?essage*", "sqs:SendMess"}) {
    EXPECT_EQ(refusal(action), "none") << action;
  }
  EXPECT_TRUE(absl::StrContains(refusal("*", "orders"),
                                "Resource orders must be in ARN format or"));
  EXPECT_TRUE(absl::StrContains(refusal("*", "arn:aws:s*:*:*:orders"),
                                "cannot contain regexes"));
  EXPECT_EQ(refusal("*", "arn:*:sqs:*:*:orders"), "none");
}

TEST(ParsePolicy, RefusesPrincipalsTrustsAndIdsAsAwsDoes) {
  const auto trust = [](absl::string_view principal, absl::string_view action) {
    return StatementRefusal(
        absl::StrCat(R"({"Effect": "Allow", "Principal": )", principal,
                     R"(, "Action": ")", action, "\"}"),
        PolicyKind::kTrust);
  };
  const char* lambda = R"({"Service": "lambda.amazonaws.com"})";
  EXPECT_EQ(trust(lambda, "sts:AssumeRole"), "none");
  for (const char* action : {"*", "sqs:SendMessage", "st*:AssumeRole"}) {
    EXPECT_TRUE(absl::StrContains(trust(lambda, action), "may only specify"))
        << action;
  }
  EXPECT_EQ(trust(R"({"AWS": "*"})", "sts:AssumeRole"), "none");
  for (const char* principal :
       {R"({"Service": "*"})", R"({"Service": "*.amazonaws.com"})",
        R"({"AWS": "arn:aws:iam::000000000000:role/*"})", R"({"AWS": ""})"}) {
    EXPECT_TRUE(absl::StrContains(trust(principal, "sts:AssumeRole"),
                                  "Invalid principal in policy"))
        << principal;
  }
  const char* rest = R"("Effect": "Deny", "Action": "*", "Resource": "*"})";
  EXPECT_TRUE(absl::StrContains(
      StatementRefusal(absl::StrCat(R"({"Sid": "a b", )", rest)),
      "must be alpha-numeric"));
  EXPECT_TRUE(absl::StrContains(
      StatementRefusal(
          absl::StrCat(R"({"Sid": "A", )", rest, R"(, {"Sid": "A", )", rest)),
      "policy statement 2: Statement IDs (SID) in a single policy must be"));
}

TEST(Evaluate, AllowsWhatAStatementNames) {
  EXPECT_TRUE(Allows(absl::StrCat(
      R"("Action": "sqs:SendMessage", "Resource": ")", kPolicyQueue, "\"")));
  EXPECT_TRUE(Allows(R"("Action": ["a:b", "SQS:send*"], "Resource": "*")"));
  EXPECT_TRUE(Allows(R"("NotAction": "sqs:Delete*", "Resource": "*")"));
  EXPECT_TRUE(
      Allows(R"("Action": "*", "NotResource": "arn:aws:sqs:*:*:other")"));
  EXPECT_FALSE(Allows(R"("Action": "sqs:SendMessages", "Resource": "*")"));
  EXPECT_FALSE(Allows(R"("NotAction": "sqs:*", "Resource": "*")"));
  EXPECT_FALSE(Allows(R"("Action": "*", "Resource": "arn:aws:sqs:*:*:other")"));
  EXPECT_FALSE(Allows(R"("Action": "*", "NotResource": "*")"));
}

TEST(Evaluate, KnowsConditionOperators) {
  const std::map<std::string, std::string> context = {
      {"aws:SecureTransport", "true"},
      {"aws:PrincipalAccount", "Abc"},
      {"aws:SourceAccount", "5"},
      {"aws:SourceArn", kPolicyQueue}};
  for (
      const char* holds :
      {R"({"Bool": {"AWS:securetransport": "true"}})",
       R"({"Bool": {"aws:SecureTransport": true}})",
       R"({"StringEquals": {"aws:PrincipalAccount": ["x", "Abc"]}})",
       R"({"StringNotEquals": {"aws:PrincipalAccount": ["x", "abc"]}})",
       R"({"StringEqualsIgnoreCase": {"aws:PrincipalAccount": "aBC"}})",
       R"({"StringLike": {"aws:PrincipalAccount": "A*"}})",
       R"({"StringNotLike": {"aws:PrincipalAccount": "B*"}})",
       R"({"NumericLessThan": {"aws:SourceAccount": 6}})",
       R"({"NumericEquals": {"aws:SourceAccount": "5.0"}})",
       R"({"NumericNotEquals": {"aws:SourceAccount": 6}})",
       R"({"NumericLessThanEquals": {"aws:SourceAccount": 5}})",
       R"({"NumericGreaterThan": {"aws:SourceAccount": 4}})",
       R"({"NumericGreaterThanEquals": {"aws:SourceAccount": 5}})",
       R"({"ArnEquals": {"aws:SourceArn": "arn:aws:sqs:*:*:orders"}})",
       R"({"ArnLike": {"aws:SourceArn": "arn:aws:sqs:*:*:o?ders"}})",
       R"({"ArnNotLike": {"aws:SourceArn": "arn:aws:sqs:*:*:x"}})",
       R"({"Null": {"aws:PrincipalAccount": "false"}})",
       R"({"StringEquals": {"aws:PrincipalAccount": "Abc"}, "NumericEquals": {"aws:SourceAccount": 5}})"}) {
    EXPECT_TRUE(AllowsIf(holds, context)) << holds;
  }
  for (
      const char* fails :
      {R"({"Bool": {"aws:SecureTransport": "false"}})",
       R"({"StringEquals": {"aws:PrincipalAccount": "abc"}})",
       R"({"StringNotEquals": {"aws:PrincipalAccount": ["x", "Abc"]}})",
       R"({"StringEqualsIfExists": {"aws:PrincipalAccount": "x"}})",
       R"({"NumericLessThan": {"aws:SourceAccount": 5}})",
       R"({"NumericEquals": {"aws:PrincipalAccount": 5}})",
       R"({"NumericGreaterThan": {"aws:SourceAccount": 5}})",
       R"({"ArnEquals": {"aws:SourceArn": "arn:aws:sqs:*:orders"}})",
       R"({"ArnNotEquals": {"aws:SourceArn": "arn:aws:sqs:*:*:orders"}})",
       R"({"Null": {"aws:PrincipalAccount": "true"}})",
       R"({"StringEquals": {"aws:PrincipalAccount": "Abc"}, "NumericEquals": {"aws:SourceAccount": 6}})"}) {
    EXPECT_FALSE(AllowsIf(fails, context)) << fails;
  }
}

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
TEST(Evaluate, KnowsWhatAKeyMeansThatTheRequestHasNot) {
  for (const char* holds :
       {R"({"Null": {"aws:SourceArn": "true"}})",
        R"({"Null": {"aws:SourceArn": ["false", "true"]}})",
        R"({"StringNotEquals": {"aws:SourceArn": "x"}})",
        R"({"StringNotEqualsIfExists": {"aws:SourceArn": "x"}})",
        R"({"ArnNotLike": {"aws:SourceArn": "*"}})",
        R"({"StringEqualsIfExists": {"aws:SourceArn": "x"}})",
        R"({"ArnLikeIfExists": {"aws:SourceArn": "x"}})",
        R"({"BoolIfExists": {"aws:SecureTransport": "true"}})"}) {
    EXPECT_TRUE(AllowsIf(holds, {})) << holds;
  }
  for (const char* fails : {R"({"Null": {"aws:SourceArn": "false"}})",
                            R"({"StringEquals": {"aws:SourceArn": "x"}})",
                            R"({"StringLike": {"aws:SourceArn": "*"}})",
                            R"({"ArnLike": {"aws:SourceArn": "*"}})",
                            R"({"NumericLessThan": {"aws:SourceArn": 5}})",
                            R"({"Bool": {"aws:SecureTransport": "false"}})"}) {
    EXPECT_FALSE(AllowsIf(fails, {})) << fails;
  }
}

TEST(Evaluate, LetsADenialGoBeforeEverything) {
  const Decision decision = Decide(
      R"([{"Effect": "Allow", "Action": "*", "Resource": "*"},
          {"Sid": "No", "Effect": "Deny", "Action": "sqs:*",
           "Resource": "*"}])",
      "",
      {.principal = RoleSession(),
       .action = "sqs:X",
       .resource = kPolicyQueue});
  EXPECT_EQ(decision.outcome, Decision::Outcome::kExplicitlyDenied);
  EXPECT_EQ(decision.statement, "policy I, statement 2 (No)");
  EXPECT_EQ(DenialMessage({.principal = RoleSession(),
                           .action = "sqs:X",
                           .resource = kPolicyQueue},
                          decision),
            absl::StrCat("User: ", kSession,
                         " is not authorized to perform: sqs:X on resource: ",
                         kPolicyQueue,
                         " with an explicit deny in an identity-based policy"));
}

TEST(Evaluate, SaysWhatIsMissing) {
  const AccessRequest request{.principal = RoleSession(),
                              .action = "dynamodb:PutItem",
                              .resource = "arn:t"};
  const Decision decision =
      Decide(R"({"Effect": "Allow", "Action": "sqs:*", "Resource": "*"})", "",
             request);
  EXPECT_EQ(decision.outcome, Decision::Outcome::kNotAllowed);
  EXPECT_EQ(decision.missing,
            R"({"Action":"dynamodb:PutItem","Effect":"Allow",)"
            R"("Resource":"arn:t"})");
  EXPECT_EQ(
      DenialMessage(request, decision),
      "User: arn:aws:sts::000000000000:assumed-role/R/S is not "
      "authorized to perform: dynamodb:PutItem on resource: arn:t because "
      "no identity-based policy allows the dynamodb:PutItem action");
}

TEST(Evaluate, LetsServicesDoWhatTheResourceAllows) {
  const std::string policy = absl::StrCat(
      R"([{"Sid": "Tls", "Effect": "Deny", "Principal": "*", "Action": "sqs:*",
           "Resource": "*",
           "Condition": {"Bool": {"aws:SecureTransport": "false"}}},
          {"Effect": "Allow", "Principal": {"Service": "events.amazonaws.com"},
           "Action": "sqs:SendMessage", "Resource": ")",
      kPolicyQueue,
      R"(", "Condition": {"ArnEquals": {"aws:SourceArn": "arn:r"}}}])");
  AccessRequest request{
      .principal = {.kind = Principal::Kind::kService,
                    .id = "events.amazonaws.com"},
      .action = "sqs:SendMessage",
      .resource = kPolicyQueue,
      .context = {{"aws:SourceArn", "arn:r"}, {"aws:SecureTransport", "true"}}};
  EXPECT_TRUE(Decide("", policy, request).allowed());
  request.context["aws:SourceArn"] = "arn:other";
  const Decision refused = Decide("", policy, request);
  EXPECT_FALSE(refused.allowed());
  EXPECT_TRUE(absl::StrContains(DenialMessage(request, refused),
                                "because no resource-based policy allows"));
  EXPECT_TRUE(absl::StrContains(refused.missing, "events.amazonaws.com"));
  request.context["aws:SourceArn"] = "arn:r";
  request.principal.id = "sns.amazonaws.com";
  EXPECT_FALSE(Decide("", policy, request).allowed());
  request.context["aws:SecureTransport"] = "false";
  const Decision denied = Decide("", policy, request);
  EXPECT_EQ(denied.source, Decision::Source::kResourcePolicy);
  EXPECT_TRUE(absl::StrContains(DenialMessage(request, denied),
                                "explicit deny in a resource-based policy"));
}

TEST(Evaluate, TellsARoleThatIsNamedFromAnAccountThatIs) {
  const AccessRequest request{
      .principal = RoleSession(), .action = "sqs:X", .resource = kPolicyQueue};
  const auto allowed_by = [&](absl::string_view principal,
                              absl::string_view effect = "Allow") {
    return Decide("",
                  absl::StrCat(R"({"Effect": ")", effect,
                               R"(", "Action": "*", "Resource": "*",
                                   "Principal": {"AWS": ")",
                               principal, "\"}}"),
                  request);
  };
  EXPECT_TRUE(allowed_by(kRole).allowed());
  EXPECT_TRUE(allowed_by(kSession).allowed());
  EXPECT_TRUE(allowed_by("*").allowed());
  EXPECT_FALSE(allowed_by("000000000000").allowed());
  EXPECT_FALSE(allowed_by("arn:aws:iam::000000000000:role/Q").allowed());
  EXPECT_EQ(allowed_by("000000000000", "Deny").outcome,
            Decision::Outcome::kExplicitlyDenied);
  EXPECT_EQ(allowed_by("arn:aws:iam::000000000000:root", "Deny").outcome,
            Decision::Outcome::kExplicitlyDenied);
}

}  // namespace
}  // namespace byoshin::local::iam
