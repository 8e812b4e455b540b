// What a template may be at most, and what it may become.

#include "local/cloudformation/limits.h"

#include <json/json.h>

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/cloudformation/dynamic_reference.h"
#include "local/cloudformation/mistakes.h"
#include "local/cloudformation/parameters.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/resolver.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {
namespace {

std::string ErrorOf(absl::string_view text) {
  return std::string(ParseTemplate(text).status().message());
}

// `count` entries "N0": entry, "N1": entry, …
std::string Entries(std::size_t count, absl::string_view entry) {
  std::string entries;
  for (std::size_t i = 0; i < count; ++i) {
    absl::StrAppend(&entries, i == 0 ? "" : ",", "\"N", i, "\":", entry);
  }
  return entries;
}

std::string WithSection(absl::string_view section, absl::string_view entries) {
  return absl::StrCat(R"({"Resources":{"A":{"Type":"T"}},")", section, "\":{",
                      entries, "}}");
}

// What the property P of a resource becomes, or the error.
absl::StatusOr<std::string> Evaluated(absl::string_view value,
                                      absl::string_view sections = "") {
  const absl::StatusOr<Template> t = ParseTemplate(
      absl::StrCat(R"({"Resources":{"A":{"Type":"T","Properties":{"P":)", value,
                   "}}}", sections, "}"));
  if (!t.ok()) return t.status();
  const absl::StatusOr<ParameterValues> parameters = ResolveParameters(*t, {});
  if (!parameters.ok()) return parameters.status();
  const StackContext stack{.stack_name = "s"};
  const absl::StatusOr<Resolver> resolver =
      Resolver::Make(*t, *parameters, stack);
  if (!resolver.ok()) return resolver.status();
  const ResourceLookup lookup = [](const std::string&, const std::string&)
      -> absl::StatusOr<std::string> { return absl::NotFoundError("none"); };
  const absl::StatusOr<Json::Value> properties =
      resolver->Properties(*t->resources.at("A").properties, lookup);
  if (!properties.ok()) return properties.status();
  return json::WriteValue((*properties)["P"]);
}

TEST(TemplateLimits, AreThoseOfAws) {
  EXPECT_EQ(ErrorOf(std::string(kMaxTemplateBytes + 1, ' ')),
            "the template has 1048577 bytes; at most 1048576 are allowed");
  struct Section {
    const char* name;
    const char* entry;
    std::size_t max;
  };
  for (const Section& section :
       {Section{"Parameters", R"({"Type":"String"})", kMaxParameters},
        Section{"Outputs", R"({"Value":"v"})", kMaxOutputs},
        Section{"Mappings", R"({"a":{"b":"c"}})", kMaxMappings}}) {
    EXPECT_EQ(
        ErrorOf(WithSection(section.name, Entries(section.max, section.entry))),
        "");
    EXPECT_EQ(ErrorOf(WithSection(section.name,
                                  Entries(section.max + 1, section.entry))),
              absl::StrCat("line 1: ", section.name, ": has ", section.max + 1,
                           " entries; at most ", section.max, " are allowed"));
  }
  const auto resources = [](std::size_t count) {
    return absl::StrCat(R"({"Resources":{)", Entries(count, R"({"Type":"T"})"),
                        "}}");
  };
  EXPECT_EQ(ErrorOf(resources(kMaxResources)), "");
  EXPECT_EQ(ErrorOf(resources(kMaxResources + 1)),
            "line 1: Resources: has 501 entries; at most 500 are allowed");
  EXPECT_TRUE(absl::StrContains(
      ErrorOf(WithSection(
          "Mappings",
          absl::StrCat("\"M\":{", Entries(kMaxMappingAttributes + 1, "{}"),
                       "}"))),
      "Mappings.M: has more than 200 keys"));
}

TEST(TemplateLimits, BoundTheValueOfAParameter) {
  const absl::StatusOr<Template> t =
      ParseTemplate(WithSection("Parameters", R"("P":{"Type":"String"})"));
  ASSERT_TRUE(t.ok()) << t.status();
  const auto with = [&](std::size_t size) {
    return ResolveParameters(*t, {{"P", std::string(size, 'x')}}).status();
  };
  EXPECT_TRUE(with(kMaxParameterValueBytes).ok());
  EXPECT_EQ(with(kMaxParameterValueBytes + 1).message(),
            "line 1: parameter P: the value has 4097 bytes; at most 4096 are "
            "allowed");
}

// Two kilobytes that stand for 2^30 bytes, or for 2^30 evaluations of nothing.
TEST(TemplateLimits, BoundWhatNestedFunctionsBecome) {
  for (const char* innermost : {"x", ""}) {
    std::string value = absl::StrCat("\"", innermost, "\"");
    for (int depth = 0; depth < 30; ++depth) {
      value = absl::StrCat(R"({"Fn::Sub":["${a}${a}",{"a":)", value, "}]}");
    }
    const absl::StatusOr<std::string> became = Evaluated(value);
    if (*innermost == 0) {
      EXPECT_EQ(*became, "\"\"");
    } else {
      EXPECT_EQ(became.status().message(),
                "property P, line 1: functions produce more than 1048576 "
                "bytes");
    }
  }
  // A long delimiter between many.
  const absl::StatusOr<std::string> joined = Evaluated(absl::StrCat(
      R"({"Fn::Join":[")", std::string(10'000, '-'), R"(",{"Fn::Split":[",",")",
      std::string(10'000, ','), R"("]}]})"));
  EXPECT_TRUE(absl::StrContains(joined.status().message(), "more than"))
      << joined.status();
  // Many that are large, but not too large each.
  std::string many = "[";
  for (int i = 0; i < 20; ++i) {
    absl::StrAppend(&many, i == 0 ? "" : ",", R"({"Fn::Join":["","ab"]},)",
                    R"({"Fn::Sub":["${a}${a}",{"a":")",
                    std::string(30'000, 'x'), R"("}]})");
  }
  EXPECT_FALSE(Evaluated(absl::StrCat(many, "]")).ok());
}

TEST(TemplateLimits, LeaveRoomForAnHonestTemplate) {
  const std::string text(200'000, 'x');
  EXPECT_EQ(*Evaluated(absl::StrCat(R"({"Fn::Join":["",[{"Fn::Sub":")", text,
                                    R"("},"y"]]})")),
            absl::StrCat("\"", text, "y\""));
}

