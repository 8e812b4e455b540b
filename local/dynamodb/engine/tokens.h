// Transactions that have been done, by the token their callers gave them, so
// that one that is sent again is not done again.
//
//   absl::StatusOr<std::optional<std::string>> done =
//       FindToken(database, region, token);
//   if (done->has_value() && **done != digest) ...  // another request's token
//   ...
//   SaveToken(database, region, token, digest);
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html#DDB-TransactWriteItems-request-ClientRequestToken
#ifndef BYOSHIN_LOCAL_DYNAMODB_ENGINE_TOKENS_H_
#define BYOSHIN_LOCAL_DYNAMODB_ENGINE_TOKENS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/dynamodb/engine/database.h"

namespace byoshin::local::dynamodb {

// For how long a token is known.
inline constexpr absl::Duration kTokenLife = absl::Minutes(10);

// The digest it was saved with, if it is known still.
absl::StatusOr<std::optional<std::string>> FindToken(Database& database,
                                                     absl::string_view region,
                                                     absl::string_view token);

// Also forgets a few tokens whose time is over.
void SaveToken(Database& database, absl::string_view region,
               absl::string_view token, absl::string_view digest);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_ENGINE_TOKENS_H_
