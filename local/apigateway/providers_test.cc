#include "local/apigateway/providers.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/apigateway/registry.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::apigateway {
namespace {

using cloudformation::ResourceProvider;
using cloudformation::ResourceState;

constexpr char kUri[] =
    "arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/"
    "arn:aws:lambda:us-east-1:000000000000:function:f/invocations";
const Address kAddress{.api_id = "api0", .stage = "prod", .path = "/health"};

class ProvidersTest : public testing::Test {
 protected:
  ResourceProvider& Of(absl::string_view type) {
    for (const auto& provider : providers_) {
      if (provider->type() == type) return *provider;
    }
    ADD_FAILURE() << type;
    return *providers_.front();
  }

  absl::StatusOr<ResourceState> Create(absl::string_view type,
                                       absl::string_view suffix,
                                       absl::string_view properties) {
    const Json::Value value = *json::ParseValue(properties);
    return Of(type).Create({.stack = stack_,
                            .logical_id = "Id",
                            .physical_id = "",
                            .name_suffix = std::string(suffix),
                            .properties = value});
  }

  // The API of the scheduler's mock, with one path.
  void CreateAll() {
    ASSERT_TRUE(
        Create("AWS::ApiGateway::RestApi", "API0", R"({"Name":"n"})").ok());
    ASSERT_TRUE(Create("AWS::ApiGateway::Resource", "RES0",
                       R"({"RestApiId":"api0","ParentId":"api0root",
                           "PathPart":"health"})")
                    .ok());
    ASSERT_TRUE(CreateMethod("AWS_PROXY", "NONE", kUri).ok());
    ASSERT_TRUE(
        Create("AWS::ApiGateway::Deployment", "DEP0", R"({"RestApiId":"api0"})")
            .ok());
    ASSERT_EQ(Create("AWS::ApiGateway::Stage", "X",
                     R"({"RestApiId":"api0","DeploymentId":"dep0",
                         "StageName":"prod",
                         "MethodSettings":[{"ResourcePath":"/*",
                           "HttpMethod":"*","ThrottlingRateLimit":"1",
                           "ThrottlingBurstLimit":1}]})")
                  ->physical_id,
              "prod");
  }

  absl::Status CreateMethod(absl::string_view type, absl::string_view auth,
                            absl::string_view uri) {
    Json::Value properties;
    properties["RestApiId"] = "api0";
    properties["ResourceId"] = "res0";
    properties["HttpMethod"] = "GET";
    properties["ApiKeyRequired"] = "true";
    properties["AuthorizationType"] = std::string(auth);
    properties["Integration"]["Type"] = std::string(type);
    properties["Integration"]["Uri"] = std::string(uri);
    return Create("AWS::ApiGateway::Method", "M", json::WriteValue(properties))
        .status();
  }

  const cloudformation::StackContext stack_{.stack_name = "s"};
  Registry registry_;
  std::vector<std::unique_ptr<ResourceProvider>> providers_ =
      NewProviders(registry_);
};

TEST_F(ProvidersTest, MakeAnApiThatAnswers) {
  CreateAll();
  const absl::StatusOr<Route> route = registry_.Find(kAddress, "GET");
  ASSERT_TRUE(route.ok()) << route.status();
  EXPECT_EQ(route->method.function_arn,
            "arn:aws:lambda:us-east-1:000000000000:function:f");
  EXPECT_TRUE(route->method.api_key_required);
  EXPECT_TRUE(
      registry_.Throttle(kAddress, {"/health", "GET"}, "", absl::UnixEpoch())
          .ok());
  EXPECT_FALSE(
      registry_.Throttle(kAddress, {"/health", "GET"}, "", absl::UnixEpoch())
          .ok());
}

