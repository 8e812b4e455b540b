// The part of Secrets Manager that Byoshin's functions call.
//
//   absl::StatusOr<std::string> secret = client.GetSecretValue(arn, deadline);
//
// JsonClient (json_client.h) speaks the wire protocol itself. Never log a
// secret.
#ifndef BYOSHIN_CORE_AWS_SECRETSMANAGER_CLIENT_H_
#define BYOSHIN_CORE_AWS_SECRETSMANAGER_CLIENT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::aws::secretsmanager {

// Calls Secrets Manager. Not thread-safe. Errors are those of aws::ToStatus().
class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  // The text of the secret's current version. FailedPrecondition if the secret
  // is binary.
  // https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
  virtual absl::StatusOr<std::string> GetSecretValue(
      absl::string_view secret_id, absl::Time deadline) = 0;
};

}  // namespace byoshin::aws::secretsmanager

#endif  // BYOSHIN_CORE_AWS_SECRETSMANAGER_CLIENT_H_
