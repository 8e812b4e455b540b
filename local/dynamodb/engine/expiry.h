// TimeToLive: items that expire. The store has an entry for each item that
// expires, sorted by time, so that no search is needed. An item is expired once
// the second that its attribute names is over.
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

// Items whose expiry is further in the past than this are kept, as on AWS: such
// a small number probably means something else.
inline constexpr absl::Duration kOldestExpiry = absl::Hours(24 * 365 * 5);

// Updates the entry of the item at `place`; null if there is no item.
void ChangeExpiry(Database& database, const Table& table,
                  absl::string_view place, const Item* before,
                  const Item* after);

// Creates the entries of a table whose TimeToLive was enabled, or removes them
// if it was disabled.
absl::Status RebuildExpiry(Database& database, const Table& table);

// Removes up to `limit` expired items and returns their number.
absl::StatusOr<int> RemoveExpired(Database& database, int limit);

// When the next item is to be removed; InfiniteFuture if none is.
absl::StatusOr<absl::Time> NextExpiry(Database& database);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_ENGINE_EXPIRY_H_
