#include "local/cloudformation/check.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/template.h"
#include "local/cloudformation/testing/fake_provider.h"

namespace byoshin::local::cloudformation {
namespace {

using testing::FakeProvider;
using testing::FakeWorld;

class CheckTest : public ::testing::Test {
 protected:
  CheckTest() {
    registry_.Add(std::make_unique<FakeProvider>(
        "T",
        ResourceSchema{
            .acted_on = {"Name", "Tree.Leaf", "Tree.Deep.Leaf", "Names[]",
                         "Items[].Key", "Any.*", "Free.**", "Lists[][].X"},
            .inert = {{"Inert", "a reason"}, {"Tree.Inert", "a reason"}},
            .required = {},
            .attributes = {"Arn"}},
        world_));
    registry_.Add(std::make_unique<FakeProvider>(
        "Strict", ResourceSchema{.acted_on = {"Name"}, .required = {"Name"}},
        world_));
  }

  std::string Mistake(absl::string_view text) {
    const absl::StatusOr<Template> t = ParseTemplate(text);
    if (!t.ok()) return absl::StrCat("not parsed: ", t.status().message());
    const absl::Status status = CheckTemplate(*t, registry_);
    return status.ok() ? "none" : std::string(status.message());
  }

  // Of a resource A of type T, whose properties begin on line 2.
  std::string MistakeOfProperties(absl::string_view properties) {
    return Mistake(absl::StrCat(
        "{\"Resources\": {\"A\": {\"Type\": \"T\", \"Properties\":\n",
        properties, "}}, \"Conditions\": {\"C\": {\"Fn::Equals\": [1, 1]}}}"));
  }

  FakeWorld world_;
  ProviderRegistry registry_;
};

TEST_F(CheckTest, TakesWhatTheSchemaHas) {
  EXPECT_EQ(MistakeOfProperties(R"({
      "Name": 5, "Tree": {"Leaf": true, "Deep": {"Leaf": ""}, "Inert": {"x": 1}},
      "Names": ["a", {"Ref": "A"}], "Items": [{"Key": "k"}],
      "Any": {"thing": 1, "other": {"Fn::Sub": "x"}},
      "Free": {"a": {"b": [1, {"c": 2}]}}, "Inert": [{"y": 2}],
      "Lists": [[{"X": 1}]]})"),
            "none");
  EXPECT_EQ(MistakeOfProperties(R"({"Names": {"Ref": "A"}})"), "none");
  EXPECT_EQ(MistakeOfProperties(R"({"Names": "one"})"), "none");
  EXPECT_EQ(MistakeOfProperties(R"({"Tree": {"Ref": "AWS::NoValue"}})"),
            "none");
}

TEST_F(CheckTest, NamesUnknownPropertiesHoweverDeep) {
  const std::string unknown =
      " is unknown: the local cloud neither acts on it nor knows that it needs "
      "no effect";
  EXPECT_EQ(MistakeOfProperties("{\n\"Foo\": 1}"),
            absl::StrCat("line 3: resource A (T): property Foo", unknown));
  EXPECT_EQ(
      MistakeOfProperties("{\"Tree\": {\n\n\"Deep\": {\"Foo\": 1}}}"),
      absl::StrCat("line 4: resource A (T): property Tree.Deep.Foo", unknown));
  EXPECT_EQ(
      MistakeOfProperties(R"({"Items": [{"Key": 1}, {"Foo": 1}]})"),
      absl::StrCat("line 2: resource A (T): property Items[].Foo", unknown));
  // Also in the branch that this deployment does not take.
  EXPECT_EQ(MistakeOfProperties(
                R"({"Tree": {"Fn::If": ["C", {"Leaf": 1}, {"Foo": 1}]}})"),
            absl::StrCat("line 2: resource A (T): property Tree.Foo", unknown));
}

TEST_F(CheckTest, NamesValuesOfTheWrongShape) {
  const std::string start = "line 2: resource A (T): property ";
  EXPECT_EQ(MistakeOfProperties(R"({"Name": {"x": 1}})"),
            absl::StrCat(start, "Name must not be an object"));
  EXPECT_EQ(MistakeOfProperties(R"({"Name": [1]})"),
            absl::StrCat(start, "Name must not be a list"));
  EXPECT_EQ(MistakeOfProperties(R"({"Tree": 1})"),
            absl::StrCat(start, "Tree must be an object"));
  EXPECT_EQ(MistakeOfProperties(R"({"Tree": {"Ref": "A"}})"),
            absl::StrCat(start, "Tree must be an object"));
  EXPECT_EQ(MistakeOfProperties(R"({"Items": 1})"),
            absl::StrCat(start, "Items must be a list of objects"));
}

TEST_F(CheckTest, NamesUnknownTypesAndMissingProperties) {
  EXPECT_EQ(Mistake("{\"Resources\": {\n\"A\": {\"Type\": \"AWS::X::Y\"}}}"),
            "line 2: resource A (AWS::X::Y): the local cloud does not support "
            "this type of resource");
  EXPECT_EQ(Mistake("{\"Resources\": {\n\"A\": {\"Type\": \"Strict\"}}}"),
            "line 2: resource A (Strict): property Name is required");
}

TEST_F(CheckTest, NamesReferencesToNothing) {
  EXPECT_EQ(MistakeOfProperties("{\n\"Name\": {\"Ref\": \"B\"}}"),
            "line 3: resource A (T), property Name: refers to B, which is "
            "neither a parameter nor a resource");
  EXPECT_EQ(MistakeOfProperties(R"({"Name": {"Fn::Sub": "${AWS::Nothing}"}})"),
            "line 2: resource A (T), property Name: refers to AWS::Nothing, "
            "which is neither a parameter nor a resource");
  EXPECT_EQ(MistakeOfProperties(R"({"Name": {"Fn::GetAtt": ["B", "Arn"]}})"),
            "line 2: resource A (T), property Name: refers to an attribute of "
            "B, which is not a resource");
  EXPECT_EQ(MistakeOfProperties(R"({"Name": {"Fn::Sub": "${A.Nrn}"}})"),
            "line 2: resource A (T), property Name: refers to the attribute "
            "Nrn of A, which a T does not have");
  EXPECT_EQ(MistakeOfProperties(R"({"Name": {"Fn::If": ["D", 1, 2]}})"),
            "line 2: resource A (T), property Name: there is no condition D");
  EXPECT_EQ(MistakeOfProperties(R"({"Name": {"Fn::FindInMap":
                                             ["M", "a", "b"]}})"),
            "line 2: resource A (T), property Name: there is no mapping M");
  EXPECT_EQ(MistakeOfProperties(R"({"Name": {"Fn::Cidr": ["1", 2, 3]}})"),
            "line 2: resource A (T), property Name: function Fn::Cidr is not "
            "supported here");
  EXPECT_EQ(MistakeOfProperties(R"({"Free": {"Fn::Sub": "x", "Other": 1}})"),
            "line 2: resource A (T), property Free: Fn::Sub must stand alone");
}

