#include "local/dynamodb/engine/tokens.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::dynamodb {
namespace {

// More than are saved at a time, so that old ones don't accumulate.
constexpr size_t kForgottenAtATime = 10;
constexpr size_t kEndTimeBytes = 8;

// The expiry of a token in the format of TokenEndPrefix(), without the tag.
std::string EndBytes(absl::Time end) {
  return store_keys::TokenEndPrefix(end).substr(1);
}

void ForgetOld(Database& database) {
  std::vector<std::string> ends;
  (void)database.store().Scan(
      {.begin = "L", .end = store_keys::TokenEndPrefix(database.Now())},
      Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view) {
        ends.emplace_back(key);
        return ends.size() < kForgottenAtATime ? Store::Visit::kContinue
                                               : Store::Visit::kStop;
      });
  for (const std::string& end : ends) {
    const std::string token_key = end.substr(1 + kEndTimeBytes);
    const absl::StatusOr<std::optional<std::string>> value =
        database.store().Get(token_key);
    // The token may have been used again since.
    if (value.ok() && value->has_value() &&
        (*value)->compare(0, kEndTimeBytes, end, 1, kEndTimeBytes) == 0) {
      (void)database.store().Delete(token_key);
    }
    (void)database.store().Delete(end);
  }
}

}  // namespace

absl::StatusOr<std::optional<std::string>> FindToken(Database& database,
                                                     absl::string_view region,
                                                     absl::string_view token) {
  absl::StatusOr<std::optional<std::string>> value =
      database.store().Get(store_keys::TokenKey(region, token));
  if (!value.ok() || !value->has_value()) return value;
  if ((*value)->substr(0, kEndTimeBytes) <= EndBytes(database.Now())) {
    return std::optional<std::string>();
  }
  return std::optional<std::string>((*value)->substr(kEndTimeBytes));
}

void SaveToken(Database& database, absl::string_view region,
               absl::string_view token, absl::string_view digest) {
  ForgetOld(database);
  const absl::Time end = database.Now() + kTokenLife;
  const std::string key = store_keys::TokenKey(region, token);
  (void)database.store().Put(key, absl::StrCat(EndBytes(end), digest));
  (void)database.store().Put(absl::StrCat(store_keys::TokenEndPrefix(end), key),
                             "");
}

}  // namespace byoshin::local::dynamodb
