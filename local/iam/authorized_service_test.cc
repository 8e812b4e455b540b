#include "local/iam/authorized_service.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/gateway/service.h"
#include "local/iam/iam.h"
#include "local/iam/policy.h"

namespace byoshin::local::iam {
namespace {

using Strings = std::vector<std::string>;

Call CallOf(absl::string_view operation, absl::string_view body) {
  return {.operation = std::string(operation),
          .body = std::string(body),
          .region = "us-east-1",
          .caller = {.access_key_id = "test", .account_id = "000000000000"}};
}

// Of calls that need one action.
std::string ActionOf(absl::string_view service, const Call& call) {
  const std::vector<NeededPermission> needed = PermissionsFor(service, call);
  return needed.size() == 1 ? needed[0].action : "";
}

Strings ResourcesOf(absl::string_view service, const Call& call) {
  Strings resources;
  for (const NeededPermission& needed : PermissionsFor(service, call)) {
    resources.push_back(needed.resource);
  }
  return resources;
}

TEST(PermissionsFor, NamesTheQueueWhereverItStands) {
  const std::string arn = "arn:aws:sqs:us-east-1:000000000000:orders";
  Call call =
      CallOf("SendMessageBatch",
             R"({"QueueUrl":"http://127.0.0.1:4566/000000000000/orders"})");
  EXPECT_EQ(ActionOf("sqs", call), "sqs:SendMessage");
  EXPECT_EQ(ResourcesOf("sqs", call), Strings{arn});
  call = CallOf("CreateQueue", R"({"QueueName":"orders"})");
  EXPECT_EQ(ResourcesOf("sqs", call), Strings{arn});
  call = CallOf("ReceiveMessage", "Action=ReceiveMessage&QueueName=orders");
  call.protocol = WireProtocol::kQuery;
  EXPECT_EQ(ResourcesOf("sqs", call), Strings{arn});
  call.body = "Action=ReceiveMessage";
  call.path = "/000000000000/orders";
  EXPECT_EQ(ResourcesOf("sqs", call), Strings{arn});
  EXPECT_EQ(ResourcesOf("sqs", CallOf("ListQueues", "{}")), Strings{"*"});
}

TEST(PermissionsFor, NamesEveryTableAndIndex) {
  const std::string table = "arn:aws:dynamodb:us-east-1:000000000000:table/";
  EXPECT_EQ(ResourcesOf("dynamodb", CallOf("Query", R"({"TableName":"a",
                "IndexName":"i"})")),
            Strings{table + "a/index/i"});
  EXPECT_EQ(
      PermissionsFor("dynamodb", CallOf("BatchGetItem",
                                        R"({"RequestItems":{"a":{},"b":{}}})")),
      (std::vector<NeededPermission>{{"dynamodb:BatchGetItem", table + "a"},
                                     {"dynamodb:BatchGetItem", table + "b"}}));
  for (const char* nonsense : {"", "[]", "{", R"({"TableName":5})"}) {
    EXPECT_EQ(ResourcesOf("dynamodb", CallOf("PutItem", nonsense)),
              Strings{"*"});
  }
}

TEST(PermissionsFor, NamesWhatEachElementOfATransactionDoes) {
  using Needed = std::vector<NeededPermission>;
  const std::string table = "arn:aws:dynamodb:us-east-1:000000000000:table/";
  EXPECT_EQ(PermissionsFor("dynamodb",
                           CallOf("TransactWriteItems", R"({"TransactItems":[
              {"Put":{"TableName":"a"}},{"Delete":{"TableName":"b"}},
              {"Put":{"TableName":"a"}},{"Update":{"TableName":"a"}},
              {"ConditionCheck":{"TableName":"c"}}]})")),
            (Needed{{"dynamodb:ConditionCheckItem", table + "c"},
                    {"dynamodb:DeleteItem", table + "b"},
                    {"dynamodb:PutItem", table + "a"},
                    {"dynamodb:UpdateItem", table + "a"}}));
  EXPECT_EQ(PermissionsFor("dynamodb",
                           CallOf("TransactGetItems", R"({"TransactItems":[
                               {"Get":{"TableName":"a"}}]})")),
            (Needed{{"dynamodb:GetItem", table + "a"}}));
  // The service refuses these.
  EXPECT_EQ(PermissionsFor("dynamodb", CallOf("TransactGetItems", R"({
                "TransactItems":[{"Get":5},{"Other":{}},6]})")),
            (Needed{{"dynamodb:GetItem", "*"}}));
  EXPECT_EQ(PermissionsFor("dynamodb", CallOf("TransactGetItems", R"({
                "TransactItems":[]})")),
            (Needed{{"dynamodb:TransactGetItems", "*"}}));
  // No other call gains by looking like one.
  EXPECT_EQ(PermissionsFor("dynamodb", CallOf("ListTables", R"({
                "TransactItems":[{"Put":{"TableName":"a"}}]})")),
            (Needed{{"dynamodb:ListTables", "*"}}));
}

TEST(PermissionsFor, NamesWhatIsInspected) {
  Call stacks = CallOf("DescribeStacks", "Action=DescribeStacks&StackName=s");
  stacks.protocol = WireProtocol::kQuery;
  EXPECT_EQ(ActionOf("cloudformation", stacks),
            "cloudformation:DescribeStacks");
  EXPECT_EQ(ResourcesOf("cloudformation", stacks),
            Strings{"arn:aws:cloudformation:us-east-1:000000000000:stack/s/*"});
  EXPECT_EQ(ResourcesOf("events", CallOf("DisableRule", R"({"Name":"r"})")),
            Strings{"arn:aws:events:us-east-1:000000000000:rule/r"});
  EXPECT_EQ(ResourcesOf("logs",
                        CallOf("FilterLogEvents", R"({"logGroupName":"/g"})")),
            Strings{"arn:aws:logs:us-east-1:000000000000:log-group:/g:*"});
  EXPECT_EQ(ResourcesOf("logs", CallOf("DescribeLogGroups", "{}")),
            Strings{"*"});
  Call role = CallOf("GetRole", "Action=GetRole&RoleName=r");
  role.protocol = WireProtocol::kQuery;
  EXPECT_EQ(ResourcesOf("iam", role),
            Strings{"arn:aws:iam::000000000000:role/r"});
  // Nobody needs a permission for this.
  EXPECT_EQ(ResourcesOf("sts", CallOf("GetCallerIdentity", "")), Strings{});
  Call api = CallOf("", "");
  api.method = "GET";
  api.path = "/restapis/a";
  EXPECT_EQ(ActionOf("apigateway", api), "apigateway:GET");
  EXPECT_EQ(ResourcesOf("apigateway", api),
            Strings{"arn:aws:apigateway:us-east-1::/restapis/a"});
}

TEST(PermissionsFor, NamesTheFunction) {
  Call call;
  call.path = "/2015-03-31/functions/f/invocations";
  call.region = "us-east-1";
  call.caller.account_id = "000000000000";
  EXPECT_EQ(ActionOf("lambda", call), "lambda:InvokeFunction");
  EXPECT_EQ(ResourcesOf("lambda", call),
            Strings{"arn:aws:lambda:us-east-1:000000000000:function:f"});
  call.path = "/2015-03-31/functions";
  EXPECT_EQ(ActionOf("lambda", call), "lambda:ListFunctions");
}

class Accepting final : public Service {
 public:
  explicit Accepting(absl::string_view name = "dynamodb") : name_(name) {}

