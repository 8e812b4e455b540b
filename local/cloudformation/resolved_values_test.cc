// Mistakes that show only once the functions of a template are evaluated.

#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/testing/fake_provider.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::cloudformation {
namespace {

class ResolvedValuesTest : public ::testing::Test {
 protected:
  ResolvedValuesTest() {
    registry_.Add(std::make_unique<testing::FakeProvider>(
        "Test::Thing",
        ResourceSchema{.acted_on = {"Items[].Key", "Tree.Leaf", "Text"},
                       .required = {"Text"}},
        world_));
  }

  // The error of deploying a resource with the properties.
  std::string ErrorOf(absl::string_view properties) {
    const auto deployer = Deployer::Open(*store_, clock_, registry_, {});
    const absl::Status status =
        (*deployer)
            ->Deploy({.stack_name = "s",
                      .template_text = absl::StrCat(
                          R"({"Parameters": {"List": {
                                "Type": "CommaDelimitedList"},
                              "Secret": {"Type": "String"}},
                              "Resources": {"A": {"Type": "Test::Thing",
                                                  "Properties": )",
                          properties, "}}}"),
                      .parameters = {{"List", "a,b"},
                                     {"Secret", "{{resolve:ssm:/p}}"}}})
            .status();
    EXPECT_TRUE(world_.things.empty());
    return std::string(status.message());
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1000)};
  testing::FakeWorld world_;
  ProviderRegistry registry_;
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
};

TEST_F(ResolvedValuesTest, OfTheWrongShapeAreRefused) {
  EXPECT_TRUE(absl::StrContains(
      ErrorOf(R"({"Text": "x", "Items": {"Fn::Split": [",", "a,b"]}})"),
      "property Items[] must be an object"));
  EXPECT_TRUE(absl::StrContains(ErrorOf(R"({"Text": {"Ref": "List"}})"),
                                "property Text must not be a list"));
  EXPECT_TRUE(absl::StrContains(ErrorOf(R"({"Text": {"Ref": "AWS::NoValue"}})"),
                                "property Text is required"));
}

TEST_F(ResolvedValuesTest, ThatReferToOtherServicesAreRefused) {
  const std::string why =
      ", which cannot be resolved: the local cloud has no such service; use a "
      "parameter instead";
  EXPECT_EQ(ErrorOf(R"({"Text": "x",
                        "Tree": {"Leaf": "{{resolve:secretsmanager:s}}"}})"),
            absl::StrCat("stack s: line 6: resource A (Test::Thing): property "
                         "Tree.Leaf has the dynamic reference "
                         "{{resolve:secretsmanager:s}}",
                         why));
  EXPECT_EQ(ErrorOf(R"({"Text": {"Ref": "Secret"}})"),
            absl::StrCat("stack s: resource A (Test::Thing): property Text has "
                         "the dynamic reference {{resolve:ssm:/p}}",
                         why, "; the deployment was rolled back"));
  EXPECT_TRUE(absl::StrContains(
      ErrorOf(R"({"Text": {"Fn::Join": ["", ["{{resolve:", "ssm:/p}}"]]}})"),
      "{{resolve:ssm:/p}}"));
}

TEST_F(ResolvedValuesTest, OfAServiceAreForTheProviderOnly) {
  std::string value = "hunter2";
  registry_.AddResolver(
      "vault",
      [&](const StackContext&,
          absl::string_view) -> absl::StatusOr<std::string> { return value; });
  const auto deployer = Deployer::Open(*store_, clock_, registry_, {});
  const auto deploy = [&](absl::string_view leaf) {
    return (*deployer)->Deploy(
        {.stack_name = "s",
         .template_text = absl::StrCat(
             R"({"Resources": {"A": {"Type": "Test::Thing", "Properties":
                 {"Text": "{{resolve:vault:x}}", "Tree": {"Leaf": ")",
             leaf, R"("}}}}})")});
  };
  ASSERT_TRUE(deploy("1").ok());
  ASSERT_EQ(world_.things.size(), 1u);
  EXPECT_TRUE(absl::StrContains(world_.things.begin()->second, "\"hunter2\""));
  EXPECT_EQ((*deployer)->Find("s")->resources.at("A").properties["Text"],
            "{{resolve:vault:x}}");
  // A new value alone does not change the resource, as on AWS.
  value = "hunter3";
  EXPECT_FALSE(deploy("1")->changed);
  ASSERT_TRUE(deploy("2").ok());
  EXPECT_TRUE(absl::StrContains(world_.things.begin()->second, "\"hunter3\""));
}

}  // namespace
}  // namespace byoshin::local::cloudformation