TEST_F(CheckTest, LooksAtEverythingElseToo) {
  EXPECT_EQ(
      Mistake(R"({"Resources": {"A": {"Type": "T", "DependsOn": "B",
                                            "Condition": "C"}}})"),
      "there are 2 mistakes:\n"
      "  line 1: resource A (T): there is no condition C\n"
      "  line 1: resource A (T): DependsOn names B, which is not a resource");
  EXPECT_EQ(Mistake(R"({"Resources": {"A": {"Type": "T"}},
      "Outputs": {"O": {"Value": {"Ref": "B"}}}})"),
            "line 2: output O: refers to B, which is neither a parameter nor a "
            "resource");
  EXPECT_EQ(Mistake(R"({"Resources": {"A": {"Type": "T"}},
      "Conditions": {"C": {"Fn::Equals": [{"Ref": "A"}, 1]}}})"),
            "line 2: condition C: refers to A, which is not a parameter");
  EXPECT_EQ(Mistake(R"({"Resources": {"A": {"Type": "T"}},
      "Rules": {"R": {"Assertions": [{"Assert": {"Fn::Equals":
          [{"Ref": "A"}, 1]}}]}}})"),
            "line 3: rule R: refers to A, which is not a parameter");
}

TEST(ProviderRegistry, KeepsTheFirstProviderOfAType) {
  FakeWorld world;
  ProviderRegistry registry;
  EXPECT_TRUE(registry.Add(
      std::make_unique<FakeProvider>("T", ResourceSchema{}, world)));
  const ResourceProvider* first = registry.Find("T");
  EXPECT_FALSE(registry.Add(
      std::make_unique<FakeProvider>("T", ResourceSchema{}, world)));
  EXPECT_EQ(registry.Find("T"), first);
  EXPECT_EQ(registry.Find("U"), nullptr);
  EXPECT_EQ(registry.FindSchema("U"), nullptr);
}

}  // namespace
}  // namespace byoshin::local::cloudformation
