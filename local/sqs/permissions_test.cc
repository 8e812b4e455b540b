#include "local/sqs/permissions.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/string_view.h"
#include "local/gateway/service.h"

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
  call = CallTo("ReceiveMessage", "Action=ReceiveMessage&QueueName=orders");
  call.protocol = WireProtocol::kQuery;
  EXPECT_EQ(PermissionFor(call).resource, arn);
  call.body = "Action=ReceiveMessage";
  call.path = "/000000000000/orders";
  EXPECT_EQ(PermissionFor(call).resource, arn);
  EXPECT_EQ(PermissionFor(CallTo("ListQueues", "{}")).resource, "*");
}

}  // namespace
}  // namespace byoshin::local::sqs
