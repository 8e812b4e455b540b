#include "local/applications/mesh/mesh_state.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/json/writer.h"
#include "core/mesh/constants.h"
#include "core/mesh/group.h"

namespace byoshin::local::applications {
namespace {

std::string TextAttribute(const Json::Value& item, const char* name) {
  const Json::Value& value = item[name]["S"];
  return value.isString() ? value.asString() : "";
}

std::int64_t NumberAttribute(const Json::Value& item, const char* name) {
  const Json::Value& value = item[name]["N"];
  std::int64_t number = 0;
  if (value.isString()) (void)absl::SimpleAtoi(value.asString(), &number);
  return number;
}

std::vector<std::pair<std::string, std::string>> ValuesOf(
    const Json::Value& item) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const Json::Value& reading : item[mesh::kDataAttribute]["L"]) {
    values.emplace_back(TextAttribute(reading["M"], "key"),
                        TextAttribute(reading["M"], "value"));
  }
  return values;
}

void WriteNode(const MeshNode& node, json::Writer& json) {
  json.Open('{').Key("id").String(node.id);
  json.Key("reportedAt").String(node.reported_at);
  json.Key("values").Open('[');
  for (const auto& [key, value] : node.values) {
    json.Open('{').Key("key").String(key).Key("value").String(value).Close('}');
  }
  json.Close(']').Close('}');
}

void WriteEvent(const MeshEvent& event, json::Writer& json) {
  json.Open('{').Key("name").String(event.name);
  json.Key("payload").String(event.payload);
  json.Key("firedBy").String(event.fired_by);
  json.Key("timestamp").String(event.timestamp).Close('}');
}

void WriteGroup(const MeshGroup& group, json::Writer& json) {
  json.Open('{').Key("id").String(group.id);
  json.Key("domain").String(group.domain);
  json.Key("name").String(group.name);
  json.Key("hostId").String(group.host_id);
  json.Key("createdAt").String(group.created_at);
  json.Key("expiresAt").String(mesh::FormatSeconds(group.expires_at));
  json.Key("nodes").Open('[');
  for (const MeshNode& node : group.nodes) WriteNode(node, json);
  json.Close(']').Key("events").Open('[');
  for (const MeshEvent& event : group.events) WriteEvent(event, json);
  json.Close(']').Close('}');
}

}  // namespace

void MeshStateBuilder::Add(const Json::Value& item) {
  const std::string partition_key = TextAttribute(item, mesh::kPartitionKey);
  const std::string sort_key = TextAttribute(item, mesh::kSortKey);
  absl::string_view full_id = partition_key;
  if (absl::StartsWith(partition_key, mesh::kDomainPrefix) &&
      absl::EndsWith(sort_key, mesh::kGroupSuffix)) {
    AddGroup(item);
  } else if (absl::ConsumePrefix(&full_id, mesh::kGroupPrefix)) {
    AddToGroup(sort_key, item, partitions_[std::string(full_id)]);
  }
}

void MeshStateBuilder::AddGroup(const Json::Value& item) {
  groups_.push_back(
      {.id = TextAttribute(item, mesh::kGroupIdAttribute),
       .domain = TextAttribute(item, mesh::kDomainAttribute),
       .name = TextAttribute(item, mesh::kNameAttribute),
       .host_id = TextAttribute(item, mesh::kHostIdAttribute),
       .created_at = TextAttribute(item, mesh::kCreatedAtAttribute),
       .expires_at = NumberAttribute(item, mesh::kExpiresAtAttribute)});
  deadlines_.push_back(std::min(NumberAttribute(item, mesh::kTtlAttribute),
                                groups_.back().expires_at));
}

void MeshStateBuilder::AddToGroup(absl::string_view sort_key,
                                  const Json::Value& item,
                                  Partition& partition) {
  if (absl::StartsWith(sort_key, mesh::kEventPrefix)) {
    partition.events[std::string(sort_key)] = {
        .name = TextAttribute(item, mesh::kEventNameAttribute),
        .payload = TextAttribute(item, mesh::kPayloadAttribute),
        .fired_by = TextAttribute(item, mesh::kFiredByAttribute),
        .timestamp = TextAttribute(item, mesh::kTimestampAttribute)};
    return;
  }
  absl::string_view id = sort_key;
  if (absl::ConsumePrefix(&id, mesh::kNodePrefix)) {
    partition.members[std::string(id)] =
        NumberAttribute(item, mesh::kTtlAttribute);
  } else if (absl::ConsumePrefix(&id, mesh::kStatusPrefix)) {
    MeshNode& node = partition.nodes[std::string(id)];
    node.id = std::string(id);
    node.values = ValuesOf(item);
    node.reported_at = TextAttribute(item, mesh::kTimestampAttribute);
  }
}

void MeshStateBuilder::TakeNodes(Partition& partition, absl::Time now,
                                 MeshGroup& group) {
  for (const auto& [id, deadline] : partition.members) {
    // What a node has reported outlives its membership.
    if (!mesh::IsOver(deadline, now)) partition.nodes[id].id = id;
  }
  for (auto& [id, node] : partition.nodes) {
    const auto member = partition.members.find(id);
    const bool is_alive =
        member != partition.members.end() && !mesh::IsOver(member->second, now);
    if (is_alive || id == group.host_id) group.nodes.push_back(std::move(node));
  }
}

MeshState MeshStateBuilder::Build(absl::Time now) && {
  MeshState state;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (mesh::IsOver(deadlines_[i], now)) continue;
    MeshGroup& group = groups_[i];
    Partition& partition = partitions_[absl::StrCat(
        group.id, mesh::kDomainSeparator, group.domain)];
    TakeNodes(partition, now, group);
    for (auto event = partition.events.rbegin();
         event != partition.events.rend() && group.events.size() < kShownEvents;
         ++event) {
      group.events.push_back(std::move(event->second));
    }
    state.groups.push_back(std::move(group));
  }
  std::sort(state.groups.begin(), state.groups.end(),
            [](const MeshGroup& a, const MeshGroup& b) {
              return std::tie(a.domain, a.created_at, a.id) <
                     std::tie(b.domain, b.created_at, b.id);
            });
  return state;
}

void WriteMeshState(const MeshState& state, json::Writer& json) {
  json.Open('{').Key("groups").Open('[');
  for (const MeshGroup& group : state.groups) WriteGroup(group, json);
  json.Close(']').Close('}');
}

}  // namespace byoshin::local::applications
