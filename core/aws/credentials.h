// Who we are to AWS.
//
//   absl::StatusOr<aws::Credentials> credentials =
//       aws::CredentialsFrom(environment);
//   if (!credentials.ok()) return credentials.status();
//
// They come from the environment alone, as Lambda gives them to a function and
// as everybody else can set them; there are no profiles and no metadata
// service. Clients read them anew for each call: three look-ups are nothing
// beside a request, and nobody has to think about when they expire.
#ifndef BYOSHIN_CORE_AWS_CREDENTIALS_H_
#define BYOSHIN_CORE_AWS_CREDENTIALS_H_

#include <ostream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/env/environment.h"

namespace byoshin::aws {

// A text that must not get into logs, errors and test output. It has to be
// asked for by name.
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
  // Of temporary credentials, such as Lambda's; empty for others.
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
