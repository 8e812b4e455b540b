#include "local/applications/generation/generation_parts.h"

#include <json/json.h>

#include <optional>
#include <string>

#include "core/generation/constants.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/applications/generation/testing_stack.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::applications {
namespace {

using ::testing::ElementsAre;

TEST(GenerationParts, AreFoundByTheVariablesOfTheFunctions) {
  const std::optional<GenerationParts> parts =
      FindGeneration(GenerationStack());
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->stack_name, "goals");
  EXPECT_EQ(parts->api_id, "w6c9");
  EXPECT_EQ(parts->stage, "prod");
  EXPECT_EQ(parts->user_pool_id, "us-east-1_Pool");
  EXPECT_EQ(parts->client_id, "client1");
  EXPECT_EQ(parts->database.resource_arn, kStackCluster);
  EXPECT_EQ(parts->database.name, "generation");
  EXPECT_EQ(parts->password_length, 14);
  EXPECT_FALSE(parts->users_have_addresses);
  EXPECT_THAT(parts->role_arns,
              ElementsAre("arn:aws:iam::000000000000:role/start"));
}

TEST(GenerationParts, ReadTheDatabaseAsItsAdministratorIfThatIsPossible) {
  cloudformation::Stack stack = GenerationStack();
  EXPECT_EQ(FindGeneration(stack)->database.secret_arn, "master");
  stack.resources["Database"].state.attributes.erase(
      "MasterUserSecret.SecretArn");
  EXPECT_EQ(FindGeneration(stack)->database.secret_arn, "of-the-function");
  stack = GenerationStack();
  stack.resources["Database"].state.attributes["DBClusterArn"] = "another";
  EXPECT_EQ(FindGeneration(stack)->database.secret_arn, "of-the-function");
}

TEST(GenerationParts, KnowWhetherUsersSignInWithAddresses) {
  cloudformation::Stack stack = GenerationStack();
  stack.resources["Users"].properties["UsernameAttributes"].append("email");
  EXPECT_TRUE(FindGeneration(stack)->users_have_addresses);
}

TEST(GenerationParts, AreNothingIfOneIsMissing) {
  for (const char* missing : {"Start", "Stage", "Users", "Client"}) {
    cloudformation::Stack stack = GenerationStack();
    stack.resources.erase(missing);
    EXPECT_FALSE(FindGeneration(stack).has_value()) << missing;
  }
  cloudformation::Stack stack = GenerationStack();
  stack.resources["Start"].properties["Environment"]["Variables"].removeMember(
      generation::kClusterVariable);
  EXPECT_FALSE(FindGeneration(stack).has_value());
  EXPECT_FALSE(FindGeneration({}).has_value());
}

}  // namespace
}  // namespace byoshin::local::applications
