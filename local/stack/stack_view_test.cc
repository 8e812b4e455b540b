#include "local/stack/stack_view.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::stack {
namespace {

// One of everything that a script wants to know.
cloudformation::Stack ShopStack() {
  cloudformation::Stack stack{.name = "shop",
                              .status = "CREATE_COMPLETE",
                              .template_text = R"({"Description":"A shop"})",
                              .outputs = {{"Url", {.value = "http://shop"}}}};
  const auto add = [&](const char* id, const char* type,
                       const char* physical_id) -> Json::Value& {
    cloudformation::StackResource& resource = stack.resources[id];
    resource.type = type;
    resource.state = {.physical_id = physical_id,
                      .attributes = {{"Arn", absl::StrCat("arn:", id)}}};
    return resource.properties;
  };
  add("Jobs", "AWS::SQS::Queue", "http://x/jobs");
  add("Handler", "AWS::Lambda::Function", "shop-Handler-1");
  add("Orders", "AWS::DynamoDB::Table", "orders");
  add("Api", "AWS::ApiGateway::RestApi", "api1")["Name"] = "Orders API";
  add("Stage", "AWS::ApiGateway::Stage", "prod")["RestApiId"] = "api1";
  add("Key", "AWS::ApiGateway::ApiKey", "key1");
  add("Role", "AWS::IAM::Role", "role");
  return stack;
}

TEST(DescribeStack, TellsWhatAScriptNeeds) {
  const Json::Value described =
      DescribeStack(ShopStack(), {.endpoint = "http://127.0.0.1:4566",
                                  .key_value = [](absl::string_view id) {
                                    return absl::StrCat("secret of ", id);
                                  }});
  EXPECT_EQ(json::WriteValue(described),
            R"({"apiKeys":[{"id":"key1","name":"Key",)"
            R"("value":"secret of key1"}],"description":"A shop",)"
            R"("functions":[{"arn":"arn:Handler","name":"shop-Handler-1"}],)"
            R"("graphqlApis":[],"name":"shop",)"
            R"("outputs":{"Url":"http://shop"},)"
            R"("queues":[{"arn":"arn:Jobs","name":"Jobs",)"
            R"("url":"http://x/jobs"}],)"
            R"("restApis":[{"id":"api1","name":"Orders API","stage":"prod",)"
            R"("url":"http://127.0.0.1:4566/restapis/api1/prod/)"
            R"(_user_request_"}],"stateMachines":[],)"
            R"("status":"CREATE_COMPLETE",)"
            R"("tables":[{"arn":"arn:Orders","name":"orders"}]})");
}

TEST(ViewOf, KnowsWhichFunctionWritesToALogGroup) {
  cloudformation::Stack stack = ShopStack();
  EXPECT_EQ(
      ViewOf(stack).function_of_log_group.at("/aws/lambda/shop-Handler-1"),
      "shop-Handler-1");
  stack.resources["Handler"].properties["LoggingConfig"]["LogGroup"] = "/own";
  EXPECT_EQ(ViewOf(stack).function_of_log_group.at("/own"), "shop-Handler-1");
}

}  // namespace
}  // namespace byoshin::local::stack
