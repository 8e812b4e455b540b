#include "local/cloudformation/stack.h"

#include <json/json.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {
namespace {

Json::Value WriteTime(absl::Time time) {
  return Json::Value(static_cast<Json::Int64>(absl::ToUnixMicros(time)));
}

absl::Time ReadTime(const Json::Value& json) {
  return absl::FromUnixMicros(json.isInt64() ? json.asInt64() : 0);
}

std::string ReadText(const Json::Value& json) {
  return json.isString() ? json.asString() : "";
}

Json::Value WritePolicy(RemovalPolicy policy) {
  return policy == RemovalPolicy::kRetain ? "Retain" : "Delete";
}

RemovalPolicy ReadPolicy(const Json::Value& json) {
  return json == Json::Value("Retain") ? RemovalPolicy::kRetain
                                       : RemovalPolicy::kDelete;
}

Json::Value ResourceToJson(const StackResource& resource) {
  Json::Value json(Json::objectValue);
  json["logicalId"] = resource.logical_id;
  json["type"] = resource.type;
  json["status"] = resource.status;
  json["nameSuffix"] = resource.name_suffix;
  json["physicalId"] = resource.state.physical_id;
  json["attributes"] = Json::Value(Json::objectValue);
  for (const auto& [name, value] : resource.state.attributes) {
    json["attributes"][name] = value;
  }
  json["properties"] = resource.properties;
  json["fingerprint"] = resource.fingerprint;
  json["dependsOn"] = Json::Value(Json::arrayValue);
  for (const std::string& id : resource.depends_on) {
    json["dependsOn"].append(id);
  }
  json["deletionPolicy"] = WritePolicy(resource.deletion_policy);
  json["updateReplacePolicy"] = WritePolicy(resource.update_replace_policy);
  json["changed"] = WriteTime(resource.changed);
  if (resource.taken_up) json["takenUp"] = true;
  return json;
}

}  // namespace

bool Stack::in_progress() const {
  return absl::EndsWith(status, "_IN_PROGRESS");
}

std::string ArnAttribute(const StackResource& resource) {
  const auto found = resource.state.attributes.find("Arn");
  return found == resource.state.attributes.end() ? "" : found->second;
}

std::string WriteStackHead(const Stack& stack) {
  Json::Value json(Json::objectValue);
  json["name"] = stack.name;
  json["id"] = stack.id;
  json["status"] = stack.status;
  json["reason"] = stack.reason;
  json["template"] = stack.template_text;
  json["parameters"] = Json::Value(Json::objectValue);
  for (const auto& [name, value] : stack.parameters) {
    json["parameters"][name] = value;
  }
  json["supplied"] = Json::Value(Json::arrayValue);
  for (const std::string& name : stack.supplied) json["supplied"].append(name);
  json["outputs"] = Json::Value(Json::objectValue);
  for (const auto& [name, output] : stack.outputs) {
    Json::Value& out = json["outputs"][name];
    out["value"] = output.value;
    out["description"] = output.description;
    out["export"] = output.export_name;
  }
  json["created"] = WriteTime(stack.created);
  json["updated"] = WriteTime(stack.updated);
  json["deployment"] = static_cast<Json::Int64>(stack.deployment);
  json["established"] = stack.established;
  json["obsolete"] = Json::Value(Json::arrayValue);
  for (const StackResource& resource : stack.obsolete) {
    json["obsolete"].append(ResourceToJson(resource));
  }
  json["retained"] = Json::Value(Json::arrayValue);
  for (const StackResource& resource : stack.retained) {
    json["retained"].append(ResourceToJson(resource));
  }
  return json::WriteValue(json);
}

std::string WriteStackResource(const StackResource& resource) {
  return json::WriteValue(ResourceToJson(resource));
}

std::string WriteStackEvent(const StackEvent& event) {
  Json::Value json(Json::objectValue);
  json["time"] = WriteTime(event.time);
  json["logicalId"] = event.logical_id;
  json["physicalId"] = event.physical_id;
  json["type"] = event.type;
  json["status"] = event.status;
  json["reason"] = event.reason;
  return json::WriteValue(json);
}

Stack ReadStackHead(const Json::Value& json) {
  Stack stack;
  if (!json.isObject()) return stack;
  stack.name = ReadText(json["name"]);
  stack.id = ReadText(json["id"]);
  stack.status = ReadText(json["status"]);
  stack.reason = ReadText(json["reason"]);
  stack.template_text = ReadText(json["template"]);
  for (const std::string& name : json["parameters"].getMemberNames()) {
    stack.parameters[name] = ReadText(json["parameters"][name]);
  }
  for (const Json::Value& name : json["supplied"]) {
    stack.supplied.insert(ReadText(name));
  }
  for (const std::string& name : json["outputs"].getMemberNames()) {
    const Json::Value& output = json["outputs"][name];
    stack.outputs[name] = {.value = ReadText(output["value"]),
                           .description = ReadText(output["description"]),
                           .export_name = ReadText(output["export"])};
  }
  stack.created = ReadTime(json["created"]);
  stack.updated = ReadTime(json["updated"]);
  stack.deployment =
      json["deployment"].isInt64() ? json["deployment"].asInt64() : 0;
  stack.established = json["established"] == Json::Value(true);
  for (const Json::Value& resource : json["obsolete"]) {
    stack.obsolete.push_back(ReadStackResource(resource));
  }
  for (const Json::Value& resource : json["retained"]) {
    stack.retained.push_back(ReadStackResource(resource));
  }
  return stack;
}

StackResource ReadStackResource(const Json::Value& json) {
  StackResource resource;
  if (!json.isObject()) return resource;
  resource.logical_id = ReadText(json["logicalId"]);
  resource.type = ReadText(json["type"]);
  resource.status = ReadText(json["status"]);
  resource.name_suffix = ReadText(json["nameSuffix"]);
  resource.state.physical_id = ReadText(json["physicalId"]);
  for (const std::string& name : json["attributes"].getMemberNames()) {
    resource.state.attributes[name] = ReadText(json["attributes"][name]);
  }
  resource.properties = json["properties"];
  resource.fingerprint = ReadText(json["fingerprint"]);
  for (const Json::Value& id : json["dependsOn"]) {
    resource.depends_on.insert(ReadText(id));
  }
  resource.deletion_policy = ReadPolicy(json["deletionPolicy"]);
  resource.update_replace_policy = ReadPolicy(json["updateReplacePolicy"]);
  resource.changed = ReadTime(json["changed"]);
  resource.taken_up = json["takenUp"] == Json::Value(true);
  return resource;
}

StackEvent ReadStackEvent(const Json::Value& json) {
  if (!json.isObject()) return {};
  return {.time = ReadTime(json["time"]),
          .logical_id = ReadText(json["logicalId"]),
          .physical_id = ReadText(json["physicalId"]),
          .type = ReadText(json["type"]),
          .status = ReadText(json["status"]),
          .reason = ReadText(json["reason"])};
}

}  // namespace byoshin::local::cloudformation
