// Passwords of database users.
#ifndef BYOSHIN_LOCAL_RDS_PASSWORD_H_
#define BYOSHIN_LOCAL_RDS_PASSWORD_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::rds {

// A password that can't be guessed: letters and digits, from the kernel's
// generator.
absl::StatusOr<std::string> NewPassword();

// InvalidArgument, in RDS's words, if it is not allowed for a master user.
// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateDBCluster.html
absl::Status CheckMasterPassword(absl::string_view password);

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_PASSWORD_H_
