#include "local/apigateway/parameter_source.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/http/server_message.h"
#include "local/apigateway/proxy.h"

namespace byoshin::local::apigateway {
namespace {

TEST(ParameterSource, IsWhereAValueComesFrom) {
  const http::ServerRequest request{
      .query = "a=1&a=2&e=", .headers = {{"X-A", "first"}, {"x-a", "last"}}};
  const RequestContext context{.path_parameters = {{"id", "7"}},
                               .stage_variables = {{"color", "blue"}}};
  const ContextVariables variables = {{"identity.sourceIp", "::1"}};
  const auto value = [&](const std::string& text) {
    const absl::StatusOr<ParameterSource> source = ParseParameterSource(text);
    EXPECT_TRUE(source.ok()) << source.status();
    EXPECT_EQ(ToText(*source), text);
    return ValueOf(*source, {request, context, variables});
  };
  EXPECT_EQ(value("'it is'"), "it is");
  EXPECT_EQ(value("''"), "");
  EXPECT_EQ(value("method.request.header.X-a"), "last");
  EXPECT_EQ(value("method.request.querystring.a"), "2");
  EXPECT_EQ(value("method.request.querystring.e"), "");
  EXPECT_EQ(value("method.request.path.id"), "7");
  EXPECT_EQ(value("context.identity.sourceIp"), "::1");
  EXPECT_EQ(value("stageVariables.color"), "blue");
  for (const char* text :
       {"method.request.header.X-B", "method.request.querystring.b",
        "method.request.path.b", "context.b", "stageVariables.b"}) {
    EXPECT_EQ(value(text), std::nullopt) << text;
  }
}

TEST(ParameterSource, IsRefusedInOtherForms) {
  for (const char* text :
       {"", "'", "x", "method.request.body", "method.request.header.",
        "integration.response.header.a", "$context.requestId"}) {
    EXPECT_TRUE(absl::IsUnimplemented(ParseParameterSource(text).status()))
        << text;
  }
}

TEST(ParameterSource, MayBeOneOfSeveral) {
  EXPECT_EQ(ParseParameterSources("context.a, stageVariables.b")->size(), 2u);
  EXPECT_EQ(ParseParameterSources("")->size(), 0u);
  EXPECT_FALSE(ParseParameterSources("context.a,b").ok());
}

}  // namespace
}  // namespace byoshin::local::apigateway
