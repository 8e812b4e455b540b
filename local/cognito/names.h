// The forms of names, addresses and numbers of users.
#ifndef BYOSHIN_LOCAL_COGNITO_NAMES_H_
#define BYOSHIN_LOCAL_COGNITO_NAMES_H_

#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::cognito {

bool IsEmail(absl::string_view text);
// "+14325551212" (E.164).
bool IsPhone(absl::string_view text);
// A user's name: from 1 to 128 printable characters without spaces.
bool IsUserName(absl::string_view text);

// What of the address is shown to somebody who asks for a code: "j***@e***",
// "+*******1212".
std::string MaskedAddress(absl::string_view address);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_NAMES_H_
