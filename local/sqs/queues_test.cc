// The operations on queues, their attributes and tags.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/testing/engine_fixture.h"

namespace byoshin::local::sqs {
namespace {

class QueuesTest : public EngineFixture {
 public:
  std::string CreateError(const StringMap& attributes) {
    return Describe(TryCreate(kOrders, attributes));
  }
  std::string NameError(const std::string& name) {
    return Describe(TryCreate({.region = "eu-west-1", .name = name}, {}));
  }
  std::vector<std::string> List(const ListQueuesRequest& request,
                                std::string* next_token = nullptr) {
    const absl::StatusOr<QueueList> list = engine->ListQueues(request);
    if (!list.ok()) return {Describe(list.status())};
    std::vector<std::string> names;
    for (const QueueAddress& queue : list->queues) names.push_back(queue.name);
    if (next_token != nullptr) *next_token = list->next_token;
    return names;
  }
};

using Names = std::vector<std::string>;

TEST_F(QueuesTest, CreateQueueChecksTheName) {
  const std::string bad_name =
      "InvalidParameterValueException: Can only include alphanumeric "
      "characters, hyphens, or underscores. 1 to 80 in length";
  EXPECT_EQ(NameError(""), bad_name);
  EXPECT_EQ(NameError("a b"), bad_name);
  EXPECT_EQ(NameError("a.b"), bad_name);
  EXPECT_EQ(NameError(std::string(81, 'a')), bad_name);
  EXPECT_EQ(NameError(std::string(80, 'a')), "OK");
  EXPECT_EQ(NameError("A-z_9"), "OK");
}

TEST_F(QueuesTest, StandardQueuesHaveNoFifoAttributes) {
  EXPECT_EQ(CreateError({{"FifoQueue", "false"}}),
            "InvalidAttributeName: Unknown Attribute FifoQueue.");
  EXPECT_EQ(
      CreateError({{"ContentBasedDeduplication", "true"}}),
      "InvalidAttributeName: Unknown Attribute ContentBasedDeduplication.");
}

TEST_F(QueuesTest, CreatingTheSameQueueAgainIsHarmless) {
  Create(kOrders, {{"DelaySeconds", "1"}});
  EXPECT_EQ(CreateError({}), "OK");
  EXPECT_EQ(CreateError({{"DelaySeconds", "1"}}), "OK");
  EXPECT_EQ(CreateError({{"DelaySeconds", "01"}}), "OK");
  EXPECT_EQ(CreateError({{"VisibilityTimeout", "30"}}), "OK");
  EXPECT_EQ(CreateError({{"DelaySeconds", "2"}}),
            "QueueNameExists: A queue already exists with the same name and a "
            "different value for attribute DelaySeconds");
  EXPECT_EQ(Attribute(kOrders, "DelaySeconds"), "1");
}

TEST_F(QueuesTest, AttributesHaveAwsDefaults) {
  Create(kOrders);
  const absl::StatusOr<StringMap> all =
      engine->GetQueueAttributes({.queue = kOrders, .names = {"All"}});
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(*all, (StringMap{{"ApproximateNumberOfMessages", "0"},
                             {"ApproximateNumberOfMessagesDelayed", "0"},
                             {"ApproximateNumberOfMessagesNotVisible", "0"},
                             {"CreatedTimestamp", "1764670980"},
                             {"DelaySeconds", "0"},
                             {"LastModifiedTimestamp", "1764670980"},
                             {"MaximumMessageSize", "1048576"},
                             {"MessageRetentionPeriod", "345600"},
                             {"QueueArn", kOrdersArn},
                             {"ReceiveMessageWaitTimeSeconds", "0"},
                             {"SqsManagedSseEnabled", "true"},
                             {"VisibilityTimeout", "30"}}));
}

TEST_F(QueuesTest, GetQueueAttributesGivesWhatIsAskedFor) {
  Create(kOrders);
  const auto get = [&](std::vector<std::string> names) {
    return engine->GetQueueAttributes({.queue = kOrders, .names = names});
  };
  EXPECT_TRUE(get({})->empty());
  EXPECT_EQ(*get({"DelaySeconds", "Policy"}),
            (StringMap{{"DelaySeconds", "0"}}));
  EXPECT_EQ(Describe(get({"Nonsense"}).status()),
            "InvalidAttributeName: Unknown Attribute Nonsense.");
  EXPECT_EQ(Attribute(kDead, "All"),
            "QueueDoesNotExist: The specified queue does not exist.");
}

TEST_F(QueuesTest, NumbersMustBeWithinTheirRange) {
  struct Case {
    std::string name;
    int64_t least;
    int64_t most;
  };
  for (const Case& c :
       std::vector<Case>{{"DelaySeconds", 0, 900},
                         {"VisibilityTimeout", 0, 43200},
                         {"MessageRetentionPeriod", 60, 1209600},
                         {"ReceiveMessageWaitTimeSeconds", 0, 20},
                         {"MaximumMessageSize", 1024, 1048576},
                         {"KmsDataKeyReusePeriodSeconds", 60, 86400}}) {
    Create(kOrders);
    const std::string error = absl::StrCat(
        "InvalidAttributeValue: Invalid value for the parameter ", c.name, ".");
    for (const std::string& bad :
         {absl::StrCat(c.least - 1), absl::StrCat(c.most + 1), std::string("x"),
          std::string(""), std::string("1.5")}) {
      EXPECT_EQ(Describe(Set(kOrders, {{c.name, bad}})), error) << bad;
    }
    EXPECT_EQ(Describe(Set(kOrders, {{c.name, absl::StrCat(c.least)}})), "OK");
    EXPECT_EQ(Describe(Set(kOrders, {{c.name, absl::StrCat(c.most)}})), "OK");
  }
}

TEST_F(QueuesTest, SetQueueAttributesChangesAllOrNothing) {
  Create(kOrders);
  Advance(absl::Seconds(100));
  EXPECT_EQ(Describe(Set(kOrders,
                         {{"DelaySeconds", "5"}, {"VisibilityTimeout", "-1"}})),
            "InvalidAttributeValue: Invalid value for the parameter "
            "VisibilityTimeout.");
  EXPECT_EQ(Attribute(kOrders, "DelaySeconds"), "0");
  EXPECT_EQ(Attribute(kOrders, "LastModifiedTimestamp"), "1764670980");
  EXPECT_EQ(Describe(Set(kOrders, {{"DelaySeconds", "5"}})), "OK");
  EXPECT_EQ(Attribute(kOrders, "DelaySeconds"), "5");
  EXPECT_EQ(Attribute(kOrders, "LastModifiedTimestamp"), "1764671080");
  EXPECT_EQ(Attribute(kOrders, "CreatedTimestamp"), "1764670980");
  EXPECT_EQ(Describe(Set(kOrders, {{"QueueArn", "x"}})),
            "InvalidAttributeName: Unknown Attribute QueueArn.");
  EXPECT_TRUE(absl::StartsWith(Describe(Set(kDead, {{"DelaySeconds", "5"}})),
                               "QueueDoesNotExist"));
}

TEST_F(QueuesTest, KeepsOneKindOfEncryption) {
  Create(kOrders, {{"KmsMasterKeyId", "key"}});
  EXPECT_EQ(Attribute(kOrders, "SqsManagedSseEnabled"), "false");
  EXPECT_EQ(Attribute(kOrders, "KmsDataKeyReusePeriodSeconds"), "300");
  EXPECT_EQ(Describe(Set(kOrders, {{"SqsManagedSseEnabled", "true"}})),
            "InvalidAttributeName: You can use one type of server-side "
            "encryption (SSE) at one time. You can either enable KMS SSE or "
            "SQS SSE.");
  EXPECT_EQ(Describe(Set(kOrders, {{"KmsMasterKeyId", ""},
                                   {"SqsManagedSseEnabled", "true"}})),
            "OK");
  EXPECT_EQ(Attribute(kOrders, "KmsMasterKeyId"), "(none)");
  EXPECT_EQ(Describe(Set(kOrders, {{"SqsManagedSseEnabled", "yes"}})),
            "InvalidAttributeValue: Invalid value for the parameter "
            "SqsManagedSseEnabled.");
}

TEST_F(QueuesTest, KeepsThePolicyUntilItIsEmptied) {
  const std::string policy =
      R"({"Statement": {"Effect": "Allow", "Principal": "*",
          "Action": "sqs:*", "Resource": "*"}})";
  Create(kOrders, {{"Policy", policy}});
  EXPECT_EQ(Attribute(kOrders, "Policy"), policy);
  EXPECT_TRUE(absl::StartsWith(Describe(Set(kOrders, {{"Policy", "no"}})),
                               "InvalidAttributeValue"));
  EXPECT_EQ(Describe(Set(kOrders, {{"Policy", ""}})), "OK");
  EXPECT_EQ(Attribute(kOrders, "Policy"), "(none)");
}

