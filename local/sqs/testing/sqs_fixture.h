// The service on a simulated clock and a store in memory, called as the gateway
// calls it.
//
//   class SqsTest : public SqsFixture {};
//   TEST_F(SqsTest, ...) {
//     CreateOrders();
//     JsonOrders("SendMessage", R"(,"MessageBody":"a")");
//   }
#ifndef BYOSHIN_LOCAL_SQS_TESTING_SQS_FIXTURE_H_
#define BYOSHIN_LOCAL_SQS_TESTING_SQS_FIXTURE_H_

#include <gtest/gtest.h>
#include <json/json.h>

#include <future>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/gateway/service.h"
#include "local/sqs/sqs.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {

inline constexpr char kArn[] = "arn:aws:sqs:eu-west-1:000000000000:orders";
inline constexpr char kUrl[] = "http://127.0.0.1:4566/000000000000/orders";

class SqsFixture : public testing::Test {
 public:
  SqsFixture() : clock(absl::FromUnixSeconds(1764670980)) {
    store = *OpenSqliteStore({});
    sqs = *Sqs::Open(*store, clock, {});
  }

  std::future<Answer> Start(WireProtocol protocol, const std::string& operation,
                            const std::string& body,
                            const std::string& path = "/") {
    return Start({.operation = operation,
                  .protocol = protocol,
                  .body = body,
                  .path = path,
                  .request_id = "the-request",
                  .region = "eu-west-1",
                  .endpoint = "http://127.0.0.1:4566"});
  }
  std::future<Answer> Start(Call call) {
    auto promise = std::make_shared<std::promise<Answer>>();
    sqs->Handle(std::move(call), [promise](Answer answer) {
      promise->set_value(std::move(answer));
    });
    return promise->get_future();
  }
  Answer Json(const std::string& operation, const std::string& body) {
    return Start(WireProtocol::kJson10, operation, body).get();
  }
  Answer Query(const std::string& operation, const std::string& body,
               const std::string& path = "/") {
    return Start(WireProtocol::kQuery, operation, body, path).get();
  }
  // With the URL of the queue "orders" and further members.
  Answer JsonOrders(const std::string& operation, absl::string_view more = "") {
    return Json(operation,
                absl::StrCat(R"({"QueueUrl":")", kUrl, "\"", more, "}"));
  }
  // The body of an answer that must be a success.
  Json::Value Parsed(const Answer& answer) {
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.content_type, "application/x-amz-json-1.0");
    return json::ParseValue(answer.body).value_or(Json::Value());
  }
  void CreateOrders() {
    Parsed(Json("CreateQueue", R"({"QueueName":"orders"})"));
  }

  time::SimulatedClock clock;
  std::unique_ptr<Store> store;
  std::unique_ptr<Sqs> sqs;
};

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_TESTING_SQS_FIXTURE_H_
