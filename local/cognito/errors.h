// The errors of Cognito's API, in AWS's words.
// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/CommonErrors.html
#ifndef BYOSHIN_LOCAL_COGNITO_ERRORS_H_
#define BYOSHIN_LOCAL_COGNITO_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cognito {

inline constexpr char kInvalidParameter[] = "InvalidParameterException";

absl::Status ApiError(absl::string_view code, absl::string_view message);

absl::Status InvalidParameterError(absl::string_view message);
absl::Status NotAuthorizedError(absl::string_view message);
absl::Status ResourceNotFoundError(absl::string_view message);

absl::Status NoPoolError(absl::string_view pool_id);
absl::Status NoClientError(absl::string_view client_id);
absl::Status NoUserError();
absl::Status NoGroupError();
absl::Status WrongPasswordError();
// Errors about the Session of a challenge.
absl::Status InvalidSessionError();
absl::Status ExpiredSessionError();
absl::Status WrongCodeError();
absl::Status ExpiredCodeError();
// Errors about software tokens.
absl::Status UsedCodeError();
absl::Status NotVerifiedTokenError();
// For what AWS has and this cloud does not.
absl::Status UnsupportedError(absl::string_view what);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_ERRORS_H_
