#include "local/sqs/providers.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"
#include "local/sqs/sqs.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {
namespace {

using cloudformation::ResourceRequest;
using cloudformation::ResourceState;

class QueueProviderTest : public testing::Test {
 protected:
  ResourceRequest Request(const Json::Value& properties,
                          absl::string_view physical_id = "") {
    return {.stack = stack_,
            .logical_id = "Jobs",
            .physical_id = std::string(physical_id),
            .name_suffix = "ABCDEFGHIJKL",
            .properties = properties};
  }
  Json::Value Attributes(const std::string& url) {
    Json::Value body;
    body["QueueUrl"] = url;
    body["AttributeNames"].append("All");
    const absl::StatusOr<Json::Value> answer = CallInProcess(
        *sqs_, {.operation = "GetQueueAttributes", .region = "us-east-1"},
        body);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? (*answer)["Attributes"] : Json::Value();
  }

  const cloudformation::StackContext stack_{.stack_name = "demo"};
  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  std::unique_ptr<Sqs> sqs_ = *Sqs::Open(*store_, clock_, {});
  std::unique_ptr<cloudformation::ResourceProvider> provider_ =
      NewQueueProvider(*sqs_, [] { return "http://127.0.0.1:4566"; });
};

TEST_F(QueueProviderTest, MakesAQueueAsTheTemplateSays) {
  const Json::Value dead_properties = *json::ParseValue(
      R"({"QueueName":"dead","MessageRetentionPeriod":1209600})");
  const Json::Value properties = *json::ParseValue(
      R"({"VisibilityTimeout":"180",
          "RedrivePolicy":{"maxReceiveCount":5,"deadLetterTargetArn":
            "arn:aws:sqs:us-east-1:000000000000:dead"},
          "Tags":[{"Key":"a","Value":"b"}]})");
  const absl::StatusOr<ResourceState> dead =
      provider_->Create(Request(dead_properties));
  ASSERT_TRUE(dead.ok()) << dead.status();
  EXPECT_EQ(dead->attributes.at("Arn"),
            "arn:aws:sqs:us-east-1:000000000000:dead");
  const absl::StatusOr<ResourceState> queue =
      provider_->Create(Request(properties));
  ASSERT_TRUE(queue.ok()) << queue.status();
  EXPECT_EQ(queue->physical_id,
            "http://127.0.0.1:4566/000000000000/demo-Jobs-ABCDEFGHIJKL");
  const Json::Value attributes = Attributes(queue->physical_id);
  EXPECT_EQ(attributes["VisibilityTimeout"], "180");
  EXPECT_NE(attributes["RedrivePolicy"].asString().find(":dead"),
            std::string::npos);
}

TEST_F(QueueProviderTest, MakesAFifoQueueWithANameOfItsOwn) {
  const Json::Value properties = *json::ParseValue(
      R"({"FifoQueue":true,"ContentBasedDeduplication":"true",
          "DeduplicationScope":"messageGroup",
          "FifoThroughputLimit":"perMessageGroupId"})");
  const absl::StatusOr<ResourceState> made =
      provider_->Create(Request(properties));
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->physical_id,
            "http://127.0.0.1:4566/000000000000/demo-Jobs-ABCDEFGHIJKL.fifo");
  EXPECT_EQ(*provider_->FindSuffix(Request(properties)), "ABCDEFGHIJKL");
  const auto found = provider_->Find(Request(properties));
  ASSERT_TRUE(found.ok() && found->has_value()) << found.status();
  Json::Value attributes = Attributes(made->physical_id);
  EXPECT_EQ(attributes["FifoQueue"], "true");
  EXPECT_EQ(attributes["ContentBasedDeduplication"], "true");
  EXPECT_EQ(attributes["FifoThroughputLimit"], "perMessageGroupId");

  const Json::Value after = *json::ParseValue(R"({"FifoQueue":true})");
  const absl::StatusOr<ResourceState> changed =
      provider_->Update(Request(after, made->physical_id), properties);
  ASSERT_TRUE(changed.ok()) << changed.status();
  attributes = Attributes(made->physical_id);
  EXPECT_EQ(attributes["ContentBasedDeduplication"], "false");
  EXPECT_EQ(attributes["DeduplicationScope"], "queue");
  EXPECT_EQ(attributes["FifoThroughputLimit"], "perQueue");
}

TEST_F(QueueProviderTest, RejectsFifoPropertiesOfAStandardQueue) {
  for (const char* text : {R"({"ContentBasedDeduplication":true})",
                           R"({"DeduplicationScope":"queue"})",
                           R"({"FifoQueue":true,"QueueName":"jobs"})"}) {
    EXPECT_FALSE(provider_->Create(Request(*json::ParseValue(text))).ok())
        << text;
  }
  EXPECT_TRUE(
      provider_->Create(Request(*json::ParseValue(R"({"FifoQueue":false})")))
          .ok());
}

