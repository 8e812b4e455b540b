// Secrets Manager over its own wire protocol.
//
//   aws::secretsmanager::JsonClient secrets(
//       {.http = http, .clock = clock, .environment = env::OfProcess()});
#ifndef BYOSHIN_CORE_AWS_SECRETSMANAGER_JSON_CLIENT_H_
#define BYOSHIN_CORE_AWS_SECRETSMANAGER_JSON_CLIENT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/json_protocol.h"
#include "core/aws/secretsmanager/client.h"

namespace byoshin::aws::secretsmanager {

// Not thread-safe.
class JsonClient final : public Client {
 public:
  explicit JsonClient(ClientDependencies dependencies);

  absl::StatusOr<std::string> GetSecretValue(absl::string_view secret_id,
                                             absl::Time deadline) override;

 private:
  JsonProtocol protocol_;
};

}  // namespace byoshin::aws::secretsmanager

#endif  // BYOSHIN_CORE_AWS_SECRETSMANAGER_JSON_CLIENT_H_
