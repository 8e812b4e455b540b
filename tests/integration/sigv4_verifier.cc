#include "tests/integration/sigv4_verifier.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/crypto/hex.h"
#include "core/crypto/sha256.h"

namespace byoshin::integration {
namespace {

constexpr char kAlgorithm[] = "AWS4-HMAC-SHA256";
// How far AWS lets a client's clock be off.
constexpr absl::Duration kMaxSkew = absl::Minutes(5);

absl::Status Wrong(absl::string_view what) {
  return absl::UnauthenticatedError(absl::StrCat("signature: ", what));
}

// Credential, SignedHeaders and Signature.
absl::StatusOr<std::map<std::string, std::string>> ParseAuthorization(
    absl::string_view header) {
  if (!absl::ConsumePrefix(&header, absl::StrCat(kAlgorithm, " "))) {
    return Wrong("Authorization does not begin with AWS4-HMAC-SHA256");
  }
  std::map<std::string, std::string> parts;
  for (absl::string_view part : absl::StrSplit(header, ',')) {
    const std::pair<absl::string_view, absl::string_view> name_and_value =
        absl::StrSplit(absl::StripAsciiWhitespace(part),
                       absl::MaxSplits('=', 1));
    parts[std::string(name_and_value.first)] =
        std::string(name_and_value.second);
  }
  for (const char* name : {"Credential", "SignedHeaders", "Signature"}) {
    if (!parts.contains(name)) {
      return Wrong(absl::StrCat("Authorization has no ", name));
    }
  }
  return parts;
}

absl::Status CheckDate(absl::string_view amz_date) {
  absl::Time time;
  if (!absl::ParseTime("%E4Y%m%dT%H%M%SZ", amz_date, &time, nullptr)) {
    return Wrong(absl::StrCat("X-Amz-Date is \"", amz_date, "\""));
  }
  if (absl::AbsDuration(absl::Now() - time) > kMaxSkew) {
    return Wrong(absl::StrCat("X-Amz-Date is far from now: ", amz_date));
  }
  return absl::OkStatus();
}

// Whoever changes one of these could change what the request means.
absl::Status CheckSignedHeaders(const http::ServerRequest& request,
                                const std::vector<std::string>& names) {
  if (!std::is_sorted(names.begin(), names.end())) {
    return Wrong("SignedHeaders are not sorted");
  }
  std::vector<std::string> required = {"host"};
  for (const http::Header& header : request.headers) {
    const std::string name = absl::AsciiStrToLower(header.name);
    if (absl::StartsWith(name, "x-amz-")) required.push_back(name);
  }
  for (const std::string& name : required) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return Wrong(absl::StrCat(name, " is not signed"));
    }
  }
  return absl::OkStatus();
}

// The path is signed encoded twice: once as it is sent, and once more.
std::string EncodedAgain(absl::string_view path) {
  std::string encoded;
  for (const char c : path) {
    const bool is_kept = absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                         absl::StrContains("-._~/", c);
    if (is_kept) {
      encoded += c;
    } else {
      absl::StrAppendFormat(&encoded, "%%%02X", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string CanonicalRequest(const http::ServerRequest& request,
                             const std::vector<std::string>& signed_headers) {
  std::string headers;
  for (const std::string& name : signed_headers) {
    std::string value(request.FindHeader(name));
    absl::RemoveExtraAsciiWhitespace(&value);
    absl::StrAppend(&headers, name, ":", value, "\n");
  }
  return absl::StrCat(request.method, "\n", EncodedAgain(request.path), "\n",
                      request.query, "\n", headers, "\n",
                      absl::StrJoin(signed_headers, ";"), "\n",
                      crypto::HexEncode(crypto::Sha256(request.body)));
}

std::string ExpectedSignature(const http::ServerRequest& request,
                              const std::vector<std::string>& signed_headers,
                              const SigV4Expectation& expectation) {
  const std::string amz_date(request.FindHeader("X-Amz-Date"));
  const std::string date = amz_date.substr(0, 8);
  const std::string text = absl::StrCat(
      kAlgorithm, "\n", amz_date, "\n", date, "/", expectation.region, "/",
      expectation.service, "/aws4_request\n",
      crypto::HexEncode(
          crypto::Sha256(CanonicalRequest(request, signed_headers))));
  crypto::Sha256Digest key = crypto::HmacSha256(
      absl::StrCat("AWS4", expectation.secret_access_key), date);
  key = crypto::HmacSha256(key, expectation.region);
  key = crypto::HmacSha256(key, expectation.service);
  key = crypto::HmacSha256(key, "aws4_request");
  return crypto::HexEncode(crypto::HmacSha256(key, text));
}

}  // namespace

absl::StatusOr<std::vector<std::string>> VerifySigV4(
    const http::ServerRequest& request, const SigV4Expectation& expectation) {
  absl::StatusOr<std::map<std::string, std::string>> parts =
      ParseAuthorization(request.FindHeader("Authorization"));
  if (!parts.ok()) return parts.status();
  const absl::string_view amz_date = request.FindHeader("X-Amz-Date");
  if (absl::Status status = CheckDate(amz_date); !status.ok()) return status;
  const std::string credential = absl::StrCat(
      expectation.access_key_id, "/", amz_date.substr(0, 8), "/",
      expectation.region, "/", expectation.service, "/aws4_request");
  if ((*parts)["Credential"] != credential) {
    return Wrong(absl::StrCat("Credential is ", (*parts)["Credential"],
                              ", expected ", credential));
  }
  if (request.FindHeader("X-Amz-Security-Token") != expectation.session_token) {
    return Wrong("X-Amz-Security-Token is not the session token");
  }
  std::vector<std::string> signed_headers =
      absl::StrSplit((*parts)["SignedHeaders"], ';');
  if (absl::Status status = CheckSignedHeaders(request, signed_headers);
      !status.ok()) {
    return status;
  }
  if ((*parts)["Signature"] !=
      ExpectedSignature(request, signed_headers, expectation)) {
    return Wrong("it does not match the request");
  }
  return signed_headers;
}

}  // namespace byoshin::integration
