#include "core/aws/secretsmanager/json_client.h"

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/json_protocol.h"
#include "core/aws/secretsmanager/client.h"

namespace byoshin::aws::secretsmanager {

JsonClient::JsonClient(ClientDependencies dependencies)
    : protocol_(std::move(dependencies)) {}

absl::StatusOr<std::string> JsonClient::GetSecretValue(
    absl::string_view secret_id, absl::Time deadline) {
  Json::Value input(Json::objectValue);
  input["SecretId"] = std::string(secret_id);
  const absl::StatusOr<Json::Value> output = protocol_.Send(
      {.service = {.name = "secretsmanager", .variable = "SECRETS_MANAGER"},
       .target = "secretsmanager.GetSecretValue",
       .operation = "Secrets Manager GetSecretValue",
       .input = std::move(input)},
      deadline);
  if (!output.ok()) return output.status();
  const Json::Value& text = (*output)["SecretString"];
  if (!text.isString()) {
    return absl::FailedPreconditionError(
        "Secrets Manager GetSecretValue: the secret has no text; store it as "
        "SecretString");
  }
  return text.asString();
}

}  // namespace byoshin::aws::secretsmanager
