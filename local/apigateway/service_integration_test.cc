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

absl::StatusOr<std::string> BodyOf(const Mapping& integration,
                                   absl::string_view content_type) {
  http::ServerRequest request{.method = "POST", .body = "{ }"};
  if (!content_type.empty()) {
    request.headers.push_back({"content-type", std::string(content_type)});
  }
  return IntegrationBody(integration, {request, {}, {}});
}

absl::StatusOr<http::ServerResponse> ResponseTo(const Mapping& integration,
                                                const Answer& answer) {
  return MethodResponse(integration, answer, {{}, {}, {}});
}

TEST(ServiceIntegration, MapsABodyByTheTemplateOfItsType) {
  const Mapping integration{
      .templates = {
          {"application/json", *MappingTemplate::Parse("<$input.json('$')>")}}};
  EXPECT_EQ(*BodyOf(integration, "Application/JSON; charset=utf-8"), "<{}>");
  EXPECT_EQ(*BodyOf(integration, ""), "<{}>");
  EXPECT_EQ(*BodyOf(integration, "text/plain"), "{ }");
}

TEST(ServiceIntegration, PassesABodyWithoutATemplateOnIfItMay) {
  const Mapping never{.passthrough = Passthrough::kNever};
  EXPECT_TRUE(absl::IsUnimplemented(BodyOf(never, "").status()));
  Mapping integration{.passthrough = Passthrough::kWhenNoTemplates};
  EXPECT_EQ(*BodyOf(integration, "text/plain"), "{ }");
  integration.templates["application/json"] = *MappingTemplate::Parse("x");
  EXPECT_TRUE(
      absl::IsUnimplemented(BodyOf(integration, "text/plain").status()));
  EXPECT_EQ(*BodyOf(integration, "application/json"), "x");
}

TEST(ServiceIntegration, SelectsTheResponseByTheStatusOfTheService) {
  const Mapping integration{
      .responses = {
          {.status = 200, .headers = {{"X-A", "b"}}},
          {.status = 422,
           .selection_pattern = R"(4\d{2})",
           .templates = {{"application/json",
                          *MappingTemplate::Parse(R"({"e":$input.body})")}}},
          {.status = 502, .selection_pattern = "5.*"}}};
  const absl::StatusOr<http::ServerResponse> good =
      ResponseTo(integration, {.status = 200, .body = "{}"});
  ASSERT_TRUE(good.ok()) << good.status();
  EXPECT_EQ(good->status, 200);
  EXPECT_EQ(good->body, "{}");
  ASSERT_EQ(good->headers.size(), 2u);
  EXPECT_EQ(good->headers[0].value, "application/json");
  EXPECT_EQ(good->headers[1].name, "X-A");
  EXPECT_EQ(good->headers[1].value, "b");
  const absl::StatusOr<http::ServerResponse> bad =
      ResponseTo(integration, {.status = 400, .body = "1"});
  EXPECT_EQ(bad->status, 422);
  EXPECT_EQ(bad->body, R"({"e":1})");
  EXPECT_EQ(ResponseTo(integration, {.status = 500})->status, 502);
}

TEST(ServiceIntegration, MatchesThePatternWithTheWholeStatus) {
  const Mapping integration{
      .responses = {{.status = 400, .selection_pattern = "4"}}};
  EXPECT_TRUE(absl::IsFailedPrecondition(
      ResponseTo(integration, {.status = 400}).status()));
}

TEST(MockIntegration, AnswersWithTheStatusOfItsTemplate) {
  for (const char* rendered :
       {R"({"statusCode": 204})", "{ statusCode: 204 }",
        "{\n \"statusCode\" : 204\n}\n", R"({"a":1,"statusCode":"204"})",
        R"({'statusCode': 204})"}) {
    const absl::StatusOr<Answer> answer = MockAnswer(rendered);
    ASSERT_TRUE(answer.ok()) << rendered;
    EXPECT_EQ(answer->status, 204) << rendered;
    EXPECT_EQ(answer->body, "");
  }
  for (const char* rendered :
       {"", "{}", "204", R"({"statusCode": 2040})", R"({"statusCode": 99})",
        R"({"xstatusCode": 200})", R"("statusCode": 200)"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(MockAnswer(rendered).status()))
        << rendered;
  }
}

}  // namespace
}  // namespace byoshin::local::apigateway
