// Settings of tables that have operations of their own: expiry, tags, backups.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/dynamodb/testing/service.h"

namespace byoshin::local::dynamodb {
namespace {

TEST(TimeToLive, RemovesItemsWhenTheirTimeComes) {
  TestService service;
  service.CreateSimpleTable("orders");
  const int64_t now = absl::ToUnixSeconds(service.clock().Now());
  const auto put = [&](absl::string_view id, int64_t expires) {
    service.Ok("PutItem",
               absl::StrCat(R"({"TableName":"orders","Item":{"id":{"S":")", id,
                            R"("},"ttl":{"N":")", expires, R"("}}})"));
  };
  put("before", now + 10);  // before TimeToLive is enabled
  service.Ok("UpdateTimeToLive",
             R"({"TableName":"orders","TimeToLiveSpecification":)"
             R"({"Enabled":true,"AttributeName":"ttl"}})");
  put("after", now + 20);
  put("ancient", now - 6 * 365 * 86400);  // AWS leaves these alone
  EXPECT_EQ(service.Ok("DescribeTimeToLive", R"({"TableName":"orders"})"),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED",)"
            R"("AttributeName":"ttl"}})");

  // An item is expired when the time is later than its own: once that second
  // is over.
  const auto count_at = [&](absl::Time time) {
    service.clock().RunUntil(time);
    return *service.client().Count("orders");
  };
  EXPECT_EQ(count_at(absl::FromUnixSeconds(now + 10)), 3);
  EXPECT_EQ(count_at(absl::FromUnixMillis((now + 10) * 1000 + 999)), 3);
  EXPECT_EQ(count_at(absl::FromUnixSeconds(now + 11)), 2);
  service.Reopen();  // the timer must be there again
  EXPECT_EQ(count_at(absl::FromUnixMillis((now + 20) * 1000 + 999)), 2);
  EXPECT_EQ(count_at(absl::FromUnixSeconds(now + 21)), 1);
}

TEST(TimeToLive, RemovesAtOnceWhatIsWrittenWithATimeInThePast) {
  TestService service;
  service.CreateSimpleTable("orders");
  service.Ok("UpdateTimeToLive",
             R"({"TableName":"orders","TimeToLiveSpecification":)"
             R"({"Enabled":true,"AttributeName":"ttl"}})");
  const absl::Time now = service.clock().Now();
  for (const int64_t seconds : {-1, 0}) {
    service.Ok("PutItem",
               absl::StrCat(R"({"TableName":"orders","Item":{"id":{"S":"id)",
                            seconds, R"("},"ttl":{"N":")",
                            absl::ToUnixSeconds(now) + seconds, R"("}}})"));
  }
  service.clock().RunUntil(now);
  EXPECT_EQ(*service.client().Count("orders"), 1);
  service.clock().RunUntil(now + absl::Seconds(1));
  EXPECT_EQ(*service.client().Count("orders"), 0);
}

TEST(TimeToLive, FollowsTheAttributeAndCanBeDisabled) {
  TestService service;
  service.CreateSimpleTable("orders");
  const int64_t now = absl::ToUnixSeconds(service.clock().Now());
  const std::string enable =
      R"({"TableName":"orders","TimeToLiveSpecification":)"
      R"({"Enabled":true,"AttributeName":"ttl"}})";
  service.Ok("UpdateTimeToLive", enable);
  EXPECT_EQ(service.Error("UpdateTimeToLive", enable),
            "ValidationException: TimeToLive is already enabled");
  service.Ok("PutItem",
             absl::StrCat(R"({"TableName":"orders","Item":{"id":{"S":"1"},)",
                          R"("ttl":{"N":")", now + 5, R"("}}})"));
  service.Ok("UpdateItem",
             absl::StrCat(R"({"TableName":"orders","Key":{"id":{"S":"1"}},)",
                          R"("UpdateExpression":"SET #t = :t",)",
                          R"("ExpressionAttributeNames":{"#t":"ttl"},)",
                          R"("ExpressionAttributeValues":{":t":{"N":")",
                          now + 50, R"("}}})"));
  service.clock().RunUntil(absl::FromUnixSeconds(now + 10));
  EXPECT_EQ(*service.client().Count("orders"), 1);
  service.Ok("UpdateTimeToLive",
             R"({"TableName":"orders","TimeToLiveSpecification":)"
             R"({"Enabled":false,"AttributeName":"ttl"}})");
  service.clock().RunUntil(absl::FromUnixSeconds(now + 60));
  EXPECT_EQ(*service.client().Count("orders"), 1);
  EXPECT_EQ(service.Ok("DescribeTimeToLive", R"({"TableName":"orders"})"),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
}

