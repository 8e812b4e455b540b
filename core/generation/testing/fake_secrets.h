// A secretsmanager::Client for tests with the secrets that the test puts there.
#ifndef BYOSHIN_CORE_GENERATION_TESTING_FAKE_SECRETS_H_
#define BYOSHIN_CORE_GENERATION_TESTING_FAKE_SECRETS_H_

#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/secretsmanager/client.h"

namespace byoshin::generation::testing {

// Not thread-safe.
class FakeSecrets final : public aws::secretsmanager::Client {
 public:
  void Put(const std::string& arn, std::string value) {
    secrets_[arn] = std::move(value);
  }

  absl::StatusOr<std::string> GetSecretValue(absl::string_view secret_id,
                                             absl::Time) override {
    const auto found = secrets_.find(std::string(secret_id));
    if (found == secrets_.end()) return absl::NotFoundError("no such secret");
    return found->second;
  }

 private:
  std::map<std::string, std::string> secrets_;
};

}  // namespace byoshin::generation::testing

#endif  // BYOSHIN_CORE_GENERATION_TESTING_FAKE_SECRETS_H_