TEST(TemplateLimits, BoundConditionsThatBuildUponEachOther) {
  const auto chain = [](int length) {
    std::string conditions = R"(,"Conditions":{"C0":{"Fn::Equals":["a","a"]})";
    for (int i = 1; i < length; ++i) {
      absl::StrAppend(&conditions, ",\"C", i,
                      R"(":{"Fn::Not":[{"Condition":"C)", i - 1, "\"}]}");
    }
    return absl::StrCat(conditions, "}");
  };
  EXPECT_TRUE(Evaluated("1", chain(100)).ok());
  // In the order of names each is known before the next, but for these.
  std::string conditions = R"(,"Conditions":{)";
  for (int i = 1000; i < 9000; ++i) {
    absl::StrAppend(&conditions, "\"C", i, R"(":{"Fn::Not":[{"Condition":"C)",
                    i + 1, "\"}]},");
  }
  absl::StrAppend(&conditions, R"("C9000":{"Fn::Equals":["a","a"]}})");
  EXPECT_TRUE(absl::StrContains(Evaluated("1", conditions).status().message(),
                                "more than 128 conditions"));
}

TEST(TemplateLimits, BoundTheMistakesThatAreTold) {
  std::string nulls = "null";
  for (int i = 0; i < 100'000; ++i) absl::StrAppend(&nulls, ",null");
  const std::string error =
      std::string(Evaluated(absl::StrCat("[", nulls, "]")).status().message());
  EXPECT_TRUE(absl::StartsWith(
      error, absl::StrCat("there are ", Mistakes::kMax, " mistakes or more")))
      << error.substr(0, 200);
}

TEST(ParseTemplate, SaysHowToConvertYaml) {
  for (const char* text : {"Resources:\n  A:\n    Type: T\n",
                           "---\nAWSTemplateFormatVersion: 2010-09-09\n",
                           "# comment\nResources: {}\n"}) {
    EXPECT_TRUE(absl::StrContains(ErrorOf(text), "looks like YAML")) << text;
    EXPECT_TRUE(absl::StrContains(ErrorOf(text), "rain fmt --json")) << text;
  }
  EXPECT_EQ(ErrorOf(" \n"), "the template is empty");
  EXPECT_TRUE(absl::StrContains(ErrorOf("{\"a\": tru}"), "is not JSON: line"));
}

TEST(DynamicReference, IsFoundWhereverItStands) {
  const ProviderRegistry registry;
  const auto found = [&](absl::string_view text) {
    const std::optional<DynamicReference> reference =
        FindUnknownReference(*json::ParseValue(text), registry);
    return reference.has_value()
               ? absl::StrCat(reference->path, " ", reference->text)
               : "none";
  };
  EXPECT_EQ(found(R"({"A":{"B":"x{{resolve:ssm:/p:1}}y"}})"),
            "A.B {{resolve:ssm:/p:1}}");
  EXPECT_EQ(found(R"({"A":[{"B":1},{"C":"{{resolve:ssm-secure:p}}"}]})"),
            "A.C {{resolve:ssm-secure:p}}");
  EXPECT_EQ(
      found(R"({"A":{"Fn::Join":["",["{{resolve:secretsmanager:s}}"]]}})"),
      "A {{resolve:secretsmanager:s}}");
  EXPECT_EQ(found(R"({"A":"{{resolve:ssm","B":"{{other}}","C":5})"), "none");
}

TEST(DynamicReference, IsReplacedByTheValueOfItsService) {
  ProviderRegistry registry;
  registry.AddResolver(
      "vault",
      [](const StackContext& stack,
         absl::string_view reference) -> absl::StatusOr<std::string> {
        if (reference == "none") return absl::NotFoundError("there is none");
        return absl::StrCat(stack.region, "/", reference);
      });
  const auto resolved = [&](absl::string_view text) {
    const absl::StatusOr<Json::Value> value = ResolveReferences(
        *json::ParseValue(text), registry, {.region = "eu-west-1"});
    return value.ok() ? json::WriteValue(*value)
                      : std::string(value.status().message());
  };
  EXPECT_EQ(resolved(R"({"A":["x{{resolve:vault:a:b}}y{{resolve:vault:c}}",5],
                         "B":"{{resolve:vault"})"),
            R"({"A":["xeu-west-1/a:byeu-west-1/c",5],"B":"{{resolve:vault"})");
  EXPECT_EQ(resolved(R"("{{resolve:vault:none}}")"),
            "the dynamic reference {{resolve:vault:none}} cannot be resolved: "
            "there is none");
  EXPECT_EQ(
      FindUnknownReference(
          *json::ParseValue(R"(["{{resolve:vault:a}} {{resolve:ssm:b}}"])"),
          registry)
          ->text,
      "{{resolve:ssm:b}}");
}

}  // namespace
}  // namespace byoshin::local::cloudformation
