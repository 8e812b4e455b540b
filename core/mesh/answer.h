// What the functions answer: types of the GraphQL schema as JSON.
#ifndef BYOSHIN_CORE_MESH_ANSWER_H_
#define BYOSHIN_CORE_MESH_ANSWER_H_

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/mesh/group.h"

namespace byoshin::mesh {

// Group.
Json::Value ToJson(const Group& group);
// BatchEvent.
Json::Value ToJson(const EventBatch& batch);
// LeaveGroupPayload.
Json::Value LeftJson(const GroupKey& key, absl::string_view node_id);
// GroupDissolvePayload.
Json::Value DissolvedJson(const GroupKey& key);

// {"data": …}, and {"error": …} for an error that a client has caused.
std::string DataAnswer(const Json::Value& data);
std::string ErrorAnswer(const absl::Status& status);

}  // namespace byoshin::mesh

#endif  // BYOSHIN_CORE_MESH_ANSWER_H_