TEST(Tags, AreAddedListedAndRemoved) {
  TestService service;
  service.CreateSimpleTable("orders");
  const std::string arn =
      R"("ResourceArn":"arn:aws:dynamodb:eu-central-1:000000000000:table/)";
  service.Ok("TagResource",
             absl::StrCat("{", arn, R"(orders","Tags":[{"Key":"a",)",
                          R"("Value":"1"},{"Key":"b","Value":"2"}]})"));
  service.Ok("UntagResource",
             absl::StrCat("{", arn, R"(orders","TagKeys":["a"]})"));
  service.Reopen();
  EXPECT_EQ(
      service.Ok("ListTagsOfResource", absl::StrCat("{", arn, "orders\"}")),
      R"({"Tags":[{"Key":"b","Value":"2"}]})");
  EXPECT_TRUE(absl::StartsWith(
      service.Error("ListTagsOfResource", absl::StrCat("{", arn, "none\"}")),
      "ResourceNotFoundException: Requested resource not found: ResourcArn"));
  EXPECT_EQ(service.Error("TagResource",
                          absl::StrCat("{", arn, R"(orders","Tags":[]})")),
            "ValidationException: Atleast one Tag needs to be provided as "
            "Input.");
}

TEST(Tags, NeedATableOfTheAccount) {
  TestService service;
  const std::vector<std::pair<std::string, std::string>> operations = {
      {"TagResource", R"(,"Tags":[{"Key":"a","Value":""}])"},
      {"UntagResource", R"(,"TagKeys":["a"])"},
      {"ListTagsOfResource", ""}};
  for (const auto& [operation, members] : operations) {
    for (const char* arn :
         {"not-a-valid-arn", "", "arn:aws:dynamodb:us-east-1:000000000000:x",
          "arn:aws:sqs:us-east-1:000000000000:table/orders"}) {
      EXPECT_EQ(service.Error(operation, absl::StrCat(R"({"ResourceArn":")",
                                                      arn, "\"", members, "}")),
                absl::StrCat("ValidationException: Invalid TableArn: Invalid "
                             "ResourceArn provided as input ",
                             arn));
    }
    const std::string others =
        "arn:aws:dynamodb:us-east-1:123456789012:table/t";
    EXPECT_EQ(
        service.Error(operation, absl::StrCat(R"({"ResourceArn":")", others,
                                              "\"", members, "}")),
        absl::StrCat("AccessDeniedException: User: "
                     "arn:aws:iam::000000000000:root is not authorized "
                     "to perform: dynamodb:",
                     operation, " on resource: ", others));
  }
}

TEST(Tags, AreRemovedByKeysOf1To128Characters) {
  TestService service;
  service.CreateSimpleTable("orders");
  const auto untag = [](const std::string& key) {
    return absl::StrCat(
        R"({"ResourceArn":"arn:aws:dynamodb:eu-central-1:000000000000:table/)",
        R"(orders","TagKeys":[")", key, "\"]}");
  };
  service.Ok("UntagResource", untag("k"));
  service.Ok("UntagResource", untag(std::string(128, 'k')));
  for (const std::string& key : {std::string(), std::string(129, 'k')}) {
    EXPECT_EQ(service.Error("UntagResource", untag(key)),
              absl::StrCat(
                  "ValidationException: 1 validation error detected: Value '[",
                  key, "]' at 'tagKeys' failed to satisfy constraint: Member ",
                  "must satisfy constraint: [Member must have length less than "
                  "or equal to 128, Member must have length greater than or "
                  "equal to 1]"));
  }
}

