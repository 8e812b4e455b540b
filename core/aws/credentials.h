// AWS credentials.
//
//   absl::StatusOr<aws::Credentials> credentials =
//       aws::CredentialsFrom(environment);
//   if (!credentials.ok()) return credentials.status();
//
// They come only from environment variables, as Lambda sets them for a
// function; there are no profiles and no metadata service. Clients read them
// for each call, which costs little and makes expiry unproblematic.
#ifndef BYOSHIN_CORE_AWS_CREDENTIALS_H_
#define BYOSHIN_CORE_AWS_CREDENTIALS_H_

#include <ostream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/env/environment.h"

namespace byoshin::aws {

// A text that must not appear in logs, errors and test output. It is only
// accessible by an explicit call.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}

  const std::string& Reveal() const { return text_; }
  bool empty() const { return text_.empty(); }

  friend std::ostream& operator<<(std::ostream&, const Secret&) = delete;
  // googletest would show the bytes otherwise.
  friend void PrintTo(const Secret&, std::ostream* out) { *out << "[secret]"; }

 private:
  std::string text_;
};

struct Credentials {
  // Not secret: it is part of every signature.
  std::string access_key_id{};
  Secret secret_access_key{};
  // For temporary credentials, such as Lambda's; otherwise empty.
  Secret session_token{};

  friend void PrintTo(const Credentials& credentials, std::ostream* out) {
    *out << "credentials of " << credentials.access_key_id;
  }
};

// From AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, if set, AWS_SESSION_TOKEN.
// FailedPrecondition, naming the variable, if one of the first two is missing.
absl::StatusOr<Credentials> CredentialsFrom(
    const env::Environment& environment);

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_CREDENTIALS_H_
