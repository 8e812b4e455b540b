#include "local/appsync/auth/field_access.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/model/graphql_api.h"

namespace byoshin::local::appsync {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kApiArn[] = "arn:aws:appsync:us-east-1:1:apis/api";

constexpr char kSchema[] = R"(
  type Query {
    plain: String
    key: String @aws_api_key
    iam: String @aws_iam
    pool: String @aws_cognito_user_pools
    editors: String @aws_cognito_user_pools(cognito_groups: ["a", "editors"])
    auth: String @aws_auth(cognito_groups: ["editors"])
    lambda: String @aws_lambda
    two: String @aws_api_key @aws_iam
  }
  type Typed @aws_iam @aws_lambda {
    plain: String
    key: String @aws_api_key
    editors: String @aws_cognito_user_pools(cognito_groups: ["editors"])
  })";

class FieldAccessTest : public ::testing::Test {
 protected:
  // The names of the type's fields that the caller may access.
  std::vector<std::string> Fields(absl::string_view type_name,
                                  const ApiCaller& caller) const {
    std::vector<std::string> names;
    const graphql::NamedType& type = *schema_->Find(type_name);
    for (const graphql::FieldDefinition& field : type.fields) {
      if (MayAccess(caller, kApiArn, type, field)) {
        names.emplace_back(field.name);
      }
    }
    return names;
  }

  const std::shared_ptr<const graphql::Schema> schema_ =
      graphql::Schema::Parse(kSchema).schema;
};

TEST_F(FieldAccessTest, AFieldWithoutDirectivesIsForTheDefaultProvider) {
  EXPECT_THAT(Fields("Query", {.type = AuthenticationType::kApiKey}),
              ElementsAre("plain", "key", "two"));
  EXPECT_THAT(Fields("Query", {.type = AuthenticationType::kApiKey,
                               .by_default_provider = false}),
              ElementsAre("key", "two"));
  EXPECT_THAT(Fields("Query", {.type = AuthenticationType::kIam,
                               .by_default_provider = false}),
              ElementsAre("iam", "two"));
  EXPECT_THAT(Fields("Query", {.type = AuthenticationType::kLambda,
                               .by_default_provider = false}),
              ElementsAre("lambda"));
}

TEST_F(FieldAccessTest, ADirectiveOfAFieldReplacesThoseOfItsType) {
  EXPECT_THAT(Fields("Typed", {.type = AuthenticationType::kApiKey}),
              ElementsAre("key"));
  EXPECT_THAT(Fields("Typed", {.type = AuthenticationType::kIam,
                               .by_default_provider = false}),
              ElementsAre("plain"));
  EXPECT_THAT(Fields("Typed", {.type = AuthenticationType::kLambda,
                               .by_default_provider = false}),
              ElementsAre("plain"));
  EXPECT_THAT(Fields("Typed", {.type = AuthenticationType::kUserPools,
                               .by_default_provider = false}),
              IsEmpty());
}

TEST_F(FieldAccessTest, UsersNeedOneOfTheGroups) {
  ApiCaller user{.type = AuthenticationType::kUserPools};
  EXPECT_THAT(Fields("Query", user), ElementsAre("plain", "pool"));
  user.groups = {"others"};
  EXPECT_THAT(Fields("Query", user), ElementsAre("plain", "pool"));
  user.groups = {"others", "editors"};
  EXPECT_THAT(Fields("Query", user),
              ElementsAre("plain", "pool", "editors", "auth"));
  EXPECT_THAT(Fields("Typed", user), ElementsAre("editors"));
  // With the default action DENY, users need a directive.
  user.allowed_by_default = false;
  EXPECT_THAT(Fields("Query", user), ElementsAre("pool", "editors", "auth"));
}

TEST_F(FieldAccessTest, AnAuthorizerDeniesFieldsByNameOrArn) {
  ApiCaller caller{.type = AuthenticationType::kLambda};
  EXPECT_THAT(Fields("Query", caller), ElementsAre("plain", "lambda"));
  caller.denied_fields = {"Query.plain", "Typed.lambda"};
  EXPECT_THAT(Fields("Query", caller), ElementsAre("lambda"));
  caller.denied_fields = {absl::StrCat(kApiArn, "/types/Query/fields/lambda")};
  EXPECT_THAT(Fields("Query", caller), ElementsAre("plain"));
}

}  // namespace
}  // namespace byoshin::local::appsync
