#include "tests/bench/appsync_cloud.h"

#include <json/json.h>

#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/mesh/constants.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"
#include "tests/bench/server.h"
#include "tests/integration/process.h"

namespace byoshin::bench {
namespace {

// The outputs of the cloud's stack.
absl::StatusOr<Json::Value> ReadOutputs(const Server& cloud) {
  const absl::StatusOr<std::unique_ptr<integration::Process>> status =
      integration::Process::Start(
          {.argv = {"byoshin", "status", "--json",
                    absl::StrCat("--endpoint=http://", cloud.host())}});
  if (!status.ok()) return status.status();
  const absl::StatusOr<std::string> exit = (*status)->AwaitExit();
  if (!exit.ok()) return exit.status();
  std::stringstream text;
  for (const std::string& line : (*status)->lines()) text << line << "\n";
  Json::Value json;
  std::string errors;
  if (!Json::parseFromStream(Json::CharReaderBuilder(), text, &json, &errors) ||
      !json["stacks"].isArray() || json["stacks"].empty()) {
    return absl::InternalError(absl::StrCat("byoshin status: ", text.str()));
  }
  return json["stacks"][0]["outputs"];
}

// Where a stack's API is.
struct StackOutputs {
  const char* url;
  const char* key;
  const char* table;
};

// `stack` is the flag that says which.
absl::StatusOr<AppsyncCloud> Start(const std::string& stack,
                                   const StackOutputs& names) {
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(
      {.argv = {"byoshin", "up", "--port=0", "--api-port=0", stack},
       .data_flag = "--data=",
       .health_path = "/_byoshin/health"});
  if (!server.ok()) return server.status();
  const absl::StatusOr<Json::Value> outputs = ReadOutputs(**server);
  if (!outputs.ok()) return outputs.status();
  absl::StatusOr<GraphqlTarget> api = TargetAt(
      (*outputs)[names.url].asString(), (*outputs)[names.key].asString());
  if (!api.ok()) return api.status();
  api->name = "Byoshin";
  api->process = (*server)->pid();
  return AppsyncCloud{.server = *std::move(server),
                      .api = *std::move(api),
                      .table = (*outputs)[names.table].asString()};
}

}  // namespace

absl::StatusOr<AppsyncCloud> StartAppsyncCloud(
    absl::string_view template_file) {
  return Start(absl::StrCat("--template=", template_file),
               {.url = "Url", .key = "Key", .table = "Table"});
}

GroupOperations PlainGroup(const std::string& id,
                           std::vector<std::string> mutations) {
  const auto report = [id, mutations = std::move(mutations)](
                          int node, int number, const std::string& value) {
    return GraphqlOperation{
        .query = absl::StrCat(
            "mutation M($g: ID!, $n: ID!, $d: [SensorDataInput!]!) { ",
            mutations[static_cast<std::size_t>(number) % mutations.size()],
            "(groupId: $g, nodeId: $n, data: $d) "
            "{ nodeId groupId timestamp data { key value } } }"),
        .variables = absl::StrFormat(
            R"({"g":"%s","n":"%s","d":[{"key":"report","value":"%s"}]})", id,
            NodeId(node), value)};
  };
  return {.id = id,
          .report = report,
          .subscribe = {.query =
                            "subscription S($g: ID!) { onReport(groupId: $g) "
                            "{ nodeId groupId timestamp data { key value } } }",
                        .variables = absl::StrFormat(R"({"g":"%s"})", id)}};
}

absl::StatusOr<AppsyncCloud> StartMeshCloud() {
  return Start("--stack=mesh", {.url = mesh::kGraphQlUrlOutput,
                                .key = mesh::kApiKeyOutput,
                                .table = mesh::kTableNameOutput});
}

}  // namespace byoshin::bench
