#include "core/aws/credentials.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/env/environment.h"

namespace byoshin::aws {

absl::StatusOr<Credentials> CredentialsFrom(
    const env::Environment& environment) {
  absl::StatusOr<std::string> access_key_id =
      env::Required(environment, "AWS_ACCESS_KEY_ID");
  if (!access_key_id.ok()) return access_key_id.status();
  absl::StatusOr<std::string> secret_access_key =
      env::Required(environment, "AWS_SECRET_ACCESS_KEY");
  if (!secret_access_key.ok()) return secret_access_key.status();
  return Credentials{
      .access_key_id = *std::move(access_key_id),
      .secret_access_key = Secret(*std::move(secret_access_key)),
      .session_token = Secret(environment("AWS_SESSION_TOKEN").value_or("")),
  };
}

}  // namespace byoshin::aws
