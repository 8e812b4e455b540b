#include "local/applications/mesh/happenings.h"

#include <json/json.h>

#include <optional>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/mesh/constants.h"
#include "local/applications/mesh/table_writes.h"

namespace byoshin::local::applications {
namespace {

using Kind = TableWrite::Kind;

// An attribute, harmless in a terminal.
std::string Shown(const Json::Value& item, const char* name) {
  if (!item.isObject() || !item[name].isObject() ||
      !item[name]["S"].isString()) {
    return "";
  }
  return absl::Utf8SafeCEscape(item[name]["S"].asString());
}

std::optional<std::string> DescribePut(absl::string_view sort_key,
                                       const Json::Value& item) {
  const std::string group =
      absl::StrCat(Shown(item, mesh::kGroupIdAttribute), mesh::kDomainSeparator,
                   Shown(item, mesh::kDomainAttribute));
  if (absl::EndsWith(sort_key, mesh::kGroupSuffix)) {
    // One that is being dissolved is taken out of the index, then removed.
    if (!item.isMember(mesh::kIndexPartitionKey)) return std::nullopt;
    return absl::StrCat("group \"", Shown(item, mesh::kNameAttribute),
                        "\" created by ", Shown(item, mesh::kHostIdAttribute),
                        " (", group, ")");
  }
  if (absl::StartsWith(sort_key, mesh::kNodePrefix)) {
    return absl::StrCat(Shown(item, mesh::kNodeIdAttribute), " joined ", group);
  }
  if (absl::StartsWith(sort_key, mesh::kEventPrefix)) {
    return absl::StrCat("event \"", Shown(item, mesh::kEventNameAttribute),
                        "\" of ", Shown(item, mesh::kFiredByAttribute), " in ",
                        group);
  }
  return std::nullopt;
}

std::optional<std::string> DescribeRemoval(absl::string_view partition_key,
                                           absl::string_view sort_key) {
  if (absl::ConsumeSuffix(&sort_key, mesh::kGroupSuffix)) {
    return absl::StrCat(
        "group dissolved (", absl::StripPrefix(sort_key, mesh::kGroupPrefix),
        mesh::kDomainSeparator,
        absl::StripPrefix(partition_key, mesh::kDomainPrefix), ")");
  }
  if (absl::ConsumePrefix(&sort_key, mesh::kNodePrefix)) {
    return absl::StrCat(sort_key, " left ",
                        absl::StripPrefix(partition_key, mesh::kGroupPrefix));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> Describe(const TableWrite& write) {
  const std::string sort_key = Shown(write.item, mesh::kSortKey);
  switch (write.kind) {
    case Kind::kPut:
      return DescribePut(sort_key, write.item);
    case Kind::kDelete:
      return DescribeRemoval(Shown(write.item, mesh::kPartitionKey), sort_key);
    case Kind::kUpdate:
      break;
  }
  return std::nullopt;
}

}  // namespace byoshin::local::applications