  absl::string_view name() const override { return name_; }
  void Handle(Call, AnswerFunction answer) override {
    ++calls;
    answer({.status = 200});
  }
  int calls = 0;

 private:
  const std::string name_;
};

TEST(AuthorizedService, HoldsASessionToItsRoleAndLetsTheAccountDoAll) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'764'671'000));
  Iam iam(clock, {});
  const absl::StatusOr<PolicyDocument> trust =
      ParsePolicy(*json::ParseValue(R"({"Version":"2012-10-17","Statement":[{
          "Effect":"Allow","Principal":{"Service":"lambda.amazonaws.com"},
          "Action":"sts:AssumeRole"}]})"),
                  PolicyKind::kTrust);
  ASSERT_TRUE(trust.ok()) << trust.status();
  const absl::StatusOr<PolicyDocument> policy =
      ParsePolicy(*json::ParseValue(R"({"Version":"2012-10-17","Statement":[{
          "Effect":"Allow","Action":"dynamodb:PutItem","Resource":
            "arn:aws:dynamodb:us-east-1:000000000000:table/mine"}]})"),
                  PolicyKind::kIdentity);
  ASSERT_TRUE(policy.ok()) << policy.status();
  const std::string role = iam.RoleArn("/", "R");
  iam.PutRole({.name = "R",
               .arn = role,
               .trust = *trust,
               .policies = {{.name = "P", .document = *policy}}});
  const absl::StatusOr<SessionCredentials> session =
      iam.AssumeRole({.role_arn = role,
                      .session_name = "s",
                      .service = "lambda.amazonaws.com"});
  ASSERT_TRUE(session.ok()) << session.status();

  Accepting service;
  Strings denied;
  AuthorizedService guarded(
      service, iam,
      {.on_denied = [&](const AccessRequest& request,
                        const Decision& decision) {
        denied.push_back(request.action);
        EXPECT_TRUE(absl::StrContains(decision.missing, request.action));
      }});
  const auto status = [&](absl::string_view key, absl::string_view operation,
                          absl::string_view body) {
    Call call = CallOf(operation, body);
    call.caller.access_key_id = std::string(key);
    Answer answer;
    guarded.Handle(std::move(call), [&](Answer a) { answer = std::move(a); });
    if (answer.status != 200) {
      EXPECT_TRUE(absl::StrContains(answer.body, "AccessDeniedException"));
      EXPECT_TRUE(
          absl::StrContains(answer.body, "is not authorized to perform"));
    }
    return answer.status;
  };
  const std::string& key = session->access_key_id;
  EXPECT_EQ(status(key, "PutItem", R"({"TableName":"mine"})"), 200);
  EXPECT_EQ(status(key, "PutItem", R"({"TableName":"other"})"), 400);
  EXPECT_EQ(status(key, "DeleteItem", R"({"TableName":"mine"})"), 400);
  EXPECT_EQ(status(key, "PutItem", "{}"), 400);
  EXPECT_EQ(service.calls, 1);
  EXPECT_EQ(denied, (Strings{"dynamodb:PutItem", "dynamodb:DeleteItem",
                             "dynamodb:PutItem"}));
  // Who may put an item may do so in a transaction, and no more there.
  EXPECT_EQ(status(key, "TransactWriteItems", R"({"TransactItems":[
                {"Put":{"TableName":"mine"}}]})"),
            200);
  EXPECT_EQ(status(key, "TransactWriteItems", R"({"TransactItems":[
                {"Put":{"TableName":"mine"}},
                {"Delete":{"TableName":"mine"}}]})"),
            400);
  EXPECT_EQ(denied.back(), "dynamodb:DeleteItem");
  EXPECT_EQ(status("test", "DeleteTable", R"({"TableName":"other"})"), 200);
}

