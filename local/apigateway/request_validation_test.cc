#include "local/apigateway/request_validation.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/apigateway/front_fixture.h"
#include "local/apigateway/mapping_template.h"
#include "local/apigateway/parameter_source.h"
#include "local/apigateway/rest_api.h"
#include "local/apigateway/service_integration.h"

namespace byoshin::local::apigateway {
namespace {

class RequestValidationTest : public FrontTest {
 protected:
  void SetUp() override {
    FrontTest::SetUp();
    ChangeParts([](ApiParts& parts) {
      parts.validators["v1"] = {
          .id = "v1", .validate_body = true, .validate_parameters = true};
      parts.models["Order"] = {
          .name = "Order",
          .schema = R"({"type":"object","required":["item"],"properties":
              {"item":{"$ref":"https://apigateway.amazonaws.com/restapis/api1/models/Item"}}})"};
      parts.models["Item"] = {.name = "Item", .schema = R"({"type":"string"})"};
      parts.responses[ResponseType::kBadRequestBody] = {
          .type = ResponseType::kBadRequestBody,
          .templates = {{"application/json",
                         *MappingTemplate::Parse(
                             "$context.error.message: "
                             "$context.error.validationErrorString")}}};
    });
    PutMethod(
        "r-rest",
        {.http_method = "PUT",
         .validator_id = "v1",
         .rules = {
             .required_parameters =
                 {{.kind = ParameterSource::Kind::kQueryString, .name = "page"},
                  {.kind = ParameterSource::Kind::kHeader, .name = "X-A"}},
             .models = {{"application/json", "Order"}}}});
    Redeploy();
  }

  http::ServerResponse SendBody(absl::string_view body,
                                absl::string_view type = "application/json",
                                absl::string_view query = "page=1") {
    return Send({.method = "PUT",
                 .path = "/restapis/api1/prod/_user_request_/other",
                 .query = std::string(query),
                 .headers = {{"Content-Type", std::string(type)},
                             {"X-A", query.empty() ? "" : "a"}},
                 .body = std::string(body)});
  }
};

TEST_F(RequestValidationTest, PassesWhatTheMethodDeclares) {
  EXPECT_EQ(SendBody(R"({"item":"tea"})").status, 200);
  EXPECT_EQ(SendBody(R"({"item":"tea"})", "").status, 200);
  // There is no model for it.
  EXPECT_EQ(SendBody("tea", "text/plain").status, 200);
}

TEST_F(RequestValidationTest, RefusesBodiesThatTheModelDoesNotDescribe) {
  const http::ServerResponse missing = SendBody("{}");
  EXPECT_EQ(missing.status, 400);
  EXPECT_EQ(missing.body,
            "Invalid request body: [object has missing required properties "
            "([\"item\"])]");
  EXPECT_EQ(Header(missing, "x-amzn-ErrorType"), "BadRequestException");
  EXPECT_EQ(SendBody(R"({"item":5})").status, 400);
  for (const char* body : {"", "{", "tea", "\xFF"}) {
    EXPECT_EQ(SendBody(body).status, 400) << body;
  }
  EXPECT_TRUE(invoker_.requests.empty());
}

TEST_F(RequestValidationTest, NamesTheParametersThatAreMissing) {
  const http::ServerResponse response =
      SendBody(R"({"item":"tea"})", "application/json", "");
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(
      response.body,
      R"({"message":"Missing required request parameters: [page, X-A]"})");
  EXPECT_TRUE(invoker_.requests.empty());
}

TEST_F(RequestValidationTest, ChecksOnlyWhatTheValidatorSays) {
  ChangeParts([](ApiParts& parts) { parts.validators["v1"] = {.id = "v1"}; });
  EXPECT_EQ(SendBody("{}", "application/json", "").status, 200);
}

TEST_F(RequestValidationTest, IsAnInternalErrorIfAModelIsGone) {
  ChangeParts([](ApiParts& parts) { parts.models.erase("Item"); });
  EXPECT_EQ(SendBody(R"({"item":"tea"})").status, 500);
  EXPECT_TRUE(invoker_.requests.empty());
}

TEST_F(FrontTest, AnswersAPreflightByAMock) {
  Mapping mock{
      .responses = {{.status = 204,
                     .headers = {{"Access-Control-Allow-Origin", "*"},
                                 {"Access-Control-Allow-Methods", "GET"}}}}};
  mock.templates["application/json"] =
      *MappingTemplate::Parse("{ statusCode: 204 }");
  PutMethod("r-orders", {.http_method = "OPTIONS", .mock = mock});
  Redeploy();
  const http::ServerRequest preflight{
      .method = "OPTIONS",
      .path = "/restapis/api1/prod/_user_request_/orders",
      .headers = {{"Origin", "http://a"},
                  {"Access-Control-Request-Method", "GET"}}};
  const http::ServerResponse response = Send(preflight);
  EXPECT_EQ(response.status, 204);
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(Header(response, "Access-Control-Allow-Origin"), "*");
  EXPECT_EQ(Header(response, "Access-Control-Allow-Methods"), "GET");
  EXPECT_TRUE(invoker_.requests.empty());

  mock.templates["application/json"] = *MappingTemplate::Parse("{}");
  PutMethod("r-orders", {.http_method = "OPTIONS", .mock = mock});
  Redeploy();
  EXPECT_EQ(Send(preflight).status, 500);
}

}  // namespace
}  // namespace byoshin::local::apigateway
