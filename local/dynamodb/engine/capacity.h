// ConsumedCapacity: the capacity that requests would use on AWS.
//
//   Capacity capacity;
//   capacity.AddTable(ReadUnits(bytes, Consistency::kStrong));
//   AppendCapacityMember(capacity, "orders", CapacityDetail::kTotal, answer);
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
#ifndef BYOSHIN_LOCAL_DYNAMODB_ENGINE_CAPACITY_H_
#define BYOSHIN_LOCAL_DYNAMODB_ENGINE_CAPACITY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "local/dynamodb/engine/items.h"
#include "local/dynamodb/engine/table.h"

namespace byoshin::local::dynamodb {

enum class Consistency { kEventual, kStrong, kTransaction };

// The units for reading `bytes`, 4 KB each: halved for an eventually consistent
// read, doubled in a transaction. Reading nothing counts as one unit.
double ReadUnits(int64_t bytes, Consistency consistency);

// ReturnConsumedCapacity.
enum class CapacityDetail { kNone, kTotal, kIndexes };
CapacityDetail ParseCapacityDetail(absl::string_view text);

// Single reads and writes report only the sum; transactions report reads and
// writes separately.
enum class CapacityKind { kPlain, kRead, kWrite };

// The capacity used by a table and its indexes. Not thread-safe.
class Capacity {
 public:
  void AddTable(double units) { table_ += units; }
  void AddIndex(absl::string_view name, IndexKind kind, double units);
  // Each unit costs `factor`: 2 in a transaction.
  void AddWrite(const WriteUnits& units, double factor);

  double total() const;

  // {"TableName":...,"CapacityUnits":...}
  void AppendJson(absl::string_view table_name, CapacityDetail detail,
                  CapacityKind kind, std::string& out) const;

 private:
  using Units = std::map<std::string, double, std::less<>>;

  double table_ = 0;
  Units global_;
  Units local_;
};

// "ConsumedCapacity":{...}, with a trailing comma; nothing for kNone.
void AppendCapacityMember(const Capacity& capacity,
                          absl::string_view table_name, CapacityDetail detail,
                          std::string& out);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_ENGINE_CAPACITY_H_
