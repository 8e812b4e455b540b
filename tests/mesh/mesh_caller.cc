#include "tests/mesh/mesh_caller.h"

#include <json/json.h>

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/json/value.h"
#include "core/mesh/constants.h"
#include "local/dynamodb/dynamodb.h"
#include "local/dynamodb/in_process.h"
#include "tests/mesh/deployed_mesh.h"

namespace byoshin::mesh {
namespace {

constexpr char kRegion[] = "us-east-1";

Json::Value Execute(const DeployedMesh& mesh, absl::string_view operation,
                    Json::Value request) {
  local::dynamodb::InProcessClient client(
      mesh.cloud->Get<local::dynamodb::DynamoDb>(), kRegion);
  request["TableName"] = mesh.outputs.at(kTableNameOutput);
  const absl::StatusOr<std::string> answer =
      client.Execute(operation, json::WriteValue(request));
  return json::ParseValue(answer.value()).value();
}

}  // namespace

std::string CallError::ToString() const {
  return ok() ? "no error" : absl::StrCat(type, ": ", message);
}

std::string Quoted(absl::string_view text) {
  return absl::StrCat("\"", text, "\"");
}

std::string DocumentOf(const Call& call) {
  std::vector<std::string> given;
  for (const auto& [name, value] : call.arguments) {
    given.push_back(absl::StrCat(name, ": ", value));
  }
  return absl::StrCat(call.kind, " { ", call.field, "(",
                      absl::StrJoin(given, ", "), ") ", call.selection, " }");
}

CallResult MeshCaller::Make(const Call& call) {
  Json::Value body(Json::objectValue);
  body["query"] = DocumentOf(call);
  const absl::StatusOr<http::Response> response =
      http_.Send({.method = "POST",
                  .url = mesh_.outputs.at(kGraphQlUrlOutput),
                  .headers = {{"Content-Type", "application/json"},
                              {"x-api-key", mesh_.outputs.at(kApiKeyOutput)}},
                  .body = json::WriteValue(body),
                  .connect_timeout = absl::Minutes(1),
                  .timeout = absl::Minutes(1)});
  if (!response.ok()) {
    return {.error = {.type = "HTTP", .message = response.status().ToString()}};
  }
  const absl::StatusOr<Json::Value> answer = json::ParseValue(response->body);
  if (!answer.ok() || !answer->isObject()) {
    return {.error = {.type = "HTTP", .message = response->body}};
  }
  CallResult result;
  if ((*answer)["errors"].empty()) {
    result.data = (*answer)["data"][call.field];
  } else {
    const Json::Value& error = (*answer)["errors"][0];
    result.error = {.type = json::TextMember(error, "errorType"),
                    .message = json::TextMember(error, "message")};
  }
  return result;
}

std::multiset<std::string> StoredItems(const DeployedMesh& mesh) {
  std::multiset<std::string> stored;
  Json::Value request(Json::objectValue);
  while (true) {
    const Json::Value page = Execute(mesh, "Scan", request);
    for (const Json::Value& item : page["Items"]) {
      std::string sort = item[kSortKey]["S"].asString();
      if (absl::StartsWith(sort, kEventPrefix)) sort = kEventPrefix;
      stored.insert(
          absl::StrCat(item[kPartitionKey]["S"].asString(), " ", sort));
    }
    if (!page.isMember("LastEvaluatedKey")) return stored;
    request["ExclusiveStartKey"] = page["LastEvaluatedKey"];
  }
}

void EnableTimeToLive(const DeployedMesh& mesh, bool enabled) {
  const std::string status =
      Execute(
          mesh, "DescribeTimeToLive",
          Json::Value(
              Json::objectValue))["TimeToLiveDescription"]["TimeToLiveStatus"]
          .asString();
  if ((status == "ENABLED") == enabled) return;
  Json::Value request(Json::objectValue);
  request["TimeToLiveSpecification"]["Enabled"] = enabled;
  request["TimeToLiveSpecification"]["AttributeName"] = kTtlAttribute;
  Execute(mesh, "UpdateTimeToLive", request);
}

}  // namespace byoshin::mesh
