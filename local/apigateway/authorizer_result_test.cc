#include "local/apigateway/authorizer_result.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::apigateway {
namespace {

constexpr char kMethod[] =
    "arn:aws:execute-api:us-east-1:000000000000:api1/prod/GET/orders/7";

absl::StatusOr<AuthorizerResult> WithStatements(absl::string_view statements) {
  return ParseAuthorizerResult(
      absl::StrCat(R"({"policyDocument":{"Version":"2012-10-17","Statement":)",
                   statements, "}}"));
}

Permission PermissionBy(absl::string_view statements) {
  const absl::StatusOr<AuthorizerResult> result = WithStatements(statements);
  EXPECT_TRUE(result.ok()) << result.status();
  return Permits(*result, kMethod);
}

TEST(AuthorizerResult, IsReadFromWhatAFunctionReturns) {
  const absl::StatusOr<AuthorizerResult> result = ParseAuthorizerResult(
      R"({"principalId":7,"usageIdentifierKey":"k","context":{"a":1e2},
          "policyDocument":{"Statement":{"Effect":"Allow","Action":"*",
                                         "Resource":"*"}},"other":[]})");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->principal_id, "7");
  EXPECT_EQ(result->usage_key, "k");
  EXPECT_EQ(result->context.at("a"), "100.0");
  EXPECT_EQ(Permits(*result, kMethod), Permission::kAllowed);
}

TEST(AuthorizerResult, IsRefusedInOtherForms) {
  const std::string policy =
      R"("policyDocument":{"Version":"2012-10-17","Statement":[
          {"Effect":"Allow","Action":"*","Resource":"*"}]})";
  for (const std::string& payload :
       {std::string("{"), std::string("[]"), std::string("{}"),
        absl::StrCat(R"({"principalId":{},)", policy, "}"),
        absl::StrCat(R"({"context":[],)", policy, "}"),
        absl::StrCat(R"({"context":{"a":{}},)", policy, "}"),
        absl::StrCat(R"({"context":{"a":[1]},)", policy, "}"),
        absl::StrCat(R"({"usageIdentifierKey":[],)", policy, "}"),
        std::string(R"({"policyDocument":"Allow"})"),
        std::string(R"({"policyDocument":{"Version":"1999-01-01"}})")}) {
    EXPECT_TRUE(
        absl::IsInvalidArgument(ParseAuthorizerResult(payload).status()))
        << payload;
  }
  // Conditions that can't be evaluated are not ignored.
  EXPECT_FALSE(WithStatements(
                   R"([{"Effect":"Allow","Action":"*","Resource":"*",
                        "Condition":{"IpAddress":{"aws:SourceIp":"::1"}}}])")
                   .ok());
}

TEST(AuthorizerResult, PermitsWhatItsStatementsAllowAndDoNotDeny) {
  EXPECT_EQ(PermissionBy(
                R"({"Effect":"Allow","Action":"execute-api:Invoke",
                    "Resource":"arn:aws:execute-api:*:*:api1/*/GET/orders/*"})"),
            Permission::kAllowed);
  EXPECT_EQ(PermissionBy(
                R"([{"Effect":"Allow","Action":"execute-api:*","Resource":"*"},
                    {"Effect":"Deny","Action":"execute-api:invoke","Resource":
                     "arn:aws:execute-api:us-east-1:000000000000:api1/*/GET/orders/7"}])"),
            Permission::kExplicitlyDenied);
  EXPECT_EQ(PermissionBy(R"({"Effect":"Allow","Action":"lambda:*",
                             "Resource":"*"})"),
            Permission::kNotAllowed);
  EXPECT_EQ(PermissionBy(
                R"({"Effect":"Allow","Action":"execute-api:Invoke","Resource":
                    "arn:aws:execute-api:us-east-1:000000000000:api1/prod/GET/orders"})"),
            Permission::kNotAllowed);
}

}  // namespace
}  // namespace byoshin::local::apigateway
