#include "local/stack/stack_view.h"

#include <json/json.h>

#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/apigateway/address.h"
#include "local/appsync/model/names.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/template.h"
#include "local/lambda/environment.h"

namespace byoshin::local::stack {
namespace {

using cloudformation::StackResource;

constexpr char kDeadLetterTarget[] = "RedrivePolicy.deadLetterTargetArn";

std::string TextOf(const StackResource& resource, absl::string_view path) {
  return cloudformation::TextProperty(resource.properties, path).value_or("");
}

std::string Attribute(const StackResource& resource, const char* name) {
  const auto found = resource.state.attributes.find(name);
  return found == resource.state.attributes.end() ? "" : found->second;
}

// Where the stack sends what has failed, as ARNs: dead letters of queues,
// asynchronous invocations that were given up, events that could not be
// delivered.
std::set<std::string> FailureDestinations(const cloudformation::Stack& stack) {
  std::set<std::string> arns;
  for (const auto& [id, resource] : stack.resources) {
    if (resource.type == "AWS::SQS::Queue") {
      arns.insert(TextOf(resource, kDeadLetterTarget));
    } else if (resource.type == "AWS::Lambda::EventInvokeConfig") {
      arns.insert(TextOf(resource, "DestinationConfig.OnFailure.Destination"));
    } else if (resource.type == "AWS::Events::Rule") {
      for (const Json::Value& target : resource.properties["Targets"]) {
        arns.insert(cloudformation::TextProperty(target, "DeadLetterConfig.Arn")
                        .value_or(""));
      }
    }
  }
  return arns;
}

// The name of the REST API with this id, or else the id.
std::string ApiName(const cloudformation::Stack& stack,
                    const std::string& api_id) {
  for (const auto& [id, resource] : stack.resources) {
    if (resource.type == "AWS::ApiGateway::RestApi" &&
        resource.state.physical_id == api_id) {
      return cloudformation::TextProperty(resource.properties, "Name")
          .value_or(id);
    }
  }
  return api_id;
}

std::string LogGroupOfFunction(const StackResource& resource) {
  return lambda::LogGroupOf(
      {.name = resource.state.physical_id,
       .logging = {.group = TextOf(resource, "LoggingConfig.LogGroup")}});
}

std::string DescriptionOf(const cloudformation::Stack& stack) {
  const absl::StatusOr<Json::Value> text =
      json::ParseValue(stack.template_text);
  return text.ok() && text->isObject() ? json::TextMember(*text, "Description")
                                       : "";
}

Json::Value Named(
    const std::string& name,
    std::initializer_list<std::pair<const char*, std::string>> members) {
  Json::Value object;
  object["name"] = name;
  for (const auto& [member, value] : members) object[member] = value;
  return object;
}

// The keys that the stack has of a GraphQL API.
Json::Value KeysOf(const cloudformation::Stack& stack,
                   const std::string& api_id) {
  Json::Value keys(Json::arrayValue);
  for (const auto& [id, resource] : stack.resources) {
    if (resource.type == "AWS::AppSync::ApiKey" &&
        TextOf(resource, "ApiId") == api_id) {
      keys.append(Attribute(resource, "ApiKey"));
    }
  }
  return keys;
}

void DescribeResource(const std::string& id, const StackResource& resource,
                      const DescribeWorld& world, Json::Value& described) {
  if (resource.type == "AWS::SQS::Queue") {
    described["queues"].append(
        Named(id, {{"url", resource.state.physical_id},
                   {"arn", cloudformation::ArnAttribute(resource)}}));
  } else if (resource.type == "AWS::Lambda::Function") {
    described["functions"].append(
        Named(resource.state.physical_id,
              {{"arn", cloudformation::ArnAttribute(resource)}}));
  } else if (resource.type == "AWS::DynamoDB::Table") {
    described["tables"].append(
        Named(resource.state.physical_id,
              {{"arn", cloudformation::ArnAttribute(resource)}}));
  } else if (resource.type == "AWS::ApiGateway::ApiKey") {
    described["apiKeys"].append(
        Named(id, {{"id", resource.state.physical_id},
                   {"value", world.key_value(resource.state.physical_id)}}));
  } else if (resource.type == "AWS::AppSync::GraphQLApi") {
    // Not the attributes: the cloud may listen elsewhere than when the API was
    // made.
    const std::string api_id = Attribute(resource, "ApiId");
    described["graphqlApis"].append(
        Named(TextOf(resource, "Name"),
              {{"id", api_id},
               {"url", appsync::GraphqlUrl(world.endpoint, api_id)},
               {"realtimeUrl", appsync::RealtimeUrl(world.endpoint, api_id)}}));
  } else if (resource.type == "AWS::StepFunctions::StateMachine") {
    described["stateMachines"].append(
        Named(Attribute(resource, "Name"),
              {{"arn", cloudformation::ArnAttribute(resource)}}));
  }
}

}  // namespace

StackView ViewOf(const cloudformation::Stack& stack) {
  StackView view{.name = stack.name,
                 .description = DescriptionOf(stack),
                 .status = stack.status};
  const std::set<std::string> failure_destinations = FailureDestinations(stack);
  for (const auto& [id, resource] : stack.resources) {
    if (resource.type == "AWS::SQS::Queue") {
      const std::string arn = cloudformation::ArnAttribute(resource);
      view.queues.push_back(
          {.stack = stack.name,
           .name = id,
           .arn = arn,
           .dead_letter_arn = TextOf(resource, kDeadLetterTarget),
           .holds_dead_letters = failure_destinations.contains(arn)});
    } else if (resource.type == "AWS::Lambda::Function") {
      const std::string& name = resource.state.physical_id;
      view.functions.push_back({.stack = stack.name,
                                .name = name,
                                .arn = cloudformation::ArnAttribute(resource)});
      const std::string group = LogGroupOfFunction(resource);
      view.function_of_log_group[group] = name;
      view.log_groups.insert(group);
    } else if (resource.type == "AWS::Logs::LogGroup") {
      view.log_groups.insert(resource.state.physical_id);
    } else if (resource.type == "AWS::ApiGateway::Stage") {
      const std::string api_id = TextOf(resource, "RestApiId");
      view.apis.push_back({.stack = stack.name,
                           .name = ApiName(stack, api_id),
                           .id = api_id,
                           .stage = resource.state.physical_id});
    }
  }
  return view;
}

Json::Value DescribeStack(const cloudformation::Stack& stack,
                          const DescribeWorld& world) {
  const StackView view = ViewOf(stack);
  Json::Value described;
  described["name"] = view.name;
  described["description"] =
      view.description.empty() ? Json::Value() : Json::Value(view.description);
  described["status"] = view.status;
  described["outputs"] = Json::objectValue;
  for (const auto& [name, output] : stack.outputs) {
    described["outputs"][name] = output.value;
  }
  for (const char* list : {"restApis", "graphqlApis", "apiKeys", "queues",
                           "functions", "tables", "stateMachines"}) {
    described[list] = Json::arrayValue;
  }
  for (const StackView::Api& api : view.apis) {
    described["restApis"].append(Named(
        api.name,
        {{"id", api.id},
         {"stage", api.stage},
         {"url", apigateway::StageUrl(world.endpoint, api.id, api.stage)}}));
  }
  for (const auto& [id, resource] : stack.resources) {
    DescribeResource(id, resource, world, described);
  }
  for (Json::Value& api : described["graphqlApis"]) {
    api["keys"] = KeysOf(stack, api["id"].asString());
  }
  return described;
}

}  // namespace byoshin::local::stack
