// The parameters that Query and Scan share, and their checks.
#include <json/json.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/engine/items.h"
#include "local/dynamodb/engine/key_checks.h"
#include "local/dynamodb/operations/legacy.h"
#include "local/dynamodb/operations/range_read.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/errors.h"

namespace byoshin::local::dynamodb {
namespace {

Select ParseSelect(absl::string_view text) {
  if (text == "ALL_ATTRIBUTES") return Select::kAll;
  if (text == "ALL_PROJECTED_ATTRIBUTES") return Select::kAllProjected;
  if (text == "SPECIFIC_ATTRIBUTES") return Select::kSpecific;
  if (text == "COUNT") return Select::kCount;
  return Select::kDefault;
}

void InsertNames(const KeySchema& schema, std::set<std::string>& names) {
  for (const auto* keys : {&schema.hash, &schema.range}) {
    for (const KeyAttribute& key : *keys) names.insert(key.name);
  }
}

// The names that every entry of the index has or may have.
std::set<std::string> ProjectedNames(const Table& table, const Index& index) {
  std::set<std::string> names(index.included.begin(), index.included.end());
  InsertNames(table.keys, names);
  InsertNames(index.keys, names);
  return names;
}

std::vector<std::string> MissingNames(const Source& source,
                                      const RangeRead& read) {
  std::vector<std::string> missing;
  if (source.index == nullptr ||
      source.index->projection == ProjectionType::kAll) {
    return missing;
  }
  const std::set<std::string> projected =
      ProjectedNames(*source.table, *source.index);
  if (read.projection) {
    for (const DocumentPath& path : read.projection->paths()) {
      if (projected.count(path[0].name) == 0) missing.push_back(path[0].name);
    }
  }
  return missing;
}

}  // namespace

Shape SelectShape() {
  return String().OneOf({"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES",
                         "ALL_PROJECTED_ATTRIBUTES"});
}

bool IsPlainValueError(const absl::Status& status) {
  const std::string message = ErrorMessageOf(status);
  for (const absl::string_view part :
       {"contains duplicates", "number set", "numeric value",
        "significant digits", "number with magnitude"}) {
    if (absl::StrContains(message, part)) return true;
  }
  return false;
}

RangeRead ReadRangeParameters(const Json::Value& request) {
  RangeRead read;
  read.table_name = request["TableName"].asString();
  read.index_name = request["IndexName"].asString();
  read.select = ParseSelect(request["Select"].asString());
  if (Has(request, "Limit")) read.limit = request["Limit"].asInt64();
  read.consistency = request["ConsistentRead"].asBool()
                         ? Consistency::kStrong
                         : Consistency::kEventual;
  read.capacity =
      ParseCapacityDetail(request["ReturnConsumedCapacity"].asString());
  return read;
}

absl::StatusOr<std::optional<Item>> ReadStartKey(const Json::Value& request,
                                                 ValueWording wording) {
  const Json::Value& json = request["ExclusiveStartKey"];
  if (json.isNull()) return std::optional<Item>();
  absl::StatusOr<Item> key = ItemFromJson(json, wording);
  if (key.ok()) return std::optional<Item>(*std::move(key));
  if (IsPlainValueError(key.status())) return key.status();
  return ValidationError(absl::StrCat("The provided starting key is invalid: ",
                                      ErrorMessageOf(key.status())));
}

absl::StatusOr<LegacyRead> ReadLegacyParameters(const Json::Value& request,
                                                const char* filter_name,
                                                LegacyRules rules) {
  absl::Status status = CheckConditionalOperator(request, filter_name);
  if (!status.ok()) return status;
  absl::StatusOr<std::optional<ConditionExpression>> filter =
      ReadFilter(request, filter_name,
                 rules == LegacyRules::kOfQuery ? ValueWording::kNewer
                                                : ValueWording::kOlder);
  if (!filter.ok() && rules == LegacyRules::kOfQuery) {
    return filter.status();
  }
  absl::StatusOr<std::optional<ProjectionExpression>> projection =
      ReadAttributesToGet(request);
  if (!projection.ok()) return projection.status();
  if (!filter.ok()) return filter.status();
  return LegacyRead{.projection = *std::move(projection),
                    .filter = *std::move(filter)};
}

void Replace(LegacyRead legacy, const char* filter_name, RangeRead& read) {
  if (legacy.projection) {
    read.projection = std::move(legacy.projection);
    read.projection_name = "AttributesToGet";
  }
  if (legacy.filter) {
    read.filter = std::move(legacy.filter);
    read.filter_name = filter_name;
  }
}

absl::Status CheckSelect(const RangeRead& read) {
  const bool specific = read.projection.has_value();
  // First: AWS reports this one of two errors.
  if (specific && read.select != Select::kDefault &&
      read.select != Select::kSpecific) {
    const absl::string_view name =
        read.select == Select::kAll     ? "ALL_ATTRIBUTES"
        : read.select == Select::kCount ? "only the Count"
                                        : "ALL_PROJECTED_ATTRIBUTES";
    return ValidationError(absl::StrCat("Cannot specify the ",
                                        read.projection_name,
                                        " when choosing to get ", name));
  }
  if (read.select == Select::kSpecific && !specific) {
    return ValidationError(
        "Must specify the AttributesToGet or ProjectionExpression when "
        "choosing to get SPECIFIC_ATTRIBUTES");
  }
  if (read.select == Select::kAllProjected && read.index_name.empty()) {
    // AWS says "Querying" of a scan too.
    return ValidationError(
        "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an "
        "IndexName");
  }
  return absl::OkStatus();
}

size_t Source::StartKeySize() const {
  std::set<std::string> names;
  InsertNames(table->keys, names);
  InsertNames(*keys, names);
  return names.size();
}

std::string Source::PlaceOfEntry(const Item& item) const {
  return index == nullptr ? PlaceOf(*table, item)
                          : PlaceInIndex(*table, *index, item);
}

absl::StatusOr<Source> FindSource(const Table& table, const RangeRead& read) {
  Source source{.table = &table, .keys = &table.keys};
  if (read.index_name.empty()) {
    source.prefix = store_keys::ItemPrefix(table);
    return source;
  }
  source.index = table.FindIndex(read.index_name);
  if (source.index == nullptr) {
    return ValidationError(absl::StrCat(
        "The table does not have the specified index: ", read.index_name));
  }
  if (source.index->kind == IndexKind::kGlobal &&
      read.consistency == Consistency::kStrong) {
    return ValidationError(
        "Consistent reads are not supported on global secondary indexes");
  }
  source.keys = &source.index->keys;
  source.prefix = store_keys::IndexPrefix(table, *source.index);
  return source;
}

absl::Status CheckProjected(const Source& source, const RangeRead& read) {
  if (source.index == nullptr || source.index->kind == IndexKind::kLocal ||
      source.index->projection == ProjectionType::kAll) {
    return absl::OkStatus();
  }
  if (read.select == Select::kAll) {
    return InvalidParameter(absl::StrCat(
        "Select type ALL_ATTRIBUTES is not supported for global secondary "
        "index ",
        source.index->name, " because its projection type is not ALL"));
  }
  const std::vector<std::string> missing = MissingNames(source, read);
  if (missing.empty()) return absl::OkStatus();
  return InvalidParameter(
      absl::StrCat("Global secondary index ", source.index->name,
                   " does not project [", absl::StrJoin(missing, ", "), "]"));
}

absl::Status CheckStartKeyAttributes(const KeySchema& keys,
                                     const Item& start_key) {
  for (const auto* role : {&keys.hash, &keys.range}) {
    for (const KeyAttribute& key : *role) {
      if (!start_key.Contains(key.name)) {
        return ValidationError(kInvalidStartKey);
      }
      absl::Status status =
          CheckKeyPart(start_key, key,
                       role == &keys.hash ? KeyRole::kHash : KeyRole::kRange);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

absl::Status CheckStartKeySchema(const Source& source, const Item& start_key) {
  absl::Status status =
      CheckKey(*source.table, PrimaryKeyOf(*source.table, start_key));
  if (status.ok()) return status;
  return ValidationError(absl::StrCat("The provided starting key is invalid: ",
                                      ErrorMessageOf(status)));
}

void StartAfter(const Source& source, const Item& start_key, Page& page) {
  std::string key = absl::StrCat(source.prefix, source.PlaceOfEntry(start_key));
  if (page.direction == Store::Direction::kForward) {
    key.push_back('\0');  // the next key that there can be
    page.range.begin = std::max(page.range.begin, key);
  } else {
    page.range.end = std::min(page.range.end, key);
  }
}

}  // namespace byoshin::local::dynamodb
