// Finds out who sent a request, by its signature (AWS Signature Version 4, in
// the Authorization header or presigned in the URL), and turns away who can't
// prove it.
//
//   Authenticator authenticator(credentials, clock);
//   absl::StatusOr<Identity> identity = authenticator.Authenticate(
//       request, {.protocol = WireProtocol::kJson10, .service = "dynamodb"});
//   if (!identity.ok()) return JsonErrorAnswer(identity.status(), kCoral);
//   identity->caller.account_id;  // "000000000000"
//   identity->region;             // "eu-central-1"
//
// Checks what AWS checks, in its order and with its messages.
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

// How far a request's time may be from ours, as SQS and DynamoDB have it.
inline constexpr absl::Duration kMaxClockSkew = absl::Minutes(15);
// Of presigned requests: X-Amz-Expires is at most this.
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
    // That the signature must be for; empty if only the signature says which
    // service is meant.
    absl::string_view service = "";
  };

  // `clock` is what signatures' times are held against; it may differ from the
  // services' where time is simulated but clients sign by the wall clock. Both
  // outlive the authenticator.
  Authenticator(const CredentialSet& credentials, const time::Clock& clock)
      : credentials_(credentials), clock_(clock) {}

  // Errors are AuthError()s, or as of ReadSignatureClaim(). None tells a
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
