// The filter of ListUsers.
//
//   absl::StatusOr<UserFilter> filter = ParseUserFilter("email ^= \"jane\"");
//   Matches(*filter, user);
#ifndef BYOSHIN_LOCAL_COGNITO_USER_FILTER_H_
#define BYOSHIN_LOCAL_COGNITO_USER_FILTER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/cognito/kept.pb.h"

namespace byoshin::local::cognito {

struct UserFilter {
  // Empty: all users.
  std::string attribute{};
  bool is_prefix = false;
  std::string value{};
};

// InvalidParameterException if it can't be parsed.
absl::StatusOr<UserFilter> ParseUserFilter(absl::string_view text);

bool Matches(const UserFilter& filter, const kept::User& user);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_USER_FILTER_H_
