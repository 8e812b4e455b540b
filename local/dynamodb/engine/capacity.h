// ConsumedCapacity: what requests would have cost on AWS.
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

// Of `bytes` read, in units of 4 KB: a half for each of an eventually
// consistent read, two in a transaction. Nothing there counts as one unit.
double ReadUnits(int64_t bytes, Consistency consistency);

// What the caller wants to know: ReturnConsumedCapacity.
enum class CapacityDetail { kNone, kTotal, kIndexes };
CapacityDetail ParseCapacityDetail(absl::string_view text);

// Single reads and writes tell no more than their sum; transactions, and
// batches of writes in them, tell reads and writes apart.
enum class CapacityKind { kPlain, kRead, kWrite };

// What one table and its indexes have used. Belongs to one thread.
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

// "ConsumedCapacity":{...}, with the comma; nothing for kNone.
void AppendCapacityMember(const Capacity& capacity,
                          absl::string_view table_name, CapacityDetail detail,
                          std::string& out);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_ENGINE_CAPACITY_H_
