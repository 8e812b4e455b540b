// Completed transactions by their client tokens, so that a repeated request is
// not executed again.
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

// How long a token is remembered.
inline constexpr absl::Duration kTokenLife = absl::Minutes(10);

// The digest that it was saved with, unless it has expired.
absl::StatusOr<std::optional<std::string>> FindToken(Database& database,
                                                     absl::string_view region,
                                                     absl::string_view token);

// Also removes a few expired tokens.
void SaveToken(Database& database, absl::string_view region,
               absl::string_view token, absl::string_view digest);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_ENGINE_TOKENS_H_
