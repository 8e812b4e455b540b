#include "local/gateway/authenticator.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/aws/canonical_request.h"
#include "core/crypto/hex.h"
#include "core/crypto/sha256.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/http/url.h"
#include "local/gateway/auth_error.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/gateway/signature_claim.h"

namespace byoshin::local {
namespace {

constexpr char kUnsignedPayload[] = "UNSIGNED-PAYLOAD";
constexpr char kContentHashHeader[] = "x-amz-content-sha256";
constexpr char kContentHashParameter[] = "X-Amz-Content-Sha256";
// The prefix of headers that a signature must cover if they are present.
constexpr char kAwsHeaderPrefix[] = "x-amz-";
constexpr std::size_t kMaxRegionBytes = 64;

constexpr char kMismatch[] =
    "The request signature we calculated does not match the signature you "
    "provided. Check your AWS Secret Access Key and signing method. Consult "
    "the service documentation for details.";

std::string FormatBasic(absl::Time time) {
  return absl::FormatTime("%Y%m%dT%H%M%SZ", time, absl::UTCTimeZone());
}

// Reads "20150830T123600Z", many thousand times a second: absl::ParseTime()
// would cost more than the rest of the verification.
std::optional<absl::Time> ParseTime(absl::string_view text) {
  constexpr absl::string_view kForm = "ddddddddTddddddZ";
  if (text.size() != kForm.size()) return std::nullopt;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool fits =
        kForm[i] == 'd'
            ? absl::ascii_isdigit(static_cast<unsigned char>(text[i]))
            : text[i] == kForm[i];
    if (!fits) return std::nullopt;
  }
  const auto number = [&](std::size_t begin, std::size_t digits) {
    int value = 0;
    for (const char c : text.substr(begin, digits))
      value = value * 10 + c - '0';
    return value;
  };
  const std::array<int, 6> parts = {number(0, 4), number(4, 2),  number(6, 2),
                                    number(9, 2), number(11, 2), number(13, 2)};
  const absl::CivilSecond civil(parts[0], parts[1], parts[2], parts[3],
                                parts[4], parts[5]);
  // February 30 would otherwise be in March.
  const bool exists = civil.month() == parts[1] && civil.day() == parts[2] &&
                      civil.hour() == parts[3] && civil.minute() == parts[4] &&
                      civil.second() == parts[5];
  if (!exists) return std::nullopt;
  return absl::FromCivil(civil, absl::UTCTimeZone());
}

// How long a presigned request is valid; nullopt if the value is invalid.
std::optional<absl::Duration> ParseLife(absl::string_view seconds_text) {
  constexpr std::size_t kMaxDigits = 6;  // a week has 604800 seconds
  if (seconds_text.empty() || seconds_text.size() > kMaxDigits) {
    return std::nullopt;
  }
  int seconds = 0;
  for (const char c : seconds_text) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) {
      return std::nullopt;
    }
    seconds = seconds * 10 + (c - '0');
  }
  const absl::Duration life = absl::Seconds(seconds);
  if (seconds == 0 || life > kMaxPresignedLife) return std::nullopt;
  return life;
}

std::string FormatWindow(absl::Duration window) {
  return window % absl::Minutes(1) == absl::ZeroDuration()
             ? absl::StrCat(absl::ToInt64Minutes(window), " min.")
             : absl::StrCat(absl::ToInt64Seconds(window), " sec.");
}

bool IsRegion(absl::string_view region) {
  if (region.empty() || region.size() > kMaxRegionBytes) return false;
  return std::all_of(region.begin(), region.end(), [](char c) {
    return absl::ascii_islower(static_cast<unsigned char>(c)) ||
           absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '-';
  });
}

constexpr char kHostHeader[] = "host";
// What the SDK for JavaScript signs instead over HTTP/2. The server passes it
// on as Host.
constexpr char kAuthority[] = ":authority";

struct Credential {
  std::string access_key_id{};
  aws::CredentialScope scope{};
};

