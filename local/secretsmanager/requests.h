// What the requests and answers of several operations have in common.
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_REQUESTS_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_REQUESTS_H_

#include <json/json.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/json_fields.h"
#include "local/secretsmanager/operations.h"
#include "local/secretsmanager/secret.h"

namespace byoshin::local::secretsmanager {

// Which secrets an operation is for.
enum class Wanted {
  kAny,
  kNotDeleted,  // not scheduled for deletion
  kChangeable,  // the same, and not owned by a service
};
// The secret that SecretId names; never null.
absl::StatusOr<Secret*> FindSecret(OperationContext& context,
                                   JsonFields& fields, Wanted wanted);

// The value in the request; nullopt if there is none.
absl::StatusOr<std::optional<SecretValue>> ReadValue(JsonFields& fields);
// ClientRequestToken, the id of the version to create.
absl::StatusOr<std::string> ReadToken(JsonFields& fields);

using Tags = std::map<std::string, std::string>;
absl::StatusOr<Tags> ReadTags(JsonFields& fields);

// Whether the secret has this version already. ResourceExists if its value is
// another.
absl::StatusOr<bool> IsRepeated(const Secret& secret, const std::string& token,
                                const SecretValue& value);

// Seconds since 1970.
Json::Value TimeJson(absl::Time time);
Json::Value TagsJson(const Tags& tags);
// {"ARN": …, "Name": …}
Json::Value IdentityOf(const Secret& secret);
// What DescribeSecret and ListSecrets have in common.
Json::Value DescriptionOf(const Secret& secret);
// The stages of each version that has some.
Json::Value VersionsToStages(const Secret& secret);

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_REQUESTS_H_
