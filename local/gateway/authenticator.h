// Authenticates requests by their signature (AWS Signature Version 4, in the
// Authorization header or presigned in the URL).
//
//   Authenticator authenticator(credentials, clock);
//   absl::StatusOr<Identity> identity = authenticator.Authenticate(
//       request, {.protocol = WireProtocol::kJson10, .service = "dynamodb"});
//   if (!identity.ok()) return JsonErrorAnswer(identity.status(), kCoral);
//   identity->caller.account_id;  // "000000000000"
//   identity->region;             // "eu-central-1"
//
// Checks are made in AWS's order, and errors have AWS's messages.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html
#ifndef BYOSHIN_LOCAL_GATEWAY_AUTHENTICATOR_H_
#define BYOSHIN_LOCAL_GATEWAY_AUTHENTICATOR_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/time/clock.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/gateway/signature_claim.h"

namespace byoshin::local {

// How far a request's time may differ from the clock; the limit of SQS and
// DynamoDB.
inline constexpr absl::Duration kMaxClockSkew = absl::Minutes(15);
// The maximum of X-Amz-Expires in presigned requests.
inline constexpr absl::Duration kMaxPresignedLife = absl::Hours(24 * 7);

struct Identity {
  Caller caller{};
  // Of the credential scope.
  std::string region{};
  std::string service{};
};

// Thread-safe.
class Authenticator {
 public:
  struct Expectation {
    WireProtocol protocol = WireProtocol::kJson10;
    // The service that the signature must be for; empty to accept the one that
    // it names.
    absl::string_view service = "";
  };

  // Signature times are compared with `clock`. It may differ from the clock of
  // the services: where time is simulated, clients still sign by the wall
  // clock. Both must outlive the authenticator.
  Authenticator(const CredentialSet& credentials, const time::Clock& clock)
      : credentials_(credentials), clock_(clock) {}

  // Errors are those of AuthError() and ReadSignatureClaim(). None contains a
  // secret.
  absl::StatusOr<Identity> Authenticate(const http::ServerRequest& request,
                                        const Expectation& expectation) const;

 private:
  absl::Status CheckTime(const SignatureClaim& claim,
                         WireProtocol protocol) const;
  absl::Status CheckToken(const SignatureClaim& claim,
                          const LocalCredentials& credentials,
                          WireProtocol protocol) const;

  const CredentialSet& credentials_;
  const time::Clock& clock_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_AUTHENTICATOR_H_
