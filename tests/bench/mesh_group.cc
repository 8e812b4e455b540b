#include "tests/bench/mesh_group.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/json/value.h"
#include "core/mesh/constants.h"
#include "tests/bench/connection.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"

namespace byoshin::bench {
namespace {

constexpr char kDomain[] = "class.example";

// The field of the answer, which must not be an error.
absl::StatusOr<Json::Value> Execute(Connection& connection,
                                    const GraphqlTarget& target,
                                    const GraphqlOperation& operation) {
  const absl::StatusOr<Reply> reply =
      connection.Exchange(PostRequest(target, operation));
  if (!reply.ok()) return reply.status();
  const absl::StatusOr<Json::Value> answer = json::ParseValue(reply->body);
  if (!answer.ok() || !answer->isObject() || answer->isMember("errors") ||
      !(*answer)["data"].isObject() || (*answer)["data"].size() != 1) {
    return absl::InternalError(
        absl::StrCat(operation.query, ": ", reply->body));
  }
  return *(*answer)["data"].begin();
}

// A mutation of Mesh v2 on a group, with one argument more.
GraphqlOperation OnGroup(const std::string& field, const std::string& group,
                         const char* argument, const std::string& value) {
  return {.query = absl::StrCat("mutation M($g: ID!, $d: String!, $v: ID!) { ",
                                field, "(groupId: $g, domain: $d, ", argument,
                                ": $v) { __typename } }"),
          .variables = absl::StrFormat(R"({"g":"%s","d":"%s","v":"%s"})", group,
                                       kDomain, value)};
}

GraphqlOperation Report(const std::string& group, int node,
                        const std::string& value) {
  return {
      .query =
          "mutation M($g: ID!, $d: String!, $n: ID!, "
          "$v: [SensorDataInput!]!) { reportDataByNode("
          "groupId: $g, domain: $d, nodeId: $n, data: $v) "
          "{ nodeId groupId domain timestamp data { key value } } }",
      .variables = absl::StrFormat(R"({"g":"%s","d":"%s","n":"%s",)"
                                   R"("v":[{"key":"report","value":"%s"}]})",
                                   group, kDomain, NodeId(node), value)};
}

GraphqlOperation Subscribe(const std::string& group) {
  return {
      .query =
          "subscription S($g: ID!, $d: String!) "
          "{ onDataUpdateInGroup(groupId: $g, domain: $d) "
          "{ nodeId groupId timestamp data { key value } } }",
      .variables = absl::StrFormat(R"({"g":"%s","d":"%s"})", group, kDomain)};
}

}  // namespace

absl::StatusOr<GroupOperations> OpenMeshGroup(const GraphqlTarget& target,
                                              const std::string& host,
                                              int nodes) {
  absl::StatusOr<Connection> connection = Connection::Open(target.port);
  if (!connection.ok()) return connection.status();
  const absl::StatusOr<Json::Value> group = Execute(
      *connection, target,
      {.query = "mutation M($h: ID!, $d: String!) { createGroup("
                "name: \"class\", hostId: $h, domain: $d) { id } }",
       .variables = absl::StrFormat(R"({"h":"%s","d":"%s"})", host, kDomain)});
  if (!group.ok()) return group.status();
  const std::string id = (*group)["id"].asString();
  GroupOperations operations = {
      .id = id,
      .report =
          [id](int node, int, const std::string& value) {
            return Report(id, node, value);
          },
      .subscribe = Subscribe(id),
      .heartbeats = {OnGroup("renewHeartbeat", id, "hostId", host)},
      .heartbeat_interval = mesh::kProductionIntervals.host_heartbeat};
  for (int node = 0; node < nodes; ++node) {
    const absl::StatusOr<Json::Value> joined = Execute(
        *connection, target, OnGroup("joinGroup", id, "nodeId", NodeId(node)));
    if (!joined.ok()) return joined.status();
    operations.heartbeats.push_back(
        OnGroup("sendMemberHeartbeat", id, "nodeId", NodeId(node)));
  }
  return operations;
}

}  // namespace byoshin::bench
