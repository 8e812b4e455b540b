#include "local/stepfunctions/providers.h"

#include <json/json.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "core/aws/error.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"
#include "local/gateway/in_process.h"
#include "local/stepfunctions/provider_calls.h"

namespace byoshin::local::stepfunctions {
namespace {

std::map<std::string, std::string> TagMap(const Json::Value& properties) {
  std::map<std::string, std::string> tags;
  for (const Json::Value& tag :
       cloudformation::PropertyAt(properties, "Tags")) {
    tags[json::TextMember(tag, "Key")] =
        cloudformation::ScalarText(tag["Value"]);
  }
  return tags;
}

}  // namespace

void AddStepFunctionsProviders(Service& states,
                               cloudformation::ProviderRegistry& registry) {
  registry.Add(NewStateMachineProvider(states));
  registry.Add(NewStateMachineVersionProvider(states));
  registry.Add(NewStateMachineAliasProvider(states));
  registry.Add(NewActivityProvider(states));
}

absl::StatusOr<Json::Value> CallFor(
    Service& states, const cloudformation::ResourceRequest& request,
    absl::string_view operation, const Json::Value& body) {
  return CallInProcess(states,
                       {.operation = std::string(operation),
                        .region = request.stack.region,
                        .caller = {.account_id = request.stack.account_id}},
                       body);
}

Json::Value OneMember(const char* name, const std::string& value) {
  Json::Value body(Json::objectValue);
  body[name] = value;
  return body;
}

Json::Value TagList(const Json::Value& properties) {
  Json::Value list(Json::arrayValue);
  for (const auto& [key, value] : TagMap(properties)) {
    Json::Value tag(Json::objectValue);
    tag["key"] = key;
    tag["value"] = value;
    list.append(std::move(tag));
  }
  return list;
}

absl::Status UpdateTags(Service& states,
                        const cloudformation::ResourceRequest& request,
                        const Json::Value& previous) {
  const std::map<std::string, std::string> before = TagMap(previous);
  const std::map<std::string, std::string> after = TagMap(request.properties);
  Json::Value untag = OneMember("resourceArn", request.physical_id);
  for (const auto& [key, value] : before) {
    if (!after.contains(key)) untag["tagKeys"].append(key);
  }
  if (untag.isMember("tagKeys")) {
    const absl::Status done =
        CallFor(states, request, "UntagResource", untag).status();
    if (!done.ok()) return done;
  }
  if (after.empty() || after == before) return absl::OkStatus();
  Json::Value tag = OneMember("resourceArn", request.physical_id);
  tag["tags"] = TagList(request.properties);
  return CallFor(states, request, "TagResource", tag).status();
}

bool IsMissingResource(const absl::Status& status) {
  const std::optional<aws::Error> error = aws::ErrorOf(status);
  if (!error.has_value()) return absl::IsNotFound(status);
  return absl::EndsWith(error->code, "DoesNotExist") ||
         error->code == "ResourceNotFound";
}

}  // namespace byoshin::local::stepfunctions
