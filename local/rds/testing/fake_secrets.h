// Secrets in memory, for tests of services that own some.
#ifndef BYOSHIN_LOCAL_RDS_TESTING_FAKE_SECRETS_H_
#define BYOSHIN_LOCAL_RDS_TESTING_FAKE_SECRETS_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/secretsmanager/secrets.h"

namespace byoshin::local::rds {

// Used by one thread at a time.
class FakeSecrets final : public secretsmanager::Secrets {
 public:
  absl::StatusOr<std::string> CurrentValue(
      absl::string_view arn) const override {
    const auto found = values.find(std::string(arn));
    if (found == values.end()) return absl::NotFoundError("no such secret");
    return found->second;
  }
  absl::StatusOr<std::string> CreateManaged(
      const secretsmanager::ManagedSecret& secret) override {
    if (!failure.ok()) return failure;
    std::string arn =
        secret.arn.empty()
            ? absl::StrCat(
                  "arn:aws:secretsmanager:us-east-1:000000000000:secret:",
                  secret.name)
            : secret.arn;
    values[arn] = secret.value;
    return arn;
  }
  absl::Status PutManaged(absl::string_view arn,
                          absl::string_view value) override {
    values[std::string(arn)] = std::string(value);
    return absl::OkStatus();
  }
  absl::Status DeleteManaged(absl::string_view arn) override {
    values.erase(std::string(arn));
    return absl::OkStatus();
  }

  // By ARN.
  std::map<std::string, std::string> values{};
  // Returned by CreateManaged().
  absl::Status failure = absl::OkStatus();
};

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_TESTING_FAKE_SECRETS_H_
