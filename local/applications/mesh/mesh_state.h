// What is in the table of a mesh: its groups with their nodes, the last values
// that these have reported, and the latest events.
//
//   MeshStateBuilder builder;
//   for (const Json::Value& item : page["Items"]) builder.Add(item);
//   MeshState state = std::move(builder).Build(clock.Now());
#ifndef BYOSHIN_LOCAL_APPLICATIONS_MESH_MESH_STATE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_MESH_MESH_STATE_H_

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/writer.h"

namespace byoshin::local::applications {

// Of each group, the newest first.
inline constexpr std::size_t kShownEvents = 10;

struct MeshNode {
  std::string id{};
  // Sensor and value, as they were reported.
  std::vector<std::pair<std::string, std::string>> values{};
  // Of the last report; empty if there was none.
  std::string reported_at{};
};

struct MeshEvent {
  std::string name{};
  std::string payload{};
  std::string fired_by{};
  std::string timestamp{};
};

struct MeshGroup {
  std::string id{};
  std::string domain{};
  std::string name{};
  std::string host_id{};
  std::string created_at{};
  // In seconds since 1970.
  std::int64_t expires_at = 0;
  // The members that are alive, and the host once it has reported.
  std::vector<MeshNode> nodes{};
  std::vector<MeshEvent> events{};
};

struct MeshState {
  // Those that are alive, by domain, the oldest first.
  std::vector<MeshGroup> groups{};
};

// Takes items in any order.
class MeshStateBuilder {
 public:
  // An item in DynamoDB's JSON; what is not a mesh's is ignored.
  void Add(const Json::Value& item);

  MeshState Build(absl::Time now) &&;

 private:
  struct Partition {
    // Who has reported.
    std::map<std::string, MeshNode> nodes{};
    // Who has joined, and when the next heartbeat is due at the latest.
    std::map<std::string, std::int64_t> members{};
    // By sort key.
    std::map<std::string, MeshEvent> events{};
  };

  void AddGroup(const Json::Value& item);
  void AddToGroup(absl::string_view sort_key, const Json::Value& item,
                  Partition& partition);
  static void TakeNodes(Partition& partition, absl::Time now, MeshGroup& group);

  std::vector<MeshGroup> groups_;
  // When each group's host must have sent its next heartbeat.
  std::vector<std::int64_t> deadlines_;
  // By "{groupId}@{domain}".
  std::map<std::string, Partition> partitions_;
};

void WriteMeshState(const MeshState& state, json::Writer& json);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_MESH_MESH_STATE_H_
