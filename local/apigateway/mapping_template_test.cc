#include "local/apigateway/mapping_template.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"

namespace byoshin::local::apigateway {
namespace {

std::string Rendered(absl::string_view source, absl::string_view body) {
  const absl::StatusOr<MappingTemplate> parsed = MappingTemplate::Parse(source);
  if (!parsed.ok()) return parsed.status().ToString();
  const absl::StatusOr<std::string> rendered = parsed->Render({.body = body});
  return rendered.ok() ? *rendered : rendered.status().ToString();
}

TEST(MappingTemplate, PassesTheBodyOn) {
  EXPECT_EQ(Rendered("$input.body", " {\"b\" : 1} "), " {\"b\" : 1} ");
  EXPECT_EQ(Rendered("[$input.body]", "1"), "[1]");
  EXPECT_EQ(Rendered("constant", "{}"), "constant");
}

TEST(MappingTemplate, PassesJsonOnWithoutSpacesInTheOrderOfTheBody) {
  EXPECT_EQ(Rendered("$input.json('$')",
                     "{\"b\" : \"a \\\" b\\\\\" ,\n \"a\": [1, 2.50]}"),
            R"({"b":"a \" b\\","a":[1,2.50]})");
  EXPECT_EQ(Rendered("$input.json('$')", " 5 "), "5");
}

TEST(MappingTemplate, ReadsAMissingBodyAsAnEmptyObject) {
  EXPECT_EQ(Rendered("$input.json('$')", ""), "{}");
}

TEST(MappingTemplate, RejectsABodyThatIsNotJsonIfItMustBe) {
  const absl::StatusOr<MappingTemplate> parsed =
      MappingTemplate::Parse("$input.json('$')");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const absl::Status refused = parsed->Render({.body = "{\"a\""}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(refused));
  EXPECT_TRUE(absl::StartsWith(refused.message(),
                               "Could not parse request body into json: "))
      << refused;
  EXPECT_EQ(Rendered("$input.body", "{\"a\""), "{\"a\"");
}

TEST(MappingTemplate, PutsTheBodyIntoAStringInEverySpelling) {
  const std::string body = "{\"x\": \"a/\\n\\\"\\u0001é\"}";
  for (const char* reference :
       {"$util.escapeJavaScript($input.json('$'))",
        "$util.escapeJavaScript($input.json(\"$\"))",
        "$util.escapeJavaScript( $input.json( '$' ) )",
        "$util.escapeJavaScript($input.body)",
        R"($util.escapeJavaScript($input.json('$')).replaceAll("\\'","'"))",
        R"($util.escapeJavaScript($input.body).replaceAll( "\\'", "'" ))"}) {
    const std::string rendered = Rendered(
        absl::StrCat("{\n  \"stateMachineArn\": \"arn\",\n  \"input\": \"",
                     reference, "\"\n}"),
        body);
    const absl::StatusOr<Json::Value> value = json::ParseValue(rendered);
    ASSERT_TRUE(value.ok()) << reference << ": " << rendered;
    EXPECT_EQ((*value)["stateMachineArn"], "arn");
    EXPECT_EQ(*json::ParseValue((*value)["input"].asString()),
              *json::ParseValue(body));
  }
}

TEST(MappingTemplate, EscapesApostrophesUnlessTheyAreReplaced) {
  EXPECT_EQ(Rendered("$util.escapeJavaScript($input.body)", "it's\t\x01"),
            "it\\'s\\t\\u0001");
  EXPECT_EQ(
      Rendered(R"($util.escapeJavaScript($input.body).replaceAll("\\'","'"))",
               R"(\'s)"),
      R"(\\'s)");
}

TEST(MappingTemplate, RejectsTheRestOfTheLanguage) {
  for (const char* source :
       {"#set($x = 1)",
        "a ## comment",
        "$input.json('$.a')",
        "$input.json('$').a",
        "$input.path('$')",
        "$input.bodyguard",
        "$input.body.length()",
        "$input.body('$')",
        "$input.params().x",
        "$input.params('x').length()",
        "$input.params($x)",
        "$context",
        "$context.get('a')",
        "$util.urlEncode($input.body)",
        "$util.escapeJavaScript($x)",
        "$util.escapeJavaScript($input.body",
        "$util.escapeJavaScript($input.body).trim()",
        R"($util.escapeJavaScript($input.body).replaceAll("a","b"))",
        "${input.body}",
        "$!input.body",
        R"(\$input.body)",
        "costs $5"}) {
    const absl::Status refused = MappingTemplate::Parse(source).status();
    EXPECT_TRUE(absl::IsUnimplemented(refused)) << source << ": " << refused;
  }
  EXPECT_TRUE(absl::StrContains(
      MappingTemplate::Parse("{\"a\": $input.path('$')}").status().message(),
      "the mapping template has \"$input.path('$')}\""));
}

TEST(MappingTemplate, RendersParametersAndVariables) {
  const http::ServerRequest request{.query = "q=1&q=2",
                                    .headers = {{"X-A", "it's"}}};
  const RequestContext context{.path_parameters = {{"id", "7"}},
                               .stage_variables = {{"color", "blue"}}};
  const ContextVariables variables = {{"requestId", "r-1"},
                                      {"error.messageString", "\"no\""}};
  const RequestValues values{request, context, variables};
  const absl::StatusOr<MappingTemplate> parsed = MappingTemplate::Parse(
      "$context.requestId. {\"m\":$context.error.messageString} "
      "$stageVariables.color/$input.params('id')/$input.params(\"q\")/"
      "$util.escapeJavaScript($input.params('x-a')) [$context.none]");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed->Render({.values = &values}),
            "r-1. {\"m\":\"no\"} blue/7/2/it\\'s []");
  EXPECT_EQ(*MappingTemplate::Parse("[$context.requestId]")->Render({}), "[]");
}

TEST(MappingTemplate, TakesAFullStopAfterAReferenceAsText) {
  EXPECT_EQ(Rendered("$input.body.", "a"), "a.");
}

}  // namespace
}  // namespace byoshin::local::apigateway
