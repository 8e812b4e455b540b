// TimeToLive: items that go by themselves. The store has an entry for each item
// that expires, in the order of time, so that nothing has to look for them.
//
//   absl::StatusOr<int> removed = RemoveExpired(database, /*limit=*/100);
//   absl::StatusOr<absl::Time> next = NextExpiry(database);
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
#ifndef BYOSHIN_LOCAL_DYNAMODB_ENGINE_EXPIRY_H_
#define BYOSHIN_LOCAL_DYNAMODB_ENGINE_EXPIRY_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/dynamodb/engine/database.h"
#include "local/dynamodb/engine/table.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

// Items that should have expired longer ago than this are kept, as AWS does: a
// number that small is likely to mean something else.
inline constexpr absl::Duration kOldestExpiry = absl::Hours(24 * 365 * 5);

// Keeps the entry of the item at `place` right; null where there is no item.
void ChangeExpiry(Database& database, const Table& table,
                  absl::string_view place, const Item* before,
                  const Item* after);

// Makes the entries of a table whose TimeToLive has been enabled, or removes
// those of one whose has been disabled.
absl::Status RebuildExpiry(Database& database, const Table& table);

// Removes up to `limit` items that have expired; returns how many.
absl::StatusOr<int> RemoveExpired(Database& database, int limit);

// When the next item expires; InfiniteFuture if none does.
absl::StatusOr<absl::Time> NextExpiry(Database& database);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_ENGINE_EXPIRY_H_
