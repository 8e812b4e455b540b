// Tries the local Secrets Manager on any request: the operation on the first
// line, the body after it. Whatever the request says, it gets an answer, which
// is JSON, an error is the caller's, and none contains the value of a secret
// unless the request may read it.
#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/gateway/service.h"
#include "local/secretsmanager/secretsmanager.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::secretsmanager {
namespace {

constexpr char kRegion[] = "eu-west-1";
constexpr char kAccount[] = "000000000000";
constexpr char kValue[] = "the value of the secret";
// How many requests a service gets before it is made anew.
constexpr int kRequests = 256;

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

class Target {
 public:
  Target() {
    Require(manager_
                ->CreateManaged({.name = "rds!cluster-1",
                                 .owning_service = "rds",
                                 .value = kValue})
                .ok(),
            "created");
    const Answer created = Handle(
        "CreateSecret",
        R"({"Name":"db","SecretString":"the value of the secret",)"
        R"("ClientRequestToken":"11111111-1111-1111-1111-111111111111"})");
    Require(created.status == 200, "created");
  }

  void Try(absl::string_view operation, absl::string_view body) {
    const Answer answer = Handle(operation, body);
    Require(answer.status >= 200 && answer.status < 500,
            "an error is the caller's");
    const absl::StatusOr<Json::Value> value = json::ParseValue(answer.body);
    Require(value.ok() && value->isObject(), "an answer is a JSON object");
    Require(!absl::StrContains(answer.body, kValue) ||
                operation == "GetSecretValue" ||
                operation == "BatchGetSecretValue" ||
                absl::StrContains(body, kValue),
            "only a read has the value");
    Require(manager_->CurrentValue("rds!cluster-1").value_or("") == kValue,
            "a managed secret is unchanged");
  }

 private:
  // Waits for the answer, which another thread may give.
  Answer Handle(absl::string_view operation, absl::string_view body) {
    const Call call{.operation = std::string(operation),
                    .body = std::string(body),
                    .region = kRegion,
                    .caller = {.account_id = kAccount}};
    manager_->PermissionsFor(call);
    return async::Await<Answer>(
        [&](auto done) { manager_->Handle(call, done); });
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1764670980)};
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  std::unique_ptr<SecretsManager> manager_ = *SecretsManager::Open(
      {.store = *store_, .clock = clock_, .region = kRegion});
};

void TryRequest(absl::string_view data) {
  static std::unique_ptr<Target>& target = *new std::unique_ptr<Target>;
  static int requests = 0;
  if (requests++ % kRequests == 0) target = std::make_unique<Target>();
  const std::pair<absl::string_view, absl::string_view> lines =
      absl::StrSplit(data, absl::MaxSplits('\n', 1));
  target->Try(lines.first, lines.second);
}

}  // namespace
}  // namespace byoshin::local::secretsmanager

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  byoshin::local::secretsmanager::TryRequest(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
