// Amazon Cognito user pools of the local cloud.
//
//   absl::StatusOr<std::unique_ptr<Cognito>> cognito =
//       Cognito::Open(store, clock, {});
//   gateway.Add(**cognito);
#ifndef BYOSHIN_LOCAL_COGNITO_COGNITO_H_
#define BYOSHIN_LOCAL_COGNITO_COGNITO_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/async/workers.h"
#include "core/time/clock.h"
#include "local/cognito/database.h"
#include "local/cognito/directory.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/operations.h"
#include "local/cognito/token_verifier.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/store/store.h"

namespace byoshin::local::cognito {

// Thread-safe.
class Cognito final : public Service {
 public:
  // DataLoss if the store is damaged. Store and clock outlive it.
  static absl::StatusOr<std::unique_ptr<Cognito>> Open(Store& store,
                                                       time::Clock& clock,
                                                       CognitoOptions options);

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

  // The pools, their clients and keys.
  const Directory& directory() const { return directory_; }
  TokenVerifier& verifier() { return directory_; }

  // The pools and clients that a resource of a template has created; see
  // kOwnerHeader.
  absl::StatusOr<std::vector<kept::Pool>> PoolsOwnedBy(
      absl::string_view owner_prefix);
  absl::StatusOr<std::vector<kept::Client>> ClientsOwnedBy(
      absl::string_view owner_prefix);

 private:
  Cognito(Store& store, time::Clock& clock, CognitoOptions options);

  time::Clock& clock_;
  const CognitoOptions options_;
  Directory directory_;
  Database database_;
  // Last: its threads use all of the above.
  async::Workers workers_;
};

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_COGNITO_H_