TEST_F(QueuesTest, ListQueuesGoesByRegionAndPrefix) {
  for (const char* name : {"b2", "a1", "a2", "a3"}) {
    Create({.region = "eu-west-1", .name = name});
  }
  Create({.region = "us-east-1", .name = "a9"});
  EXPECT_EQ(List({.region = "eu-west-1"}), (Names{"a1", "a2", "a3", "b2"}));
  EXPECT_EQ(List({.region = "eu-west-1", .prefix = "b"}), (Names{"b2"}));
  EXPECT_EQ(List({.region = "us-east-1"}), (Names{"a9"}));
  EXPECT_EQ(List({.region = "eu-west-2"}), Names());
}

TEST_F(QueuesTest, ListQueuesGivesPages) {
  for (const char* name : {"a1", "a2", "a3"}) {
    Create({.region = "eu-west-1", .name = name});
  }
  std::string token;
  EXPECT_EQ(List({.region = "eu-west-1", .max_results = 2}, &token),
            (Names{"a1", "a2"}));
  EXPECT_EQ(List({.region = "eu-west-1", .max_results = 2, .next_token = token},
                 &token),
            (Names{"a3"}));
  EXPECT_EQ(token, "");
  for (const int64_t bad : {0, 1001}) {
    EXPECT_TRUE(
        absl::StartsWith(List({.region = "eu-west-1", .max_results = bad})[0],
                         "InvalidParameterValueException"));
  }
  EXPECT_EQ(List({.region = "eu-west-1", .next_token = "!"}),
            (Names{"InvalidParameterValueException: Invalid or expired next "
                   "token."}));
}

