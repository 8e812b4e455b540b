#include "local/apigateway/service_integration.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/apigateway/mapping_template.h"
#include "local/gateway/service.h"

namespace byoshin::local::apigateway {
namespace {

absl::StatusOr<std::string> BodyOf(const ServiceIntegration& integration,
                                   absl::string_view content_type) {
  http::ServerRequest request{.method = "POST", .body = "{ }"};
  if (!content_type.empty()) {
    request.headers.push_back({"content-type", std::string(content_type)});
  }
  return IntegrationBody(integration, request);
}

TEST(ServiceIntegration, MapsABodyByTheTemplateOfItsType) {
  const ServiceIntegration integration{
      .templates = {
          {"application/json", *MappingTemplate::Parse("<$input.json('$')>")}}};
  EXPECT_EQ(*BodyOf(integration, "Application/JSON; charset=utf-8"), "<{}>");
  EXPECT_EQ(*BodyOf(integration, ""), "<{}>");
  EXPECT_EQ(*BodyOf(integration, "text/plain"), "{ }");
}

TEST(ServiceIntegration, PassesABodyWithoutATemplateOnIfItMay) {
  const ServiceIntegration never{.passthrough = Passthrough::kNever};
  EXPECT_TRUE(absl::IsUnimplemented(BodyOf(never, "").status()));
  ServiceIntegration integration{.passthrough = Passthrough::kWhenNoTemplates};
  EXPECT_EQ(*BodyOf(integration, "text/plain"), "{ }");
  integration.templates["application/json"] = *MappingTemplate::Parse("x");
  EXPECT_TRUE(
      absl::IsUnimplemented(BodyOf(integration, "text/plain").status()));
  EXPECT_EQ(*BodyOf(integration, "application/json"), "x");
}

TEST(ServiceIntegration, SelectsTheResponseByTheStatusOfTheService) {
  const ServiceIntegration integration{
      .responses = {
          {.status = 200, .headers = {{"X-A", "b"}}},
          {.status = 422,
           .selection_pattern = R"(4\d{2})",
           .templates = {{"application/json",
                          *MappingTemplate::Parse(R"({"e":$input.body})")}}},
          {.status = 502, .selection_pattern = "5.*"}}};
  const absl::StatusOr<http::ServerResponse> good =
      MethodResponse(integration, {.status = 200, .body = "{}"});
  ASSERT_TRUE(good.ok()) << good.status();
  EXPECT_EQ(good->status, 200);
  EXPECT_EQ(good->body, "{}");
  ASSERT_EQ(good->headers.size(), 2u);
  EXPECT_EQ(good->headers[0].value, "application/json");
  EXPECT_EQ(good->headers[1].name, "X-A");
  EXPECT_EQ(good->headers[1].value, "b");
  const absl::StatusOr<http::ServerResponse> bad =
      MethodResponse(integration, {.status = 400, .body = "1"});
  EXPECT_EQ(bad->status, 422);
  EXPECT_EQ(bad->body, R"({"e":1})");
  EXPECT_EQ(MethodResponse(integration, {.status = 500})->status, 502);
}

TEST(ServiceIntegration, MatchesThePatternWithTheWholeStatus) {
  const ServiceIntegration integration{
      .responses = {{.status = 400, .selection_pattern = "4"}}};
  EXPECT_TRUE(absl::IsFailedPrecondition(
      MethodResponse(integration, {.status = 400}).status()));
}

}  // namespace
}  // namespace byoshin::local::apigateway
