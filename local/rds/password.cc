#include "local/rds/password.h"

#include <errno.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::rds {
namespace {

constexpr std::size_t kRandomBytes = 24;
constexpr std::size_t kMinLength = 8;
constexpr std::size_t kMaxLength = 128;
constexpr absl::string_view kForbidden = "/@\" ";

}  // namespace

absl::StatusOr<std::string> NewPassword() {
  std::array<char, kRandomBytes> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) !=
      static_cast<ssize_t>(bytes.size())) {
    return absl::ErrnoToStatus(errno, "making a password");
  }
  return absl::BytesToHexString({bytes.data(), bytes.size()});
}

absl::Status CheckMasterPassword(absl::string_view password) {
  constexpr char kInvalid[] =
      "The parameter MasterUserPassword is not a valid password";
  if (password.size() < kMinLength) {
    return absl::InvalidArgumentError(absl::StrCat(
        kInvalid, " because it is shorter than ", kMinLength, " characters."));
  }
  if (password.size() > kMaxLength) {
    return absl::InvalidArgumentError(absl::StrCat(
        kInvalid, " because it is longer than ", kMaxLength, " characters."));
  }
  if (!std::all_of(password.begin(), password.end(), [](char c) {
        return absl::ascii_isprint(static_cast<unsigned char>(c)) &&
               kForbidden.find(c) == absl::string_view::npos;
      })) {
    return absl::InvalidArgumentError(
        absl::StrCat(kInvalid,
                     ". Only printable ASCII characters besides '/', '@', "
                     "'\"', ' ' may be used."));
  }
  return absl::OkStatus();
}

}  // namespace byoshin::local::rds