TEST_F(QueuesTest, DeleteQueueTakesItsMessagesWithIt) {
  Create(kOrders);
  Send("a");
  EXPECT_EQ(Describe(engine->DeleteQueue(kOrders)), "OK");
  Commit();
  EXPECT_TRUE(absl::StartsWith(Describe(engine->GetQueueUrl(kOrders)),
                               "QueueDoesNotExist"));
  EXPECT_TRUE(absl::StartsWith(Describe(engine->DeleteQueue(kOrders)),
                               "QueueDoesNotExist"));
  Create(kOrders);
  EXPECT_EQ(Depth(), QueueDepth());
  Reopen();
  EXPECT_EQ(Depth(), QueueDepth());
}

TEST_F(QueuesTest, PurgeQueueOnceAMinute) {
  Create(kOrders);
  Send("visible");
  Send("delayed", absl::Seconds(100));
  EXPECT_EQ(Describe(engine->PurgeQueue(kOrders)), "OK");
  Commit();
  EXPECT_EQ(Depth(), QueueDepth());
  Send("later");
  Advance(absl::Seconds(59));
  EXPECT_EQ(Describe(engine->PurgeQueue(kOrders)),
            "PurgeQueueInProgress: Only one PurgeQueue operation on orders is "
            "allowed every 60 seconds.");
  EXPECT_EQ(Depth().visible, 1);
  Advance(absl::Seconds(1));
  EXPECT_EQ(Describe(engine->PurgeQueue(kOrders)), "OK");
  Commit();
  Reopen();
  EXPECT_EQ(Depth(), QueueDepth());
  EXPECT_TRUE(absl::StartsWith(Describe(engine->PurgeQueue(kDead)),
                               "QueueDoesNotExist"));
}

TEST_F(QueuesTest, TagsAreAddedReplacedAndRemoved) {
  EXPECT_EQ(Describe(TryCreate(kOrders, {}, {{"a", "1"}})), "OK");
  EXPECT_EQ(Describe(engine->TagQueue(
                {.queue = kOrders, .tags = {{"a", "2"}, {"b", ""}}})),
            "OK");
  EXPECT_EQ(*engine->ListQueueTags(kOrders),
            (StringMap{{"a", "2"}, {"b", ""}}));
  EXPECT_EQ(
      Describe(engine->UntagQueue({.queue = kOrders, .keys = {"a", "absent"}})),
      "OK");
  Commit();
  Reopen();
  EXPECT_EQ(*engine->ListQueueTags(kOrders), (StringMap{{"b", ""}}));
}

