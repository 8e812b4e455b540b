#include "local/sqs/permissions.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/service.h"
#include "local/sqs/engine.h"

namespace byoshin::local::sqs {
namespace {

Call CallTo(absl::string_view operation, absl::string_view body) {
  return {.operation = std::string(operation),
          .body = std::string(body),
          .region = "us-east-1",
          .caller = {.access_key_id = "test", .account_id = "000000000000"}};
}

TEST(SqsPermission, NamesTheQueueWhereverItStands) {
  const std::string arn = "arn:aws:sqs:us-east-1:000000000000:orders";
  Call call =
      CallTo("SendMessageBatch",
             R"({"QueueUrl":"http://127.0.0.1:4566/000000000000/orders"})");
  EXPECT_EQ(PermissionFor(call).action, "sqs:SendMessage");
  EXPECT_EQ(PermissionFor(call).resource, arn);
  call = CallTo("CreateQueue", R"({"QueueName":"orders"})");
  EXPECT_EQ(PermissionFor(call).resource, arn);
  EXPECT_EQ(PermissionFor(CallTo("ReceiveMessage", R"({"QueueUrl":"orders"})"))
                .resource,
            arn);
  call = CallTo("ReceiveMessage",
                "Action=ReceiveMessage&QueueUrl=%2F000000000000%2Forders");
  call.protocol = WireProtocol::kQuery;
  EXPECT_EQ(PermissionFor(call).resource, arn);
  call.body = "Action=ReceiveMessage";
  call.path = "/000000000000/orders";
  EXPECT_EQ(PermissionFor(call).resource, arn);
  EXPECT_EQ(PermissionFor(CallTo("ListQueues", "{}")).resource, "*");
}

TEST(SqsPermission, NamesTheSourceOfATaskThatMovesMessages) {
  const std::string arn = "arn:aws:sqs:us-east-1:000000000000:dead";
  const std::string body =
      absl::StrCat(R"({"SourceArn":")", arn, R"(","QueueUrl":"/0/mine"})");
  EXPECT_EQ(PermissionFor(CallTo("StartMessageMoveTask", body)).resource, arn);
  EXPECT_EQ(PermissionFor(CallTo("ListMessageMoveTasks", body)).resource, arn);
  const std::string handle =
      Engine::TaskHandleOf({.id = "1", .source_arn = arn});
  EXPECT_EQ(
      PermissionFor(CallTo("CancelMessageMoveTask",
                           absl::StrCat(R"({"TaskHandle":")", handle, "\"}")))
          .resource,
      arn);
  // A policy names the queue with its own partition only.
  const std::string other = "arn:aws-x:sqs:us-east-1:000000000000:dead";
  for (const char* operation :
       {"StartMessageMoveTask", "ListMessageMoveTasks"}) {
    EXPECT_EQ(PermissionFor(CallTo(operation, absl::StrCat(R"({"SourceArn":")",
                                                           other, "\"}")))
                  .resource,
              arn);
  }
  EXPECT_EQ(
      PermissionFor(CallTo("CancelMessageMoveTask",
                           absl::StrCat(R"({"TaskHandle":")",
                                        Engine::TaskHandleOf(
                                            {.id = "1", .source_arn = other}),
                                        "\"}")))
          .resource,
      arn);
  EXPECT_EQ(
      PermissionFor(CallTo("CancelMessageMoveTask", R"({"TaskHandle":"none"})"))
          .resource,
      "*");
}

// Permissions for one queue must not open another.
TEST(SqsPermission, IgnoresParametersThatTheOperationIgnores) {
  const std::string url = R"("QueueUrl":"/000000000000/orders")";
  for (const char* mine :
       {R"("QueueName":"mine")",
        R"("SourceArn":"arn:aws:sqs:us-east-1:000000000000:mine")"}) {
    EXPECT_EQ(PermissionFor(
                  CallTo("SendMessage", absl::StrCat("{", url, ",", mine, "}")))
                  .resource,
              "arn:aws:sqs:us-east-1:000000000000:orders");
  }
  EXPECT_EQ(
      PermissionFor(CallTo("CreateQueue",
                           absl::StrCat("{", url, R"(,"QueueName":"other"})")))
          .resource,
      "arn:aws:sqs:us-east-1:000000000000:other");
}

}  // namespace
}  // namespace byoshin::local::sqs
