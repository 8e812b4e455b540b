#include "local/applications/mesh/mesh_source.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/mesh/constants.h"
#include "core/sync/mutex.h"
#include "local/applications/mesh/mesh_parts.h"
#include "local/applications/mesh/mesh_state.h"
#include "local/cloudformation/stack.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {
namespace {

// In one request: few enough that writers do not wait long for the service.
constexpr int kItemsPerPage = 250;

struct TableOf {
  Service& dynamodb;
  const std::string& region;
  std::string name;
};

absl::Status VisitItems(
    const TableOf& table,
    const std::function<absl::Status(const Json::Value&)>& visit) {
  Json::Value scan;
  scan["TableName"] = table.name;
  scan["Limit"] = kItemsPerPage;
  while (true) {
    const absl::StatusOr<Json::Value> page = CallInProcess(
        table.dynamodb, {.operation = "Scan", .region = table.region}, scan);
    if (!page.ok()) return page.status();
    for (const Json::Value& item : (*page)["Items"]) {
      if (absl::Status visited = visit(item); !visited.ok()) return visited;
    }
    if ((*page)["LastEvaluatedKey"].isNull()) return absl::OkStatus();
    scan["ExclusiveStartKey"] = (*page)["LastEvaluatedKey"];
  }
}

}  // namespace

bool MeshSource::Load(const cloudformation::Stack& stack) {
  std::optional<MeshParts> found = FindMesh(stack);
  {
    const sync::MutexLock lock(mutex_);
    const bool is_shown =
        parts_.has_value() && parts_->stack_name == stack.name;
    if (parts_.has_value() && !is_shown) return !found.has_value();
    parts_ = std::move(found);
  }
  world_.on_change();
  return true;
}

std::optional<MeshParts> MeshSource::parts() const {
  const sync::MutexLock lock(mutex_);
  return parts_;
}

bool MeshSource::NoteWrite(absl::string_view table) {
  {
    const sync::MutexLock lock(mutex_);
    if (!parts_.has_value()) return false;
    if (table != parts_->table &&
        !absl::EndsWith(table, absl::StrCat(":table/", parts_->table))) {
      return false;
    }
  }
  world_.on_change();
  return true;
}

absl::StatusOr<std::string> MeshSource::Table() const {
  const sync::MutexLock lock(mutex_);
  if (parts_.has_value()) return parts_->table;
  return absl::FailedPreconditionError("no mesh is deployed");
}

absl::StatusOr<MeshState> MeshSource::Read() {
  const absl::StatusOr<std::string> table = Table();
  if (!table.ok()) return table.status();
  MeshStateBuilder builder;
  const absl::Status visited =
      VisitItems({world_.dynamodb, world_.region, *table},
                 [&builder](const Json::Value& item) {
                   builder.Add(item);
                   return absl::OkStatus();
                 });
  if (!visited.ok()) return visited;
  return std::move(builder).Build(world_.clock.Now());
}

std::size_t MeshSource::CountSockets() const {
  const std::optional<MeshParts> shown = parts();
  return shown.has_value() ? world_.count_sockets(shown->api_id) : 0;
}

absl::StatusOr<std::int64_t> MeshSource::DeleteAll() {
  const absl::StatusOr<std::string> table = Table();
  if (!table.ok()) return static_cast<std::int64_t>(0);
  std::int64_t deleted = 0;
  const absl::Status visited = VisitItems(
      {world_.dynamodb, world_.region, *table}, [&](const Json::Value& item) {
        Json::Value request;
        request["TableName"] = *table;
        for (const char* key : {mesh::kPartitionKey, mesh::kSortKey}) {
          request["Key"][key] = item[key];
        }
        ++deleted;
        return CallInProcess(
                   world_.dynamodb,
                   {.operation = "DeleteItem", .region = world_.region},
                   request)
            .status();
      });
  if (!visited.ok()) return visited;
  world_.on_change();
  return deleted;
}

}  // namespace byoshin::local::applications
