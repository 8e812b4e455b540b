// The Secure Remote Password protocol (RFC 5054), by which a user proves to
// know a password without sending it, in the variant that Cognito's clients
// use: SHA-256, the 3072-bit group of RFC 3526, and a key by HKDF.
//
//   const SrpVerifier kept = NewSrpVerifier({pool_id, user_id, password});
//   const SrpServer server = BeginSrp(kept.verifier);
//   absl::StatusOr<std::string> key =
//       SrpKey(client_public, server, kept.verifier);
//   SrpSignature(*key, {pool_id, user_id, secret_block, timestamp});
#ifndef BYOSHIN_LOCAL_COGNITO_SRP_H_
#define BYOSHIN_LOCAL_COGNITO_SRP_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cognito {

struct SrpIdentity {
  absl::string_view pool_id{};
  // The user name, not an alias.
  absl::string_view user_id{};
  absl::string_view password{};
};

// Both as big-endian bytes.
struct SrpVerifier {
  std::string salt{};
  std::string verifier{};
};
SrpVerifier NewSrpVerifier(const SrpIdentity& identity);

struct SrpServer {
  // Big-endian bytes.
  std::string private_value{};
  // Lower-case hexadecimal digits, as clients get it.
  std::string public_value{};
};
SrpServer BeginSrp(absl::string_view verifier);

// The session's key, from the client's public value in hexadecimal digits.
// InvalidArgument if it is not a number, or one that gives the key away.
absl::StatusOr<std::string> SrpKey(absl::string_view client_public,
                                   const SrpServer& server,
                                   absl::string_view verifier);

struct SrpClaim {
  absl::string_view pool_id{};
  absl::string_view user_id{};
  absl::string_view secret_block{};
  absl::string_view timestamp{};
};
// What the client signs with the key, in base 64.
std::string SrpSignature(absl::string_view key, const SrpClaim& claim);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_SRP_H_
