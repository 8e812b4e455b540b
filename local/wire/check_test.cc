#include "local/wire/check.h"

#include <json/json.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/wire/model.h"
#include "local/wire/models.h"

namespace byoshin::local::wire {
namespace {

// Returns the message about the request; empty if nothing is wrong with it.
std::string FaultOf(const Model& model, absl::string_view operation,
                    absl::string_view request) {
  const RequestFaults faults = CheckRequest(model.InputOf(operation).value(),
                                            json::ParseValue(request).value());
  if (!faults.malformed.empty()) return faults.malformed;
  return faults.constraints.empty() ? "" : faults.constraints.Message();
}

std::string RuleFault(absl::string_view request) {
  return FaultOf(kEventsModel, "PutRule", request);
}

TEST(CheckTest, AcceptsWhatIsWithinTheLimits) {
  EXPECT_EQ(RuleFault(R"({"Name":"every-minute"})"), "");
  EXPECT_EQ(RuleFault(absl::StrCat(R"({"Name":")", std::string(64, 'a'),
                                   R"(","State":"ENABLED","Tags":[],)"
                                   R"("Description":null,"Unknown":5})")),
            "");
}

TEST(CheckTest, RefusesWhatIsMissing) {
  EXPECT_EQ(RuleFault("{}"),
            "1 validation error detected: Value null at 'name' failed to "
            "satisfy constraint: Member must not be null");
  EXPECT_EQ(RuleFault(R"({"Name":null})"), RuleFault("{}"));
  EXPECT_EQ(RuleFault(R"({"Name":"a","Tags":[{"Key":"k"}]})"),
            "1 validation error detected: Value null at 'tags.1.member.value' "
            "failed to satisfy constraint: Member must not be null");
}

TEST(CheckTest, LeavesTheLimitsOfExemptMembersToTheService) {
  const auto check = [](absl::string_view request) {
    return CheckRequest(kEventsModel.InputOf("PutRule").value(),
                        json::ParseValue(request).value(), {{"Name"}});
  };
  EXPECT_TRUE(check(R"({"Name":""})").constraints.empty());
  EXPECT_EQ(check(R"({"Name":5})").malformed, "Name must be a string, not 5.");
  EXPECT_FALSE(check("{}").constraints.empty());
}

TEST(CheckTest, RefusesWhatExceedsItsLimits) {
  EXPECT_EQ(RuleFault(R"({"Name":""})"),
            "2 validation errors detected: Value '' at 'name' failed to "
            "satisfy constraint: Member must have length greater than or equal "
            "to 1; Value '' at 'name' failed to satisfy constraint: Member "
            R"(must satisfy regular expression pattern: [\.\-_A-Za-z0-9]+)");
  EXPECT_EQ(RuleFault(R"({"Name":"a","State":"ON"})"),
            "1 validation error detected: Value 'ON' at 'state' failed to "
            "satisfy constraint: Member must satisfy enum value set: [ENABLED, "
            "DISABLED, ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS]");
  EXPECT_EQ(FaultOf(kEventsModel, "ListRules", R"({"Limit":0})"),
            "1 validation error detected: Value '0' at 'limit' failed to "
            "satisfy constraint: Member must have value greater than or equal "
            "to 1");
  EXPECT_EQ(FaultOf(kEventsModel, "ListRules", R"({"Limit":101})"),
            "1 validation error detected: Value '101' at 'limit' failed to "
            "satisfy constraint: Member must have value less than or equal to "
            "100");
}

TEST(CheckTest, NamesTheListOfASimpleElement) {
  EXPECT_EQ(FaultOf(kEventsModel, "UntagResource",
                    R"({"ResourceARN":"arn:a","TagKeys":["a",""]})"),
            "1 validation error detected: Value '[a, ]' at 'tagKeys' failed to "
            "satisfy constraint: Member must satisfy constraint: [Member must "
            "have length less than or equal to 128, Member must have length "
            "greater than or equal to 1]");
}

TEST(CheckTest, RefusesOtherTypes) {
  EXPECT_EQ(RuleFault(R"({"Name":5})"), "Name must be a string, not 5.");
  EXPECT_EQ(RuleFault(R"({"Name":"a","Tags":{}})"),
            "Tags must be a list, not an object.");
  EXPECT_EQ(FaultOf(kEventsModel, "ListRules", R"({"Limit":1.5})"),
            "Limit must be an integer, not 1.5.");
  EXPECT_EQ(FaultOf(kEventsModel, "ListRules", R"({"Limit":3000000000})"),
            "Limit must be an integer, not 3000000000.");
}

TEST(CheckTest, CountsTheBytesOfBlobs) {
  EXPECT_EQ(FaultOf(kSecretsmanagerModel, "PutSecretValue",
                    R"({"SecretId":"s","SecretBinary":"YQ=="})"),
            "");
  EXPECT_EQ(FaultOf(kSecretsmanagerModel, "PutSecretValue",
                    R"({"SecretId":"s","SecretBinary":""})"),
            "1 validation error detected: Value at 'secretBinary' failed to "
            "satisfy constraint: Member must have length greater than or equal "
            "to 1");
}

TEST(CheckTest, DoesNotRepeatSecrets) {
  EXPECT_EQ(FaultOf(kSecretsmanagerModel, "PutSecretValue",
                    R"({"SecretId":"s","SecretString":12345})"),
            "SecretString must be a string.");
  EXPECT_EQ(FaultOf(kSecretsmanagerModel, "PutSecretValue",
                    R"({"SecretId":"s","SecretBinary":"sesame!"})"),
            "SecretBinary must be a string in Base64.");
  EXPECT_EQ(FaultOf(kCognitoidpModel, "InitiateAuth",
                    R"({"AuthFlow":"USER_PASSWORD_AUTH","ClientId":"c",)"
                    R"("AuthParameters":{"PASSWORD":12345}})"),
            "AuthParameters must be a string.");
  EXPECT_EQ(
      FaultOf(kCognitoidpModel, "ChangePassword",
              R"({"AccessToken":"a","PreviousPassword":"p",)"
              R"("ProposedPassword":""})"),
      R"(1 validation error detected: Value at 'proposedPassword' failed )"
      R"(to satisfy constraint: Member must satisfy regular expression )"
      R"(pattern: [\S]+)");
}

}  // namespace
}  // namespace byoshin::local::wire
