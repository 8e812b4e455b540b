// The policies of queues, and what the one who enforces them is told.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/sqs/sqs.h"
#include "local/sqs/testing/sqs_fixture.h"
#include "local/store/store.h"
#include "local/store/testing/failing_store.h"

namespace byoshin::local::sqs {
namespace {

using Strings = std::vector<std::string>;

// As JSON in JSON.
constexpr char kPolicy[] =
    R"({\"Statement\":{\"Effect\":\"Deny\",\"Principal\":\"*\",)"
    R"(\"Action\":\"sqs:*\",\"Resource\":\"*\"}})";
constexpr char kPolicyText[] =
    R"({"Statement":{"Effect":"Deny","Principal":"*",)"
    R"("Action":"sqs:*","Resource":"*"}})";

class QueuePolicyTest : public SqsFixture {
 protected:
  QueuePolicyTest() { Open(*store); }

  // As a process that starts.
  void Open(Store& opened) {
    sqs = nullptr;
    sqs = *Sqs::Open(opened, clock,
                     {.on_policy = [this](const std::string& arn,
                                          const std::string& policy) {
                       told_.push_back(absl::StrCat(arn, " ", policy));
                     }});
  }

  // Since the last call.
  Strings Told() { return std::exchange(told_, {}); }

  static std::string Attributes() {
    return absl::StrCat(R"("Attributes":{"Policy":")", kPolicy, "\"}");
  }

  const std::string some_ = absl::StrCat(kArn, " ", kPolicyText);
  const std::string none_ = absl::StrCat(kArn, " ");

 private:
  std::vector<std::string> told_;
};

TEST_F(QueuePolicyTest, IsToldBeforeTheAnswerHoweverItIsSet) {
  const std::string create =
      absl::StrCat(R"({"QueueName":"orders",)", Attributes(), "}");
  Parsed(Json("CreateQueue", create));
  EXPECT_EQ(Told(), Strings{some_});
  Parsed(Json("CreateQueue", create));  // it is there
  EXPECT_EQ(Told(), Strings());
  Parsed(JsonOrders("SetQueueAttributes",
                    R"(,"Attributes":{"DelaySeconds":"1"})"));
  Parsed(JsonOrders("SetQueueAttributes", absl::StrCat(",", Attributes())));
  EXPECT_EQ(Told(), Strings());  // the same policy
  Parsed(JsonOrders("SetQueueAttributes", R"(,"Attributes":{"Policy":""})"));
  EXPECT_EQ(Told(), Strings{none_});
  Parsed(JsonOrders("AddPermission",
                    R"(,"Label":"l","AWSAccountIds":["111111111111"],)"
                    R"("Actions":["SendMessage"])"));
  const Strings added = Told();
  ASSERT_EQ(added.size(), 1u);
  EXPECT_TRUE(absl::StrContains(added[0], R"("Version":"2008-10-17")"));
  EXPECT_TRUE(absl::StrContains(added[0], "SQS:SendMessage"));
  Parsed(JsonOrders("RemovePermission", R"(,"Label":"l")"));
  EXPECT_EQ(Told(), Strings{none_});
}

TEST_F(QueuePolicyTest, IsToldAgainAtTheNextStartAndEndsWithItsQueue) {
  CreateOrders();
  Open(*store);
  EXPECT_EQ(Told(), Strings());
  Parsed(JsonOrders("SetQueueAttributes", absl::StrCat(",", Attributes())));
  Told();
  Open(*store);
  EXPECT_EQ(Told(), Strings{some_});
  Parsed(JsonOrders("DeleteQueue"));
  EXPECT_EQ(Told(), Strings{none_});
  CreateOrders();
  Parsed(JsonOrders("DeleteQueue"));
  Open(*store);
  EXPECT_EQ(Told(), Strings());
}

TEST_F(QueuePolicyTest, IsNotToldIfItCouldNotBeStored) {
  FailingStore failing(*store);
  Open(failing);
  CreateOrders();
  failing.FailCommits(1);
  EXPECT_EQ(
      JsonOrders("SetQueueAttributes", absl::StrCat(",", Attributes())).status,
      500);
  EXPECT_EQ(Told(), Strings());
  sqs = nullptr;
}

TEST_F(QueuePolicyTest, IsRefusedIfItCouldNotBeEnforced) {
  CreateOrders();
  const auto error = [this](absl::string_view policy) {
    const Answer answer =
        JsonOrders("SetQueueAttributes",
                   absl::StrCat(R"(,"Attributes":{"Policy":")", policy, "\"}"));
    EXPECT_EQ(answer.status, 400) << answer.body;
    EXPECT_TRUE(absl::StrContains(answer.body, "InvalidAttributeValue"));
    return answer.body;
  };
  error("{");
  error("[]");
  error("{}");
  EXPECT_TRUE(absl::StrContains(
      error(R"({\"Statement\":{\"Effect\":\"Deny\",\"Principal\":\"*\",)"
            R"(\"Action\":\"sqs:*\",\"Resource\":\"*\",\"Condition\":)"
            R"({\"StringEquals\":{\"aws:PrincipalOrgID\":\"o-1\"}}}})"),
      "cannot evaluate the condition key aws:PrincipalOrgID"));
  EXPECT_EQ(Told(), Strings());
}

}  // namespace
}  // namespace byoshin::local::sqs
