#include "core/mesh/answer.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "core/lambda/error_type.h"
#include "core/mesh/constants.h"
#include "core/mesh/group.h"

namespace byoshin::mesh {
namespace {

Json::Value OfGroup(const GroupKey& key) {
  Json::Value json(Json::objectValue);
  json["groupId"] = key.group_id;
  json["domain"] = key.domain;
  return json;
}

}  // namespace

Json::Value ToJson(const Group& group) {
  Json::Value json(Json::objectValue);
  json["id"] = group.key.group_id;
  json["domain"] = group.key.domain;
  json["fullId"] = group.key.FullId();
  json["name"] = group.name;
  json["hostId"] = group.host_id;
  json["createdAt"] = group.created_at;
  json["expiresAt"] = FormatSeconds(group.expires_at);
  return json;
}

Json::Value ToJson(const EventBatch& batch) {
  Json::Value events(Json::arrayValue);
  for (const Event& event : batch.events) {
    Json::Value json = OfGroup(batch.group);
    json["name"] = event.name;
    json["firedByNodeId"] = batch.fired_by_node_id;
    json["payload"] =
        event.payload.has_value() ? Json::Value(*event.payload) : Json::Value();
    json["timestamp"] = event.timestamp;
    events.append(json);
  }
  Json::Value json = OfGroup(batch.group);
  json["events"] = events;
  json["firedByNodeId"] = batch.fired_by_node_id;
  json["timestamp"] = batch.timestamp;
  return json;
}

Json::Value LeftJson(const GroupKey& key, absl::string_view node_id) {
  Json::Value json = OfGroup(key);
  json["peerId"] = std::string(node_id);
  json["message"] =
      absl::StrCat("Peer ", node_id, " successfully left group ", key.group_id);
  return json;
}

Json::Value DissolvedJson(const GroupKey& key) {
  Json::Value json = OfGroup(key);
  json["message"] =
      absl::StrCat("Group ", key.FullId(), " has been dissolved successfully.");
  return json;
}

std::string DataAnswer(const Json::Value& data) {
  Json::Value answer(Json::objectValue);
  answer[kAnswerData] = data;
  return json::WriteValue(answer);
}

std::string ErrorAnswer(const absl::Status& status) {
  Json::Value answer(Json::objectValue);
  Json::Value& error = answer[kAnswerError];
  error[kAnswerErrorType] = lambda::ErrorTypeOf(status).value_or("");
  error[kAnswerErrorMessage] = std::string(status.message());
  return json::WriteValue(answer);
}

}  // namespace byoshin::mesh
