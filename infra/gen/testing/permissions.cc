#include "infra/gen/testing/permissions.h"

#include <json/json.h>

#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "infra/gen/testing/deployed_template.h"

namespace byoshin::infra::testing {

std::vector<std::string> Texts(const Json::Value& value) {
  if (value.isString()) return {value.asString()};
  std::vector<std::string> texts;
  for (const Json::Value& item : value) texts.push_back(item.asString());
  return texts;
}

std::set<std::string> PermissionsOf(const DeployedTemplate& deployed,
                                    const std::string& function) {
  const std::string arn = deployed.Properties(function)["Role"].asString();
  EXPECT_TRUE(absl::EndsWith(arn, ".Arn")) << arn;
  const Json::Value role =
      deployed.Properties(std::string(absl::StripSuffix(arn, ".Arn")));
  EXPECT_FALSE(role.isMember("ManagedPolicyArns")) << arn;
  std::set<std::string> permissions;
  for (const Json::Value& policy : role["Policies"]) {
    for (const Json::Value& statement : policy["PolicyDocument"]["Statement"]) {
      EXPECT_EQ(statement["Effect"], "Allow");
      for (const std::string& action : Texts(statement["Action"])) {
        for (const std::string& resource : Texts(statement["Resource"])) {
          permissions.insert(absl::StrCat(action, " on ", resource));
        }
      }
    }
  }
  return permissions;
}

}  // namespace byoshin::infra::testing