TEST(Tags, AreListedAllAtOnce) {
  TestService service;
  service.CreateSimpleTable("orders");
  std::vector<std::string> tags;
  for (int i = 10; i < 60; ++i) {
    tags.push_back(absl::StrCat(R"({"Key":"key)", i, R"(","Value":""})"));
  }
  const std::string list = absl::StrCat("[", absl::StrJoin(tags, ","), "]");
  const std::string arn =
      R"({"ResourceArn":"arn:aws:dynamodb:eu-central-1:000000000000:table/)"
      R"(orders")";
  service.Ok("TagResource", absl::StrCat(arn, R"(,"Tags":)", list, "}"));
  EXPECT_EQ(service.Ok("ListTagsOfResource", absl::StrCat(arn, "}")),
            absl::StrCat(R"({"Tags":)", list, "}"));
  EXPECT_EQ(service.Error("TagResource",
                          absl::StrCat(arn, R"(,"Tags":[{"Key":"one more",)",
                                       R"("Value":""}]})")),
            "ValidationException: Number of Tags exceed the current limit for "
            "the provided ResourceArn");
}

TEST(Tags, HaveKeysAndValuesThatAwsAccepts) {
  TestService service;
  service.CreateSimpleTable("orders");
  const auto tag = [](absl::string_view key, absl::string_view value) {
    return absl::StrCat(R"({"Key":")", key, R"(","Value":")", value, R"("})");
  };
  const auto request = [](absl::string_view tags) {
    return absl::StrCat(
        R"({"ResourceArn":"arn:aws:dynamodb:eu-central-1:000000000000:)",
        R"(table/orders","Tags":[)", tags, "]}");
  };
  service.Ok("TagResource", request(tag("\u65e5\u672c _.:/=+-@9", "a b")));
  EXPECT_EQ(service.Error("TagResource", request(tag("a#b", "ok"))),
            "ValidationException: The Tag Key provided is invalid, Key: a#b");
  EXPECT_EQ(service.Error("TagResource", request(tag("ok", "50%"))),
            "ValidationException: The Tag Value provided is invalid, Value: "
            "50%");
  EXPECT_EQ(service.Error("TagResource", request(tag("aws:stack", "x"))),
            "ValidationException: Tag Key cannot be prefixed with aws:, Key: "
            "aws:stack");
  EXPECT_EQ(
      service.Error("TagResource",
                    request(absl::StrCat(tag("a", "1"), ",", tag("a", "2")))),
      "ValidationException: Duplicate Tag Keys provided as input: "
      "Duplicate Tag Key found a");
  EXPECT_EQ(
      service.Error(
          "CreateTable",
          absl::StrCat(
              R"({"TableName":"tagged","BillingMode":"PAY_PER_REQUEST",)",
              R"("AttributeDefinitions":[{"AttributeName":"id",)",
              R"("AttributeType":"S"}],"KeySchema":[{"AttributeName":)",
              R"("id","KeyType":"HASH"}],"Tags":[)", tag("aws:x", "x"), "]}")),
      "ValidationException: Tag Key cannot be prefixed with aws:, Key: "
      "aws:x");
}

TEST(VectorSearch, IsRefused) {
  TestService service;
  service.CreateSimpleTable("images");
  EXPECT_EQ(
      service.Error("CreateTable",
                    R"({"TableName":"more","BillingMode":"PAY_PER_REQUEST",)"
                    R"("AttributeDefinitions":[{"AttributeName":"id",)"
                    R"("AttributeType":"S"}],"KeySchema":[{"AttributeName":)"
                    R"("id","KeyType":"HASH"}],"VectorIndexes":[{}]})"),
      "ValidationException: Vector search (VectorIndexes) is not supported by "
      "the local cloud");
  EXPECT_EQ(service.Error("UpdateTable",
                          R"({"TableName":"images","VectorIndexUpdates":[]})"),
            "ValidationException: Vector search (VectorIndexUpdates) is not "
            "supported by the local cloud");
  EXPECT_TRUE(absl::StrContains(service.Handle("SearchVectors", "{}").body,
                                "Vector search is not supported"));
}

TEST(ContinuousBackups, KeepTheSetting) {
  TestService service;
  service.CreateSimpleTable("orders");
  EXPECT_TRUE(absl::StrContains(
      service.Ok("DescribeContinuousBackups", R"({"TableName":"orders"})"),
      R"("PointInTimeRecoveryStatus":"DISABLED")"));
  service.Ok("UpdateContinuousBackups",
             R"({"TableName":"orders","PointInTimeRecoverySpecification":)"
             R"({"PointInTimeRecoveryEnabled":true}})");
  service.Reopen();
  EXPECT_TRUE(absl::StrContains(
      service.Ok("DescribeContinuousBackups", R"({"TableName":"orders"})"),
      R"("PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":35)"));
}

}  // namespace
}  // namespace byoshin::local::dynamodb