// The parts of "key/date/region/service/aws4_request".
absl::StatusOr<Credential> ReadCredential(
    const SignatureClaim& claim,
    const Authenticator::Expectation& expectation) {
  absl::string_view text = claim.credential;
  while (absl::ConsumeSuffix(&text, "/")) {
  }
  const std::vector<std::string> parts = absl::StrSplit(text, '/');
  if (parts.size() != 5) {
    return AuthError(AuthFault::kIncompleteSignature,
                     absl::StrCat("Credential must have exactly 5 "
                                  "slash-delimited elements, e.g. "
                                  "keyid/date/region/service/term, got '",
                                  claim.credential, "'"),
                     expectation.protocol);
  }
  std::string faults;
  if (!IsRegion(parts[2])) {
    absl::StrAppend(&faults, "Credential should be scoped to a valid region, ",
                    "not '", parts[2], "'. ");
  }
  if (!expectation.service.empty() && parts[3] != expectation.service) {
    absl::StrAppend(&faults,
                    "Credential should be scoped to correct service: ", "'",
                    expectation.service, "'. ");
  }
  if (parts[4] != aws::kScopeTerminator) {
    absl::StrAppend(&faults, "Credential should be scoped with a valid ",
                    "terminator: '", aws::kScopeTerminator, "', not '",
                    parts[4], "'. ");
  }
  const absl::string_view date = absl::string_view(claim.time).substr(0, 8);
  if (parts[1] != date) {
    absl::StrAppend(&faults,
                    "Date in Credential scope does not match YYYYMMDD "
                    "from ISO-8601 version of date from HTTP: '",
                    parts[1], "' != '");
    absl::StrAppend(&faults, date, "', from '", claim.time, "'.");
  }
  if (!faults.empty()) {
    return AuthError(AuthFault::kInvalidSignature, faults,
                     expectation.protocol);
  }
  return Credential{
      parts[0], {.date = parts[1], .region = parts[2], .service = parts[3]}};
}

absl::Status CheckSignedHeaders(const SignatureClaim& claim,
                                const http::ServerRequest& request,
                                WireProtocol protocol) {
  const auto is_signed = [&](absl::string_view name) {
    return std::find(claim.signed_headers.begin(), claim.signed_headers.end(),
                     name) != claim.signed_headers.end();
  };
  if (!is_signed(kHostHeader) && !is_signed(kAuthority)) {
    return AuthError(
        AuthFault::kInvalidSignature,
        "'Host' must be a 'SignedHeader' in the AWS Authorization.", protocol);
  }
  // Otherwise a captured request could be replayed at any time.
  if (claim.place == SignatureClaim::Place::kHeader &&
      !is_signed(request.FindHeader("X-Amz-Date").empty() ? "date"
                                                          : "x-amz-date")) {
    return AuthError(
        AuthFault::kInvalidSignature,
        "'X-Amz-Date' must be a 'SignedHeader' in the AWS Authorization.",
        protocol);
  }
  // Otherwise a man in the middle could change the operation.
  for (const http::Header& header : request.headers) {
    if (!absl::StartsWithIgnoreCase(header.name, kAwsHeaderPrefix)) continue;
    const std::string name = absl::AsciiStrToLower(header.name);
    // The value of this one is always signed.
    if (name == kContentHashHeader || is_signed(name)) continue;
    return AuthError(AuthFault::kInvalidSignature,
                     absl::StrCat("'", name,
                                  "' must be a 'SignedHeader' in the AWS "
                                  "Authorization."),
                     protocol);
  }
  return absl::OkStatus();
}

// The hash of the body in the canonical request. A signature over the hash of
// another body does not match.
std::string PayloadHash(const SignatureClaim& claim,
                        const http::ServerRequest& request) {
  absl::string_view announced = request.FindHeader(kContentHashHeader);
  for (const http::QueryParameter& parameter : claim.query) {
    if (announced.empty() && parameter.name == kContentHashParameter) {
      announced = parameter.value;
    }
  }
  if (announced == kUnsignedPayload) return kUnsignedPayload;
  return crypto::HexEncode(crypto::Sha256(request.body));
}

std::string CanonicalRequestOf(const SignatureClaim& claim,
                               const http::ServerRequest& request) {
  aws::CanonicalRequest canonical{.method = request.method,
                                  .path = request.path,
                                  .query = claim.query,
                                  .payload_hash = PayloadHash(claim, request)};
  for (const http::Header& header : request.headers) {
    for (const std::string& name : claim.signed_headers) {
      if (!absl::EqualsIgnoreCase(header.name, name)) continue;
      aws::AddCanonicalHeader(header.name, header.value, canonical.headers);
      break;
    }
  }
  for (const std::string& name : claim.signed_headers) {
    if (name != kAuthority) continue;
    aws::AddCanonicalHeader(name, request.FindHeader(kHostHeader),
                            canonical.headers);
    break;
  }
  // A signed header that is missing, perhaps because a proxy removed it, counts
  // as empty.
  for (const std::string& name : claim.signed_headers) {
    canonical.headers.try_emplace(name);
  }
  return aws::WriteCanonicalRequest(canonical);
}

// Takes constant time for texts of a given length, so that timing does not
// reveal how much of a guess was right.
bool EqualInConstantTime(absl::string_view a, absl::string_view b) {
  if (a.size() != b.size()) return false;
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = difference | static_cast<unsigned char>(a[i] ^ b[i]);
  }
  return difference == 0;
}