TEST_F(QueueProviderTest, ChangesAQueueAndTakesSettingsBack) {
  const Json::Value dead = *json::ParseValue(R"({"QueueName":"dead"})");
  ASSERT_TRUE(provider_->Create(Request(dead)).ok());
  const Json::Value before = *json::ParseValue(
      R"({"QueueName":"jobs","VisibilityTimeout":180,
          "RedrivePolicy":{"maxReceiveCount":5,"deadLetterTargetArn":
            "arn:aws:sqs:us-east-1:000000000000:dead"},
          "Tags":[{"Key":"a","Value":"b"},{"Key":"c","Value":"d"}]})");
  const Json::Value after = *json::ParseValue(
      R"({"QueueName":"jobs","DelaySeconds":7,
          "Tags":[{"Key":"a","Value":"x"}]})");
  const absl::StatusOr<ResourceState> made = provider_->Create(Request(before));
  ASSERT_TRUE(made.ok()) << made.status();
  const absl::StatusOr<ResourceState> changed =
      provider_->Update(Request(after, made->physical_id), before);
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_EQ(changed->attributes, made->attributes);
  const Json::Value attributes = Attributes(made->physical_id);
  EXPECT_EQ(attributes["DelaySeconds"], "7");
  EXPECT_EQ(attributes["VisibilityTimeout"], "30");
  EXPECT_FALSE(attributes.isMember("RedrivePolicy"));
  Json::Value body;
  body["QueueUrl"] = made->physical_id;
  const absl::StatusOr<Json::Value> tags = CallInProcess(
      *sqs_, {.operation = "ListQueueTags", .region = "us-east-1"}, body);
  ASSERT_TRUE(tags.ok());
  EXPECT_EQ(json::WriteValue((*tags)["Tags"]), R"({"a":"x"})");
}

TEST_F(QueueProviderTest, FindsTheQueueThatItWouldMake) {
  const Json::Value properties = *json::ParseValue(R"({"DelaySeconds":7})");
  EXPECT_EQ(provider_->Find(Request(properties))->has_value(), false);
  const absl::StatusOr<ResourceState> made =
      provider_->Create(Request(properties));
  ASSERT_TRUE(made.ok()) << made.status();
  const auto found = provider_->Find(Request(properties));
  ASSERT_TRUE(found.ok() && found->has_value()) << found.status();
  EXPECT_EQ((*found)->physical_id, made->physical_id);
  EXPECT_EQ((*found)->attributes, made->attributes);
}

TEST_F(QueueProviderTest, DeletesAQueueOnceAndIsContentWithNone) {
  const Json::Value properties = *json::ParseValue(R"({"QueueName":"jobs"})");
  const absl::StatusOr<ResourceState> made =
      provider_->Create(Request(properties));
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(provider_->Delete(Request(properties, made->physical_id)).ok());
  EXPECT_TRUE(provider_->Delete(Request(properties, made->physical_id)).ok());
}

TEST_F(QueueProviderTest, CountsTheMessagesThatAreLostWithAQueue) {
  const Json::Value properties = *json::ParseValue(R"({"QueueName":"jobs"})");
  const absl::StatusOr<ResourceState> made =
      provider_->Create(Request(properties));
  ASSERT_TRUE(made.ok());
  const ResourceRequest queue = Request(properties, made->physical_id);
  EXPECT_EQ(*provider_->DescribeData(queue), "");
  Json::Value body;
  body["QueueUrl"] = made->physical_id;
  body["MessageBody"] = "hello";
  for (const int delay : {0, 60}) {
    body["DelaySeconds"] = delay;
    ASSERT_TRUE(
        CallInProcess(*sqs_,
                      {.operation = "SendMessage", .region = "us-east-1"}, body)
            .ok());
  }
  EXPECT_EQ(*provider_->DescribeData(queue), "2 messages");
  ASSERT_TRUE(provider_->Delete(queue).ok());
  EXPECT_EQ(*provider_->DescribeData(queue), "");
}

TEST_F(QueueProviderTest, SaysWhatIsWrongWithAQueue) {
  const Json::Value properties =
      *json::ParseValue(R"({"QueueName":"jobs","VisibilityTimeout":99999999})");
  const absl::Status status = provider_->Create(Request(properties)).status();
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("VisibilityTimeout"), std::string::npos)
      << status;
}