TEST_F(ProvidersTest, TellTheApiWhatIsNotText) {
  for (const char* types : {R"(["image/*","a/b"])", R"("image/*")"}) {
    ASSERT_TRUE(
        Create("AWS::ApiGateway::RestApi", "API0",
               absl::StrCat(R"({"Name":"n","BinaryMediaTypes":)", types, "}"))
            .ok());
    EXPECT_EQ(registry_.Apis().front().details.binary_media_types.front(),
              "image/*");
  }
}

TEST_F(ProvidersTest, MakeKeysThatStayTheSame) {
  CreateAll();
  const absl::StatusOr<ResourceState> key =
      Create("AWS::ApiGateway::ApiKey", "KEY0", R"({"Enabled":true})");
  ASSERT_TRUE(key.ok());
  ASSERT_TRUE(Create("AWS::ApiGateway::UsagePlan", "PLAN0",
                     R"({"ApiStages":[{"ApiId":"api0","Stage":"prod"}],
                         "Throttle":{"RateLimit":5,"BurstLimit":5}})")
                  .ok());
  ASSERT_TRUE(Create("AWS::ApiGateway::UsagePlanKey", "X",
                     R"({"UsagePlanId":"plan0","KeyId":"key0",
                         "KeyType":"API_KEY"})")
                  .ok());
  const std::string value = registry_.KeyValue("key0");
  EXPECT_EQ(value.size(), 40);
  EXPECT_EQ(*registry_.CheckKey(kAddress, value), "key0");

  const Json::Value disabled = *json::ParseValue(R"({"Enabled":false})");
  ASSERT_TRUE(Of("AWS::ApiGateway::ApiKey")
                  .Update({.stack = stack_,
                           .logical_id = "Id",
                           .physical_id = "key0",
                           .name_suffix = "KEY0",
                           .properties = disabled},
                          Json::Value())
                  .ok());
  EXPECT_EQ(registry_.KeyValue("key0"), value);
  EXPECT_FALSE(registry_.CheckKey(kAddress, value).ok());

  // As after a restart.
  Registry later;
  const auto providers = NewProviders(later);
  const Json::Value enabled = *json::ParseValue(R"({"Enabled":true})");
  for (const auto& provider : providers) {
    if (provider->type() != "AWS::ApiGateway::ApiKey") continue;
    ASSERT_TRUE(provider
                    ->Restore({.stack = stack_,
                               .logical_id = "Id",
                               .physical_id = "key0",
                               .name_suffix = "KEY0",
                               .properties = enabled},
                              *key)
                    .ok());
  }
  EXPECT_EQ(later.KeyValue("key0"), value);
}

TEST_F(ProvidersTest, RefuseWhatTheyWouldNotDo) {
  ASSERT_TRUE(
      Create("AWS::ApiGateway::RestApi", "API0", R"({"Name":"n"})").ok());
  ASSERT_TRUE(Create("AWS::ApiGateway::Resource", "RES0",
                     R"({"RestApiId":"api0","ParentId":"api0root",
                         "PathPart":"health"})")
                  .ok());
  EXPECT_FALSE(CreateMethod("HTTP", "NONE", kUri).ok());
  EXPECT_FALSE(CreateMethod("AWS_PROXY", "MAGIC", kUri).ok());
  EXPECT_FALSE(CreateMethod("AWS_PROXY", "NONE", "http://example.com").ok());
  EXPECT_TRUE(CreateMethod("AWS_PROXY", "NONE", kUri).ok());
  ASSERT_TRUE(
      Create("AWS::ApiGateway::Deployment", "DEP0", R"({"RestApiId":"api0"})")
          .ok());
  EXPECT_FALSE(Create("AWS::ApiGateway::Stage", "X",
                      R"({"RestApiId":"api0","DeploymentId":"dep0",
                          "StageName":"prod",
                          "MethodSettings":[{"ResourcePath":"/health",
                            "ThrottlingRateLimit":1}]})")
                   .ok());
}

TEST_F(ProvidersTest, TakeEverythingAwayAgain) {
  CreateAll();
  const Json::Value stage =
      *json::ParseValue(R"({"RestApiId":"api0","StageName":"prod"})");
  ASSERT_TRUE(Of("AWS::ApiGateway::Stage")
                  .Delete({.stack = stack_,
                           .logical_id = "Id",
                           .physical_id = "prod",
                           .name_suffix = "",
                           .properties = stage})
                  .ok());
  EXPECT_TRUE(absl::IsNotFound(registry_.Find(kAddress, "GET").status()));
  const Json::Value none(Json::objectValue);
  ASSERT_TRUE(Of("AWS::ApiGateway::RestApi")
                  .Delete({.stack = stack_,
                           .logical_id = "Id",
                           .physical_id = "api0",
                           .name_suffix = "",
                           .properties = none})
                  .ok());
  EXPECT_TRUE(registry_.Apis().empty());
}

}  // namespace
}  // namespace byoshin::local::apigateway
