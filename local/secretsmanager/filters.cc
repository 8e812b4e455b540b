#include "local/secretsmanager/filters.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/gateway/json_fields.h"
#include "local/secretsmanager/errors.h"
#include "local/secretsmanager/limits.h"

namespace byoshin::local::secretsmanager {
namespace {

// Whether each word of `text` is in one of the secret's attributes.
bool MatchesAll(const Secret& secret, absl::string_view text) {
  std::string attributes = absl::StrJoin(
      {secret.name, secret.description, secret.region, secret.owning_service},
      "\n");
  for (const auto& [key, value] : secret.tags) {
    absl::StrAppend(&attributes, "\n", key, "\n", value);
  }
  absl::AsciiStrToLower(&attributes);
  const std::string lower = absl::AsciiStrToLower(text);
  const std::vector<absl::string_view> words =
      absl::StrSplit(lower, absl::ByAnyChar(" /_+=.@-"), absl::SkipEmpty());
  return std::all_of(words.begin(), words.end(), [&](absl::string_view word) {
    return absl::StrContains(attributes, word);
  });
}

bool MatchesOne(const Secret& secret, const std::string& key,
                absl::string_view value) {
  const auto any_tag = [&](auto matches) {
    return std::any_of(secret.tags.begin(), secret.tags.end(), matches);
  };
  if (key == "name") return absl::StartsWith(secret.name, value);
  if (key == "description") {
    return absl::StartsWithIgnoreCase(secret.description, value);
  }
  if (key == "tag-key") {
    return any_tag(
        [&](const auto& tag) { return absl::StartsWith(tag.first, value); });
  }
  if (key == "tag-value") {
    return any_tag(
        [&](const auto& tag) { return absl::StartsWith(tag.second, value); });
  }
  if (key == "primary-region") return absl::StartsWith(secret.region, value);
  if (key == "owning-service") {
    return absl::StartsWith(secret.owning_service, value);
  }
  return MatchesAll(secret, value);
}

}  // namespace

absl::StatusOr<std::vector<Filter>> ReadFilters(JsonFields& fields) {
  std::vector<Filter> filters;
  for (JsonFields& entry : fields.Objects("Filters")) {
    Filter filter{.key = entry.Text("Key"), .values = entry.Texts("Values")};
    if (filter.key.empty()) entry.Required("Key");
    if (filter.values.empty() && fields.status().ok()) {
      return InvalidParameter("Invalid filter values: specify at least one.");
    }
    filters.push_back(std::move(filter));
  }
  if (!fields.status().ok()) return fields.status();
  return filters;
}

bool Matches(const Secret& secret, const std::vector<Filter>& filters) {
  return std::all_of(filters.begin(), filters.end(), [&](const Filter& filter) {
    return std::any_of(filter.values.begin(), filter.values.end(),
                       [&](absl::string_view value) {
                         const bool negated = absl::ConsumePrefix(&value, "!");
                         return MatchesOne(secret, filter.key, value) !=
                                negated;
                       });
  });
}

}  // namespace byoshin::local::secretsmanager
