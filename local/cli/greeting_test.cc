#include "local/cli/greeting.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include "core/json/value.h"

namespace byoshin::local::cli {
namespace {

Json::Value StackJson(const char* text) { return *json::ParseValue(text); }

TEST(Greeting, SaysWhichStacksRunAndWhichAreOfEarlierRuns) {
  GreetingParts parts{.url = "http://127.0.0.1:4566",
                      .data = "/data",
                      .deployed = {"mesh"},
                      .applications = {"Polling x.", "Playground: y\n"},
                      .spoken_of = {"mesh", "byoshin"}};
  parts.stacks.append(StackJson(R"({"name": "byoshin", "restApis": [
      {"name": "Mock", "url": "http://mock"}]})"));
  parts.stacks.append(StackJson(R"({"name": "mesh"})"));
  EXPECT_EQ(GreetingText(parts),
            "Dashboard: http://127.0.0.1:4566/\n"
            "Stacks: mesh; from earlier runs: byoshin (byoshin down STACK "
            "removes one)\n"
            "Polling x.\n"
            "Playground: y\n"
            "Data is kept in /data. Ctrl-C stops.\n");
}

TEST(Greeting, HasTheAddressesOfATemplateOfTheUsersOwn) {
  GreetingParts parts{.url = "http://127.0.0.1:9", .deployed = {"byoshin"}};
  parts.stacks.append(StackJson(R"({"name": "byoshin",
      "restApis": [{"name": "shop", "url": "http://rest"}],
      "graphqlApis": [{"name": "orders", "url": "http://graphql",
                       "keys": ["da2-x"]}]})"));
  EXPECT_EQ(GreetingText(parts),
            "Dashboard: http://127.0.0.1:9/\n"
            "Stacks: byoshin\n"
            "REST API shop: http://rest\n"
            "GraphQL API orders: http://graphql\n"
            "  key da2-x\n"
            "Data is kept in memory. Ctrl-C stops.\n"
            "Other commands need --endpoint=http://127.0.0.1:9.\n");
}

}  // namespace
}  // namespace byoshin::local::cli
