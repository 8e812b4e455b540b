// The pools and clients that exist, for those who verify tokens: API Gateway,
// and the JWKS and OpenID documents that pools publish.
#ifndef BYOSHIN_LOCAL_COGNITO_DIRECTORY_H_
#define BYOSHIN_LOCAL_COGNITO_DIRECTORY_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/cognito/records.h"
#include "local/cognito/token_verifier.h"
#include "local/jwt/token.h"

namespace byoshin::local::cognito {

// The ID of a key in a JWKS: its thumbprint (RFC 7638).
std::string KeyIdOf(const jwt::RsaKey& key);

// Thread-safe.
class Directory final : public TokenVerifier {
 public:
  struct Pool {
    std::string arn{};
    std::string issuer{};
    jwt::SigningKey key;
    std::set<std::string> client_ids{};
  };

  // The clock outlives it.
  explicit Directory(const time::Clock& clock) : clock_(clock) {}

  // Reads all pools and clients again. DataLoss if a key can't be read.
  absl::Status Load(Records& records);

  Verdict Verify(const TokenToVerify& token) const override;

  // Null if there is no such pool.
  std::shared_ptr<const Pool> Find(absl::string_view pool_id) const;

 private:
  using Pools = std::map<std::string, std::shared_ptr<const Pool>, std::less<>>;

  const time::Clock& clock_;
  mutable sync::Mutex mutex_;
  Pools pools_ ABSL_GUARDED_BY(mutex_);
};

// The documents of a pool, which anybody may read.
// https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-tokens-verifying-a-jwt.html
std::string JwksText(const Directory::Pool& pool);
// `jwks_url` is the address of the former.
std::string OpenIdConfigurationText(const Directory::Pool& pool,
                                    absl::string_view jwks_url);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_DIRECTORY_H_
