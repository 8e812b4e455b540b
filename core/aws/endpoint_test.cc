#include "core/aws/endpoint.h"

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Variables = std::map<std::string, std::string>;

std::string Region(const Variables& variables) {
  return RegionFrom(env::FromMap(variables)).value();
}

std::string Url(const Variables& variables, const char* service = "sqs") {
  return ResolveEndpoint(env::FromMap(variables), {.name = service},
                         "eu-west-1")
      .value()
      .url;
}

TEST(RegionFrom, PrefersAwsRegion) {
  EXPECT_EQ(Region({{"AWS_REGION", "ap-northeast-1"},
                    {"AWS_DEFAULT_REGION", "eu-west-1"}}),
            "ap-northeast-1");
  EXPECT_EQ(Region({{"AWS_DEFAULT_REGION", "eu-west-1"}}), "eu-west-1");
  EXPECT_EQ(Region({{"AWS_REGION", ""}, {"AWS_DEFAULT_REGION", "eu-west-1"}}),
            "eu-west-1");
}

TEST(RegionFrom, FallsBackToTheDefault) {
  EXPECT_EQ(Region({}), "us-east-1");
  EXPECT_EQ(Region({}), kDefaultRegion);
}

TEST(RegionFrom, RefusesWhatCannotBeARegion) {
  for (const std::string& region :
       {std::string("us east"), std::string("evil.example/"),
        std::string("US-EAST-1"), std::string("-a"), std::string("a-"),
        std::string("a.b"), std::string("a@b"), std::string(64, 'a')}) {
    const absl::Status status =
        RegionFrom(env::FromMap({{"AWS_REGION", region}})).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << region;
    EXPECT_THAT(std::string(status.message()), HasSubstr("AWS_REGION"));
  }
  EXPECT_EQ(Region({{"AWS_REGION", std::string(63, 'a')}}),
            std::string(63, 'a'));
}

TEST(RegionFrom, NamesTheVariableThatIsWrong) {
  EXPECT_THAT(
      std::string(RegionFrom(env::FromMap({{"AWS_DEFAULT_REGION", "?"}}))
                      .status()
                      .message()),
      HasSubstr("AWS_DEFAULT_REGION"));
}

TEST(ResolveEndpoint, FollowsFromTheRegion) {
  const Endpoint endpoint =
      ResolveEndpoint(env::FromMap({}), {.name = "dynamodb"}, "eu-west-1")
          .value();
  EXPECT_EQ(endpoint.url, "https://dynamodb.eu-west-1.amazonaws.com");
  EXPECT_EQ(endpoint.origin, Endpoint::Origin::kRegion);
}

TEST(ResolveEndpoint, KnowsTheDomainOfChina) {
  EXPECT_EQ(ResolveEndpoint(env::FromMap({}), {.name = "sqs"}, "cn-north-1")
                .value()
                .url,
            "https://sqs.cn-north-1.amazonaws.com.cn");
}

TEST(ResolveEndpoint, PrefersTheEndpointOfTheService) {
  const Variables variables = {
      {"AWS_ENDPOINT_URL", "http://localhost:4566"},
      {"AWS_ENDPOINT_URL_SQS", "https://sqs.internal/path/"}};
  EXPECT_EQ(Url(variables, "sqs"), "https://sqs.internal/path/");
  EXPECT_EQ(Url(variables, "dynamodb"), "http://localhost:4566");
  EXPECT_EQ(ResolveEndpoint(env::FromMap(variables), {.name = "sqs"}, "x")
                .value()
                .origin,
            Endpoint::Origin::kConfigured);
}

TEST(ResolveEndpoint, KnowsTheVariableOfAServiceWithAnotherName) {
  const Variables variables = {
      {"AWS_ENDPOINT_URL_RDS_DATA", "http://rds"},
      {"AWS_ENDPOINT_URL_SFN", "http://states"},
      {"AWS_ENDPOINT_URL_STATES", "http://not-a-variable-of-aws"}};
  EXPECT_EQ(Url(variables, "rds-data"), "http://rds");
  EXPECT_EQ(ResolveEndpoint(env::FromMap(variables),
                            {.name = "states", .variable = "SFN"}, "eu-west-1")
                .value()
                .url,
            "http://states");
}

TEST(ResolveEndpoint, TakesAnEmptyVariableForUnset) {
  EXPECT_EQ(
      Url({{"AWS_ENDPOINT_URL_SQS", ""}, {"AWS_ENDPOINT_URL", "http://x"}}),
      "http://x");
}

TEST(ResolveEndpoint, IgnoresConfiguredEndpointsWhenTold) {
  for (const char* yes : {"true", "TRUE"}) {
    EXPECT_EQ(Url({{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", yes},
                   {"AWS_ENDPOINT_URL_SQS", "not even a URL"},
                   {"AWS_ENDPOINT_URL", "http://x"}}),
              "https://sqs.eu-west-1.amazonaws.com");
  }
  for (const char* no : {"false", "", "0"}) {
    EXPECT_EQ(Url({{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", no},
                   {"AWS_ENDPOINT_URL", "http://x"}}),
              "http://x");
  }
}

TEST(ResolveEndpoint, RefusesWhatIsNoUrlAndNamesTheVariable) {
  for (const char* variable : {"AWS_ENDPOINT_URL_SQS", "AWS_ENDPOINT_URL"}) {
    for (const char* url : {"localhost:4566", "http://u:secret@x", "ftp://x"}) {
      const absl::Status status =
          ResolveEndpoint(env::FromMap({{variable, url}}), {.name = "sqs"}, "x")
              .status();
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(status.message()), HasSubstr(variable));
      EXPECT_THAT(std::string(status.message()), Not(HasSubstr("secret")));
    }
  }
}

}  // namespace
}  // namespace byoshin::aws
