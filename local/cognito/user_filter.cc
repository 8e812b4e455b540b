#include "local/cognito/user_filter.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/cognito/errors.h"
#include "local/cognito/schema.h"
#include "local/cognito/users.h"

namespace byoshin::local::cognito {
namespace {

constexpr const char* kSearchable[] = {"cognito:user_status",
                                       "email",
                                       "family_name",
                                       "given_name",
                                       "name",
                                       "phone_number",
                                       "preferred_username",
                                       "status",
                                       "sub",
                                       "username"};

absl::Status BadFilter() {
  return InvalidParameterError("Error while parsing filter.");
}

// The text in quotation marks, in which a backslash precedes others.
absl::StatusOr<std::string> Unquoted(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, "\"") || !absl::ConsumeSuffix(&text, "\"")) {
    return BadFilter();
  }
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return BadFilter();
    if (text[i] == '\\') ++i;
    if (i == text.size()) return BadFilter();
    value.push_back(text[i]);
  }
  return value;
}

std::string ValueOf(const kept::User& user, const std::string& attribute) {
  if (attribute == "username") return user.username();
  if (attribute == "sub") return user.sub();
  if (attribute == "status") return user.enabled() ? "Enabled" : "Disabled";
  if (attribute == "cognito:user_status") return StatusName(user.status());
  return AttributeOf(user, attribute);
}

}  // namespace

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListUsers.html
absl::StatusOr<UserFilter> ParseUserFilter(absl::string_view text) {
  UserFilter filter;
  text = absl::StripAsciiWhitespace(text);
  if (text.empty()) return filter;
  const std::size_t at = text.find('=');
  if (at == text.npos) return BadFilter();
  absl::string_view name = text.substr(0, at);
  filter.is_prefix = absl::ConsumeSuffix(&name, "^");
  name = absl::StripAsciiWhitespace(name);
  // Some clients put the name in quotation marks, too.
  if (absl::ConsumePrefix(&name, "\"")) name = absl::StripSuffix(name, "\"");
  filter.attribute = std::string(name);
  bool known = false;
  for (const char* searchable : kSearchable) {
    known = known || filter.attribute == searchable;
  }
  if (!known) {
    return InvalidParameterError(
        absl::StrCat("Invalid search attribute: ", filter.attribute));
  }
  absl::StatusOr<std::string> value =
      Unquoted(absl::StripAsciiWhitespace(text.substr(at + 1)));
  if (!value.ok()) return value.status();
  filter.value = *std::move(value);
  return filter;
}

bool Matches(const UserFilter& filter, const kept::User& user) {
  if (filter.attribute.empty()) return true;
  const std::string value = ValueOf(user, filter.attribute);
  if (filter.attribute == "cognito:user_status" ||
      filter.attribute == "status") {
    return filter.is_prefix ? absl::StartsWithIgnoreCase(value, filter.value)
                            : absl::EqualsIgnoreCase(value, filter.value);
  }
  return filter.is_prefix ? absl::StartsWith(value, filter.value)
                          : value == filter.value;
}

}  // namespace byoshin::local::cognito
