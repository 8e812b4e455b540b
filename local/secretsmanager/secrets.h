// Secrets, for services that read or own them.
//
//   Secrets& secrets = host.Get<Secrets>();
//   absl::StatusOr<std::string> arn = secrets.CreateManaged(
//       {.name = "rds!cluster-8ba0…", .owning_service = "rds",
//        .value = R"({"username":"postgres","password":"…"})"});
//   absl::StatusOr<std::string> value = secrets.CurrentValue(*arn);
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_SECRETS_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_SECRETS_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::secretsmanager {

// A secret that another service owns: users can read it, but not change or
// delete it.
struct ManagedSecret {
  std::string name{};  // "rds!cluster-<uuid>"
  std::string description{};
  std::string owning_service{};  // "rds"
  std::string value{};           // the SecretString: JSON
  std::map<std::string, std::string> tags{};
  // Empty for the region of the cloud.
  std::string region{};
  // Empty for a new secret. Otherwise that of one that was lost and is created
  // again; then name and region are those in the ARN.
  std::string arn{};
};

// Thread-safe. No error contains a secret's value.
class Secrets {
 public:
  virtual ~Secrets() = default;

  // The SecretString of the version with the stage AWSCURRENT. Takes an ARN,
  // also a partial one, or a name in the region of the cloud. NotFound if there
  // is no such secret or it has no such version; FailedPrecondition if it is
  // scheduled for deletion or has a binary value. Does not block.
  virtual absl::StatusOr<std::string> CurrentValue(
      absl::string_view arn_or_name) const = 0;

  // The next three block until the change is committed: not for the gateway's
  // threads.

  // Returns the ARN. AlreadyExists if the name is taken; InvalidArgument if the
  // given ARN is invalid.
  virtual absl::StatusOr<std::string> CreateManaged(
      const ManagedSecret& secret) = 0;
  // A new version of a managed secret; the previous one becomes AWSPREVIOUS.
  virtual absl::Status PutManaged(absl::string_view arn,
                                  absl::string_view value) = 0;
  // Deletes it at once. A missing secret is not an error.
  virtual absl::Status DeleteManaged(absl::string_view arn) = 0;
};

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_SECRETS_H_
