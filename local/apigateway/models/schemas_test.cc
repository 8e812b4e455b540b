#include "local/apigateway/models/schemas.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace byoshin::local::apigateway {
namespace {

using Faults = std::vector<std::string>;

constexpr char kBase[] =
    "https://apigateway.amazonaws.com/restapis/api1/models/";

class SchemasTest : public testing::Test {
 protected:
  absl::StatusOr<Faults> Validate(const std::string& schema,
                                  const std::string& document) {
    return schemas_.Validate(SchemaSet(kBase, {{"M", schema}}), "M", document);
  }
  bool IsValid(const std::string& schema, const std::string& document) {
    const absl::StatusOr<Faults> faults = Validate(schema, document);
    EXPECT_TRUE(faults.ok()) << faults.status();
    return faults.ok() && faults->empty();
  }

  Schemas schemas_;
};

TEST_F(SchemasTest, AcceptWhatMatches) {
  const char* const schema = R"({
    "$schema": "http://json-schema.org/draft-04/schema#",
    "title": "Order", "type": "object", "required": ["item", "count"],
    "properties": {
      "item": {"type": "string", "minLength": 1, "pattern": "^[a-z_]+$"},
      "count": {"type": "integer", "minimum": 0, "exclusiveMinimum": true},
      "due": {"type": "string", "format": "date-time"},
      "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
    },
    "additionalProperties": false})";
  EXPECT_TRUE(IsValid(schema, R"({"item":"tea","count":2})"));
  EXPECT_TRUE(IsValid(
      schema,
      R"({"item":"tea","count":2.0,"due":"2026-11-17T23:06:54Z","tags":["a"]})"));
  for (const char* document :
       {"{}", "[]", "null", R"({"item":"tea"})", R"({"item":"","count":1})",
        R"({"item":"Tea","count":1})", R"({"item":"tea","count":0})",
        R"({"item":"tea","count":1.5})", R"({"item":"tea","count":"1"})",
        R"({"item":"tea","count":1,"due":"tomorrow"})",
        R"({"item":"tea","count":1,"tags":["a","a"]})",
        R"({"item":"tea","count":1,"other":1})"}) {
    EXPECT_FALSE(IsValid(schema, document)) << document;
  }
}

TEST_F(SchemasTest, NameFaultsInTheWordsOfAws) {
  EXPECT_EQ(*Validate(R"({"required":["b","a","c"]})", R"({"c":1})"),
            Faults{R"(object has missing required properties (["a","b"]))"});
  EXPECT_EQ(
      *Validate(R"({"properties":{"a":{"type":"string"}}})", R"({"a":1})"),
      Faults{"instance type (integer) does not match any allowed "
             "primitive type (allowed: [\"string\"])"});
  EXPECT_EQ(*Validate(R"({"maximum":5})", "6"),
            Faults{"numeric instance is greater than the required maximum "
                   "(maximum: 5, found: 6)"});
  EXPECT_EQ(*Validate(R"({"enum":["a","b"]})", R"("c")"),
            Faults{R"(instance value ("c") not found in enum (possible )"
                   R"(values: ["a","b"]))"});
  EXPECT_EQ(*Validate(R"({"additionalProperties":false})", R"({"x":1})"),
            Faults{"object instance has properties which are not allowed by "
                   "the schema: [\"x\"]"});
  EXPECT_EQ(
      *Validate(R"({"oneOf":[{"type":"string"},{"minLength":1}]})", R"("a")"),
      Faults{"instance failed to match exactly one schema (matched 2 "
             "out of 2)"});
}

TEST_F(SchemasTest, ReferToEachOtherAndToThemselves) {
  const SchemaSet set(
      kBase,
      {{"Tree", R"({"type":"object","properties":{
          "left":{"$ref":"#"},"right":{"$ref":"#"},
          "leaf":{"$ref":"https://apigateway.amazonaws.com/restapis/api1/models/Leaf"}}})"},
       {"Leaf", R"({"$ref":"#/definitions/size",
                    "definitions":{"size":{"type":"integer"}}})"},
       {"Loop", R"({"$ref":"#"})"},
       {"Lost",
        R"({"$ref":"https://apigateway.amazonaws.com/restapis/api1/models/None"})"}});
  EXPECT_EQ(schemas_.Validate(set, "Tree", R"({"left":{"right":{"leaf":1}}})")
                ->size(),
            0u);
  EXPECT_EQ(
      schemas_.Validate(set, "Tree", R"({"left":{"right":{"leaf":"1"}}})")
          ->size(),
      1u);
  // Without an end.
  EXPECT_TRUE(
      absl::IsInvalidArgument(schemas_.Validate(set, "Loop", "1").status()));
  for (const char* name : {"Lost", "None"}) {
    EXPECT_TRUE(
        absl::IsFailedPrecondition(schemas_.Validate(set, name, "1").status()))
        << name;
  }
}

TEST_F(SchemasTest, SurviveHostileDocuments) {
  const char* const tree = R"({"properties":{"a":{"$ref":"#"}}})";
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += R"({"a":)";
  for (const std::string& document :
       {deep, deep + "1" + std::string(100'000, '}'), std::string("{"),
        std::string(""), std::string("\xFF"), std::string("1 2"),
        std::string(100'000, '[')}) {
    EXPECT_TRUE(absl::IsInvalidArgument(Validate(tree, document).status()))
        << document.substr(0, 10);
  }
  // Backtracks without end.
  EXPECT_TRUE(absl::IsInvalidArgument(
      Validate(R"({"pattern":"^(a+)+$"})",
               absl::StrCat("\"", std::string(60, 'a'), "!\""))
          .status()));
  EXPECT_TRUE(IsValid(tree, "{}")) << "not usable any longer";
}

TEST_F(SchemasTest, AreCheckedBeforeTheyAreUsed) {
  EXPECT_TRUE(schemas_.Check("{}").ok());
  EXPECT_TRUE(schemas_.Check(R"({"pattern":"^[\\w\\-]+\\_$"})").ok());
  for (const char* text :
       {"", "[]", "1", "{", R"({"pattern":"("})",
        R"({"properties":{"a":{"patternProperties":{"[":{}}}}})"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(schemas_.Check(text))) << text;
  }
  EXPECT_TRUE(absl::StrContains(
      schemas_.Check(R"({"items":{"pattern":"("}})").message(),
      R"(the pattern "(" is invalid)"));
}

}  // namespace
}  // namespace byoshin::local::apigateway
