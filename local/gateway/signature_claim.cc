#include "local/gateway/signature_claim.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/http/url.h"
#include "local/gateway/auth_error.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"

namespace byoshin::local {
namespace {

// The prefix of every version of AWS's signature algorithm.
constexpr char kAlgorithmPrefix[] = "AWS4-";

constexpr char kAlgorithmParameter[] = "X-Amz-Algorithm";
constexpr char kCredentialParameter[] = "X-Amz-Credential";
constexpr char kSignatureParameter[] = "X-Amz-Signature";
constexpr char kSignedHeadersParameter[] = "X-Amz-SignedHeaders";
constexpr char kDateParameter[] = "X-Amz-Date";
constexpr char kExpiresParameter[] = "X-Amz-Expires";

const std::string* FindParameter(const std::vector<http::QueryParameter>& query,
                                 absl::string_view name) {
  for (const http::QueryParameter& parameter : query) {
    if (parameter.name == name) return &parameter.value;
  }
  return nullptr;
}

std::vector<std::string> SplitSignedHeaders(absl::string_view names) {
  return absl::StrSplit(absl::AsciiStrToLower(names), ';', absl::SkipEmpty());
}

constexpr std::array<absl::string_view, 3> kPairNames = {
    "Credential", "Signature", "SignedHeaders"};

bool SeparatesPairs(char c) { return c == ',' || c == ' ' || c == '\t'; }

// The values of the key=value pairs after the algorithm, in the order of
// kPairNames; empty for a missing one. Like AWS, splits at spaces, too.
absl::StatusOr<std::array<absl::string_view, 3>> ReadPairs(
    absl::string_view pairs, absl::string_view authorization,
    WireProtocol protocol) {
  std::array<absl::string_view, 3> values;
  std::array<bool, 3> found{};
  while (!pairs.empty()) {
    const auto end = std::find_if(pairs.begin(), pairs.end(), SeparatesPairs);
    const absl::string_view pair = pairs.substr(0, end - pairs.begin());
    pairs.remove_prefix(std::min(pair.size() + 1, pairs.size()));
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    if (equals == absl::string_view::npos) {
      return AuthError(
          AuthFault::kIncompleteSignature,
          absl::StrCat("'", pair,
                       "' not a valid key=value pair (missing equal-sign) in "
                       "Authorization header: '",
                       authorization, "'."),
          protocol);
    }
    for (std::size_t i = 0; i < kPairNames.size(); ++i) {
      if (pair.substr(0, equals) != kPairNames[i]) continue;
      if (found[i]) {
        return AuthError(
            AuthFault::kIncompleteSignature,
            absl::StrCat("Authorization header has more than one '",
                         kPairNames[i],
                         "' parameter. Authorization=", authorization),
            protocol);
      }
      values[i] = pair.substr(equals + 1);
      found[i] = true;
    }
  }
  return values;
}

absl::StatusOr<SignatureClaim> ReadHeaderClaim(
    absl::string_view authorization, const http::ServerRequest& request,
    WireProtocol protocol) {
  const std::size_t space = authorization.find(' ');
  const absl::StatusOr<std::array<absl::string_view, 3>> pairs = ReadPairs(
      space == absl::string_view::npos ? "" : authorization.substr(space),
      authorization, protocol);
  if (!pairs.ok()) return pairs.status();
  const auto [credential, signature, signed_headers] = *pairs;

  absl::string_view time = request.FindHeader("X-Amz-Date");
  if (time.empty()) time = request.FindHeader("Date");
  std::string missing;
  for (std::size_t i = 0; i < kPairNames.size(); ++i) {
    if ((*pairs)[i].empty()) {
      absl::StrAppend(&missing, "Authorization header requires '",
                      kPairNames[i], "' parameter. ");
    }
  }
  if (time.empty()) {
    absl::StrAppend(&missing,
                    "Authorization header requires existence of either a "
                    "'X-Amz-Date' or a 'Date' header. ");
  }
  if (!missing.empty()) {
    return AuthError(AuthFault::kIncompleteSignature,
                     absl::StrCat(missing, "Authorization=", authorization),
                     protocol);
  }
  return SignatureClaim{
      .place = SignatureClaim::Place::kHeader,
      .algorithm = std::string(authorization.substr(0, space)),
      .credential = std::string(credential),
      .signed_headers = SplitSignedHeaders(signed_headers),
      .signature = std::string(signature),
      .time = std::string(time),
      .session_token = std::string(request.FindHeader(kSessionTokenName))};
}

absl::StatusOr<SignatureClaim> ReadQueryClaim(
    const std::vector<http::QueryParameter>& query, WireProtocol protocol) {
  for (const char* name :
       {kAlgorithmParameter, kCredentialParameter, kSignatureParameter,
        kSignedHeadersParameter, kDateParameter, kExpiresParameter,
        kSessionTokenName}) {
    const auto has_name = [name](const http::QueryParameter& parameter) {
      return parameter.name == name;
    };
    if (std::count_if(query.begin(), query.end(), has_name) > 1) {
      return AuthError(
          AuthFault::kIncompleteSignature,
          absl::StrCat("AWS query-string parameters must include '", name,
                       "' only once."),
          protocol);
    }
  }
  std::string missing;
  std::map<std::string, std::string> values;
  for (const char* name :
       {kAlgorithmParameter, kCredentialParameter, kSignatureParameter,
        kSignedHeadersParameter, kDateParameter}) {
    const std::string* value = FindParameter(query, name);
    if (value != nullptr && !value->empty()) {
      values.emplace(name, *value);
    } else {
      absl::StrAppend(&missing, "AWS query-string parameters must include '",
                      name, "'. ");
    }
  }
  if (!missing.empty()) {
    return AuthError(
        AuthFault::kIncompleteSignature,
        absl::StrCat(missing, "Re-examine the query-string parameters."),
        protocol);
  }
  SignatureClaim claim{
      .place = SignatureClaim::Place::kQuery,
      .algorithm = std::move(values[kAlgorithmParameter]),
      .credential = std::move(values[kCredentialParameter]),
      .signed_headers = SplitSignedHeaders(values[kSignedHeadersParameter]),
      .signature = std::move(values[kSignatureParameter]),
      .time = std::move(values[kDateParameter])};
  if (const std::string* token = FindParameter(query, kSessionTokenName)) {
    claim.session_token = *token;
  }
  if (const std::string* expires = FindParameter(query, kExpiresParameter)) {
    claim.expires = *expires;
  }
  return claim;
}

}  // namespace

absl::StatusOr<SignatureClaim> ReadSignatureClaim(
    const http::ServerRequest& request, WireProtocol protocol) {
  absl::StatusOr<std::vector<http::QueryParameter>> query =
      http::ParseQuery(request.query);
  if (!query.ok()) {
    return ServiceError({.code = "MalformedQueryString",
                         .message = "The query string contains a syntax error.",
                         .http_status = 404});
  }
  const absl::string_view authorization =
      absl::StripAsciiWhitespace(request.FindHeader("Authorization"));
  const bool presigned = FindParameter(*query, kAlgorithmParameter) != nullptr;
  if (presigned && !authorization.empty()) {
    return AuthError(AuthFault::kInvalidSignature,
                     "Found both 'X-Amz-Algorithm' as a query-string param and "
                     "'Authorization' as HTTP header.",
                     protocol);
  }
  const auto is_authorization = [](const http::Header& header) {
    return absl::EqualsIgnoreCase(header.name, "Authorization");
  };
  if (std::count_if(request.headers.begin(), request.headers.end(),
                    is_authorization) > 1) {
    return AuthError(AuthFault::kIncompleteSignature,
                     "The request has more than one Authorization header.",
                     protocol);
  }
  if (!presigned && !absl::StartsWith(authorization, kAlgorithmPrefix)) {
    return AuthError(AuthFault::kMissingToken,
                     "Request is missing Authentication Token", protocol);
  }
  absl::StatusOr<SignatureClaim> claim =
      presigned ? ReadQueryClaim(*query, protocol)
                : ReadHeaderClaim(authorization, request, protocol);
  if (!claim.ok()) return claim;
  if (presigned) {
    query->erase(std::remove_if(query->begin(), query->end(),
                                [](const http::QueryParameter& parameter) {
                                  return parameter.name == kSignatureParameter;
                                }),
                 query->end());
  }
  claim->query = *std::move(query);
  return claim;
}

}  // namespace byoshin::local