// Why the signature is invalid; empty if it is valid.
std::string SignatureFault(const SignatureClaim& claim,
                           const http::ServerRequest& request,
                           const aws::CredentialScope& scope, KnownKey& key) {
  const std::string canonical = CanonicalRequestOf(claim, request);
  const std::string to_sign =
      aws::WriteStringToSign(claim.time, scope, canonical);
  const std::string expected =
      crypto::HexEncode(crypto::HmacSha256(key.SigningKeyFor(scope), to_sign));
  if (EqualInConstantTime(expected, claim.signature)) return "";
  return absl::StrCat(
      kMismatch,
      "\n\nThe Canonical String for this request should have been\n'",
      canonical, "'\n\nThe String-to-Sign should have been\n'", to_sign, "'\n");
}

}  // namespace

absl::Status Authenticator::CheckTime(const SignatureClaim& claim,
                                      WireProtocol protocol) const {
  const std::optional<absl::Time> time = ParseTime(claim.time);
  if (!time.has_value()) {
    return AuthError(
        AuthFault::kIncompleteSignature,
        absl::StrCat("Date must be in ISO-8601 'basic format'. Got '",
                     claim.time,
                     "'. See http://en.wikipedia.org/wiki/ISO_8601"),
        protocol);
  }
  absl::Duration life = kMaxClockSkew;
  if (claim.expires.has_value()) {
    const std::optional<absl::Duration> given = ParseLife(*claim.expires);
    if (!given.has_value()) {
      return AuthError(AuthFault::kIncompleteSignature,
                       "X-Amz-Expires must be a number of seconds from 1 to "
                       "604800",
                       protocol);
    }
    life = *given;
  }
  const absl::Time now = clock_.Now();
  if (*time < now - life) {
    return AuthError(
        AuthFault::kInvalidSignature,
        absl::StrCat("Signature expired: ", claim.time, " is now earlier than ",
                     FormatBasic(now - life), " (", FormatBasic(now), " - ",
                     FormatWindow(life), ")"),
        protocol);
  }
  if (*time > now + kMaxClockSkew) {
    return AuthError(
        AuthFault::kInvalidSignature,
        absl::StrCat("Signature not yet current: ", claim.time,
                     " is still later than ", FormatBasic(now + kMaxClockSkew),
                     " (", FormatBasic(now), " + ", FormatWindow(kMaxClockSkew),
                     ")"),
        protocol);
  }
  return absl::OkStatus();
}

absl::Status Authenticator::CheckToken(const SignatureClaim& claim,
                                       const LocalCredentials& credentials,
                                       WireProtocol protocol) const {
  if (!EqualInConstantTime(claim.session_token,
                           credentials.session_token.Reveal())) {
    return AuthError(AuthFault::kUnknownClient,
                     "The security token included in the request is invalid",
                     protocol);
  }
  if (clock_.Now() >= credentials.expires) {
    return AuthError(AuthFault::kExpiredToken,
                     "The security token included in the request is expired",
                     protocol);
  }
  return absl::OkStatus();
}

absl::StatusOr<Identity> Authenticator::Authenticate(
    const http::ServerRequest& request, const Expectation& expectation) const {
  const WireProtocol protocol = expectation.protocol;
  const absl::StatusOr<SignatureClaim> claim =
      ReadSignatureClaim(request, protocol);
  if (!claim.ok()) return claim.status();
  absl::Status status = CheckTime(*claim, protocol);
  if (status.ok()) status = CheckSignedHeaders(*claim, request, protocol);
  if (!status.ok()) return status;
  if (claim->algorithm != aws::kSignatureAlgorithm) {
    return AuthError(
        AuthFault::kIncompleteSignature,
        absl::StrCat("Unsupported AWS 'algorithm': '", claim->algorithm,
                     "' (only ", aws::kSignatureAlgorithm, " for now). "),
        protocol);
  }
  const absl::StatusOr<Credential> credential =
      ReadCredential(*claim, expectation);
  if (!credential.ok()) return credential.status();
  const std::shared_ptr<KnownKey> key =
      credentials_.Find(credential->access_key_id);
  if (key == nullptr) {
    return AuthError(AuthFault::kUnknownClient,
                     "The security token included in the request is invalid.",
                     protocol);
  }
  const std::string fault =
      SignatureFault(*claim, request, credential->scope, *key);
  if (!fault.empty()) {
    return AuthError(AuthFault::kInvalidSignature, fault, protocol);
  }
  status = CheckToken(*claim, key->credentials(), protocol);
  if (!status.ok()) return status;
  return Identity{.caller = {.access_key_id = credential->access_key_id,
                             .account_id = key->credentials().account_id},
                  .region = credential->scope.region,
                  .service = credential->scope.service};
}

}  // namespace byoshin::local