TEST(AuthorizedService, HoldsTheAccountToWhatAQueueDeniesEverybody) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'764'671'000));
  Iam iam(clock, {});
  // As the template has it: nothing here comes without TLS, so that the first
  // statement denies nothing.
  const absl::StatusOr<PolicyDocument> policy =
      ParsePolicy(*json::ParseValue(R"({"Version":"2012-10-17","Statement":[
          {"Effect":"Deny","Principal":"*","Action":"sqs:*","Resource":"*",
           "Condition":{"Bool":{"aws:SecureTransport":"false"}}},
          {"Effect":"Deny","Principal":"*","Action":"sqs:PurgeQueue",
           "Resource":"*"}]})"),
                  PolicyKind::kResource);
  ASSERT_TRUE(policy.ok()) << policy.status();
  iam.PutResourcePolicy("arn:aws:sqs:us-east-1:000000000000:kept", "P",
                        *policy);
  Accepting service("sqs");
  int denials = 0;
  AuthorizedService guarded(
      service, iam,
      {.on_denied = [&](const AccessRequest&, const Decision&) { ++denials; }});
  const auto status = [&](absl::string_view operation,
                          absl::string_view queue) {
    Answer answer;
    guarded.Handle(
        CallOf(operation, absl::StrCat(R"({"QueueName":")", queue, R"("})")),
        [&](Answer a) { answer = std::move(a); });
    return answer.status;
  };
  EXPECT_EQ(status("SendMessage", "kept"), 200);
  EXPECT_EQ(status("PurgeQueue", "other"), 200);
  EXPECT_EQ(service.calls, 2);
  EXPECT_EQ(status("PurgeQueue", "kept"), 403);
  EXPECT_EQ(service.calls, 2);
  EXPECT_EQ(denials, 1);
}

}  // namespace
}  // namespace byoshin::local::iam
