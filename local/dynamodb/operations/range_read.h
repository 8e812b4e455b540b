// The common part of Query and Scan: reads a page of a table or an index.
//
//   RangeRead read;             // from the request: Limit, Select, filter, ...
//   absl::StatusOr<Source> source = FindSource(*table, read);
//   KeyRange range = ...;       // of the source's entries
//   return ReadPage(database, *source, read, {range, Direction::kForward});
#ifndef BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_RANGE_READ_H_
#define BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_RANGE_READ_H_

#include <json/forwards.h>

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/engine/capacity.h"
#include "local/dynamodb/engine/database.h"
#include "local/dynamodb/engine/table.h"
#include "local/dynamodb/expressions/condition.h"
#include "local/dynamodb/expressions/projection.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/shape.h"
#include "local/store/store.h"

namespace byoshin::local::dynamodb {

enum class Select { kDefault, kAll, kAllProjected, kSpecific, kCount };

// The parameters.
struct RangeRead {
  std::string table_name{};
  std::string index_name{};  // empty: the table itself
  Select select = Select::kDefault;
  std::optional<int64_t> limit{};
  std::optional<Item> start_key{};  // ExclusiveStartKey
  std::optional<ConditionExpression> filter{};
  std::optional<ProjectionExpression> projection{};
  // How the projection and the filter were written, for errors.
  absl::string_view projection_name = "ProjectionExpression";
  absl::string_view filter_name = "Filter Expression";
  Consistency consistency = Consistency::kEventual;
  CapacityDetail capacity = CapacityDetail::kNone;
};

// Reads the parameters above, except expressions and start key.
RangeRead ReadRangeParameters(const Json::Value& request);
// Whether it is one of the errors about attribute values that AWS does not
// prefix, in a start key or in a filter of the older kind.
bool IsPlainValueError(const absl::Status& status);
// ExclusiveStartKey, if the request has it.
absl::StatusOr<std::optional<Item>> ReadStartKey(const Json::Value& request,
                                                 ValueWording wording);
// Replaces projection and filter by those in the legacy form, if there are any.
// `filter_name` is QueryFilter or ScanFilter.
struct LegacyRead {
  std::optional<ProjectionExpression> projection{};
  std::optional<ConditionExpression> filter{};
};
// AWS names a mistake in ScanFilter after one in AttributesToGet and in its
// older words, one in QueryFilter before it and in the newer ones.
enum class LegacyRules { kOfQuery, kOfScan };
absl::StatusOr<LegacyRead> ReadLegacyParameters(const Json::Value& request,
                                                const char* filter_name,
                                                LegacyRules rules);
void Replace(LegacyRead legacy, const char* filter_name, RangeRead& read);
// Checks that Select and the projection are compatible.
absl::Status CheckSelect(const RangeRead& read);
Shape SelectShape();

// The source of a read: a table or one of its indexes.
struct Source {
  const Table* table = nullptr;
  const Index* index = nullptr;  // null: the table itself
  const KeySchema* keys = nullptr;
  std::string prefix{};  // of its entries in the store

  // The number of attributes in a start key.
  size_t StartKeySize() const;
  // The key of this item's entry, after the prefix.
  std::string PlaceOfEntry(const Item& item) const;
};

// AWS's error if there is no such index, or it can't be read in this way.
absl::StatusOr<Source> FindSource(const Table& table, const RangeRead& read);

// Checks that the index has the requested attributes; AWS's error if it has not
// and can't read them from the table.
absl::Status CheckProjected(const Source& source, const RangeRead& read);

inline constexpr absl::string_view kInvalidStartKey =
    "The provided starting key is invalid";

// The attributes of a start key: those of the source's key, then those of the
// table's.
absl::Status CheckStartKeyAttributes(const KeySchema& keys,
                                     const Item& start_key);
absl::Status CheckStartKeySchema(const Source& source, const Item& start_key);

struct Page {
  KeyRange range{};
  Store::Direction direction = Store::Direction::kForward;
  // Whether there can be a next one, so that LastEvaluatedKey is returned.
  bool may_continue = true;
};

// Excludes entries up to and including `start_key` from `page`.
void StartAfter(const Source& source, const Item& start_key, Page& page);

// The answer's JSON.
absl::StatusOr<std::string> ReadPage(Database& database, const Source& source,
                                     const RangeRead& read, const Page& page);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_RANGE_READ_H_
