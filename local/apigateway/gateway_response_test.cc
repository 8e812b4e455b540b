#include "local/apigateway/gateway_response.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/apigateway/front_fixture.h"
#include "local/apigateway/mapping_template.h"
#include "local/apigateway/parameter_source.h"
#include "local/apigateway/rest_api.h"

namespace byoshin::local::apigateway {
namespace {

class GatewayResponseTest : public FrontTest {
 protected:
  void Declare(GatewayResponse response) {
    ChangeParts(
        [&](ApiParts& parts) { parts.responses[response.type] = response; });
  }
  http::ServerResponse Delete() {
    return Send({.method = "DELETE",
                 .path = "/restapis/api1/prod/_user_request_/orders",
                 .headers = {{"Origin", "http://a"}, {"X-Bad", "a\r\nb"}}});
  }
};

TEST_F(GatewayResponseTest, AddsHeadersToWhatIsRefused) {
  Declare(
      {.type = ResponseType::kDefault4xx,
       .headers = {
           {"Access-Control-Allow-Origin", {.name = "*"}},
           {"X-Origin",
            {.kind = ParameterSource::Kind::kHeader, .name = "Origin"}},
           {"X-Request",
            {.kind = ParameterSource::Kind::kContext, .name = "requestId"}},
           {"X-Bad", {.kind = ParameterSource::Kind::kHeader, .name = "X-Bad"}},
           {"X-None",
            {.kind = ParameterSource::Kind::kHeader, .name = "X-None"}},
           {"x-amzn-errortype", {.name = "Mine"}}}});
  const http::ServerResponse response = Delete();
  EXPECT_EQ(response.status, 403);
  EXPECT_EQ(response.body, R"({"message":"Missing Authentication Token"})");
  EXPECT_EQ(Header(response, "Access-Control-Allow-Origin"), "*");
  EXPECT_EQ(Header(response, "X-Origin"), "http://a");
  EXPECT_EQ(Header(response, "X-Request"),
            Header(response, "x-amzn-RequestId"));
  EXPECT_EQ(Header(response, "X-Bad"), "");
  EXPECT_EQ(Header(response, "X-None"), "");
  EXPECT_EQ(Header(response, "x-amzn-ErrorType"), "Mine");
}

TEST_F(GatewayResponseTest, ReplacesTheStatusAndTheBody) {
  Declare({.type = ResponseType::kDefault4xx, .status = 400});
  Declare({.type = ResponseType::kMissingAuthenticationToken,
           .status = 404,
           .templates = {{"application/json",
                          *MappingTemplate::Parse(
                              R"({"error":$context.error.messageString,)"
                              R"("type":"$context.error.responseType"})")}}});
  const http::ServerResponse response = Delete();
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.body, R"({"error":"Missing Authentication Token",)"
                           R"("type":"MISSING_AUTHENTICATION_TOKEN"})");
  EXPECT_EQ(Header(response, "Content-Type"), "application/json");
}

TEST_F(GatewayResponseTest, CoversServerErrorsByTheirOwnDefault) {
  Declare(
      {.type = ResponseType::kDefault4xx, .headers = {{"X", {.name = "4"}}}});
  Declare(
      {.type = ResponseType::kDefault5xx, .headers = {{"X", {.name = "5"}}}});
  EXPECT_EQ(Header(Delete(), "X"), "4");
  invoker_.result = FakeInvoker::Success("nonsense");
  const http::ServerResponse failed = Get("/orders");
  EXPECT_EQ(failed.status, 502);
  EXPECT_EQ(Header(failed, "X"), "5");
  // Not for what the function answers.
  invoker_.result = FakeInvoker::Success(R"({"statusCode":500})");
  EXPECT_EQ(Header(Get("/orders"), "X"), "");
}

TEST_F(GatewayResponseTest, ChoosesTheTemplateThatTheClientAccepts) {
  Declare({.type = ResponseType::kMissingAuthenticationToken,
           .templates = {{"text/html", *MappingTemplate::Parse("<b>no</b>")}}});
  const http::ServerResponse response = Delete();
  EXPECT_EQ(response.body, "<b>no</b>");
  EXPECT_EQ(Header(response, "Content-Type"), "text/html");
}

TEST_F(GatewayResponseTest, AppliesAfterADeployment) {
  ASSERT_TRUE(registry_
                  .ChangeParts("api1",
                               [](ApiParts& parts) {
                                 parts.responses[ResponseType::kDefault4xx] = {
                                     .status = 400};
                               })
                  .ok());
  EXPECT_EQ(Delete().status, 403);
  Redeploy();
  EXPECT_EQ(Delete().status, 400);
}

TEST(ResponseTypes, HaveNamesOfTheirOwn) {
  std::set<absl::string_view> names;
  for (const ResponseType type : AllResponseTypes()) {
    names.insert(NameOf(type));
    EXPECT_EQ(ResponseTypeNamed(NameOf(type)), type);
  }
  EXPECT_EQ(names.size(), AllResponseTypes().size());
  EXPECT_EQ(ResponseTypeNamed("TEAPOT"), std::nullopt);
}

}  // namespace
}  // namespace byoshin::local::apigateway