TEST_F(QueueProviderTest, FindsWhatIsMissingAndWhatALostStackHad) {
  const Json::Value properties(Json::objectValue);
  const absl::StatusOr<ResourceState> made =
      provider_->Create(Request(properties));
  ASSERT_TRUE(made.ok()) << made.status();
  const ResourceRequest first = Request(properties, made->physical_id);
  EXPECT_EQ(*provider_->IsMissing(first), false);
  EXPECT_EQ(*provider_->FindSuffix(Request(properties)), "ABCDEFGHIJKL");

  clock_.RunUntil(clock_.Now() + absl::Seconds(1));
  const auto create = [&](const char* name) {
    Json::Value body;
    body["QueueName"] = name;
    EXPECT_TRUE(CallInProcess(*sqs_,
                              {.operation = "CreateQueue",
                               .region = "us-east-1",
                               .endpoint = "http://127.0.0.1:4566"},
                              body)
                    .ok());
  };
  create("demo-Jobs-AAAAAAAAAAAA");
  clock_.RunUntil(clock_.Now() + absl::Seconds(1));
  for (const char* others : {"demo-Jobs-aaaaaaaaaaaa", "demo-Jobs-SHORT",
                             "demo-JobsX-AAAAAAAAAAAA", "demo-Jobs-"}) {
    create(others);
  }
  EXPECT_EQ(*provider_->FindSuffix(Request(properties)), "AAAAAAAAAAAA");
  EXPECT_EQ(*provider_->FindSuffix(
                Request(*json::ParseValue(R"({"QueueName":"named"})"))),
            std::nullopt);
  ASSERT_TRUE(provider_->Delete(first).ok());
  EXPECT_EQ(*provider_->IsMissing(first), true);
}

class QueuePolicyProviderTest : public QueueProviderTest {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b"}) {
      Json::Value properties;
      properties["QueueName"] = name;
      urls_.push_back(provider_->Create(Request(properties))->physical_id);
    }
  }

  // The properties of a policy that allows `action`, for these queues.
  static Json::Value Properties(const std::vector<std::string>& urls,
                                const std::string& action = "sqs:SendMessage") {
    Json::Value properties;
    Json::Value& document = properties["PolicyDocument"];
    document["Version"] = "2012-10-17";
    Json::Value statement;
    statement["Effect"] = "Allow";
    statement["Principal"] = "*";
    statement["Action"] = action;
    statement["Resource"] = "*";
    document["Statement"].append(statement);
    for (const std::string& url : urls) properties["Queues"].append(url);
    return properties;
  }

  // Returns what the queue's policy allows; empty if it has none.
  std::string Action(const std::string& url) {
    const std::string policy = Attributes(url)["Policy"].asString();
    if (policy.empty()) return "";
    return (*json::ParseValue(policy))["Statement"][0]["Action"].asString();
  }

  std::vector<std::string> urls_;
  const std::unique_ptr<cloudformation::ResourceProvider> policies_ =
      NewQueuePolicyProvider(*sqs_);
};

TEST_F(QueuePolicyProviderTest, SetsThePolicyOfItsQueues) {
  const Json::Value before = Properties({urls_[0]});
  const absl::StatusOr<ResourceState> made = policies_->Create(Request(before));
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->attributes.at("Id"), made->physical_id);
  EXPECT_EQ(Action(urls_[0]), "sqs:SendMessage");

  const Json::Value after = Properties({urls_[1]}, "sqs:ReceiveMessage");
  const absl::StatusOr<ResourceState> changed =
      policies_->Update(Request(after, made->physical_id), before);
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_EQ(changed->physical_id, made->physical_id);
  EXPECT_EQ(Action(urls_[0]), "");
  EXPECT_EQ(Action(urls_[1]), "sqs:ReceiveMessage");

  ASSERT_TRUE(policies_->Delete(Request(after, made->physical_id)).ok());
  EXPECT_EQ(Action(urls_[1]), "");
}

TEST_F(QueuePolicyProviderTest, NeedsNoQueueThatHasBeenDeleted) {
  const Json::Value both = Properties(urls_);
  const absl::StatusOr<ResourceState> made = policies_->Create(Request(both));
  ASSERT_TRUE(made.ok()) << made.status();
  ASSERT_TRUE(provider_->Delete(Request(Json::objectValue, urls_[0])).ok());
  const Json::Value rest = Properties({urls_[1]});
  EXPECT_TRUE(policies_->Update(Request(rest, made->physical_id), both).ok());
  EXPECT_TRUE(policies_->Delete(Request(both, made->physical_id)).ok());
  EXPECT_EQ(Action(urls_[1]), "");
}

TEST_F(QueuePolicyProviderTest, LeavesNothingBehindIfItCannotSetAll) {
  const Json::Value properties =
      Properties({urls_[0], "http://127.0.0.1:4566/000000000000/none"});
  EXPECT_TRUE(
      absl::IsNotFound(policies_->Create(Request(properties)).status()));
  EXPECT_EQ(Action(urls_[0]), "");
  const Json::Value unknown = Properties({urls_[0]}, "no-action");
  const absl::Status refused = policies_->Create(Request(unknown)).status();
  EXPECT_NE(refused.message().find("must be prefaced by a vendor"),
            std::string::npos)
      << refused;
}

}  // namespace
}  // namespace byoshin::local::sqs