TEST_F(QueuesTest, TagsHaveLimits) {
  Create(kOrders);
  const auto tag = [&](const StringMap& tags) {
    return Describe(engine->TagQueue({.queue = kOrders, .tags = tags}));
  };
  StringMap many;
  for (int i = 0; i < 51; ++i) many[absl::StrCat("t", i)] = "";
  EXPECT_EQ(tag(many),
            "InvalidParameterValueException: Too many tags added "
            "for queue orders.");
  many.erase("t0");
  EXPECT_EQ(tag(many), "OK");
  EXPECT_TRUE(absl::StartsWith(tag({}), "MissingRequiredParameterException"));
  for (const StringMap& bad :
       {StringMap{{"", "x"}}, StringMap{{std::string(129, 'k'), "x"}},
        StringMap{{"t1", std::string(257, 'v')}}, StringMap{{"aws:x", "x"}}}) {
    EXPECT_TRUE(absl::StartsWith(tag(bad), "InvalidParameterValueException"));
  }
  EXPECT_TRUE(absl::StartsWith(
      Describe(engine->UntagQueue({.queue = kOrders, .keys = {}})),
      "MissingRequiredParameterException"));
  for (const absl::Status& status :
       {engine->TagQueue({.queue = kDead, .tags = {{"a", "b"}}}),
        engine->UntagQueue({.queue = kDead, .keys = {"a"}}),
        engine->ListQueueTags(kDead).status()}) {
    EXPECT_TRUE(absl::StartsWith(Describe(status), "QueueDoesNotExist"));
  }
}

TEST_F(QueuesTest, SettingsSurviveReopening) {
  Create(kDead);
  Create(kOrders, {{"DelaySeconds", "7"},
                   {"RedrivePolicy",
                    absl::StrCat(R"({"deadLetterTargetArn":")", kDeadArn,
                                 R"(","maxReceiveCount":"3"})")},
                   {"RedriveAllowPolicy", R"({"redrivePermission":"denyAll"})"},
                   {"KmsDataKeyReusePeriodSeconds", "600"}});
  const auto before =
      engine->GetQueueAttributes({.queue = kOrders, .names = {"All"}});
  Reopen();
  EXPECT_EQ(*engine->GetQueueAttributes({.queue = kOrders, .names = {"All"}}),
            *before);
  EXPECT_EQ(Attribute(kOrders, "RedrivePolicy"),
            absl::StrCat(R"({"deadLetterTargetArn":")", kDeadArn,
                         R"(","maxReceiveCount":3})"));
  EXPECT_EQ(Describe(Set(kOrders, {{"KmsMasterKeyId", "key"}})), "OK");
  EXPECT_EQ(Attribute(kOrders, "KmsDataKeyReusePeriodSeconds"), "600");
}

TEST(QueueAddress, IsReadFromUrlsAndArns) {
  EXPECT_EQ(*QueueNameOfUrl("http://127.0.0.1:4566/000000000000/orders",
                            "000000000000"),
            "orders");
  EXPECT_EQ(*QueueNameOfUrl("/000000000000/orders", "000000000000"), "orders");
  EXPECT_EQ(QueueOfArn(kOrdersArn, "000000000000"), kOrders);
  EXPECT_EQ(*QueueNameOfUrl("orders", "000000000000"), "orders");
  for (const char* bad :
       {"", "http://h/", "http://h/orders", "/a/b/c", "//orders"}) {
    EXPECT_TRUE(
        absl::StartsWith(Describe(QueueNameOfUrl(bad, "000000000000").status()),
                         "InvalidAddress: "))
        << bad;
  }
  for (const char* missing : {"/111111111111/orders", "http://garbage"}) {
    EXPECT_TRUE(absl::StartsWith(
        Describe(QueueNameOfUrl(missing, "000000000000").status()),
        "QueueDoesNotExist: "))
        << missing;
  }
  for (const char* bad :
       {"", "dummy", "arn:aws:sqs:eu-west-1:111111111111:orders",
        "arn:aws:sns:eu-west-1:000000000000:orders",
        "arn:aws:sqs::000000000000:orders"}) {
    EXPECT_EQ(QueueOfArn(bad, "000000000000"), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace byoshin::local::sqs
