#include "core/aws/canonical_request.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/aws/credentials.h"
#include "core/crypto/hex.h"
#include "core/crypto/sha256.h"
#include "core/http/url.h"

namespace byoshin::aws {
namespace {

// Without ".", ".." and empty segments, and encoded once more.
std::string CanonicalPath(absl::string_view path) {
  if (path == "/") return "/";
  std::vector<absl::string_view> segments;
  for (const absl::string_view segment :
       absl::StrSplit(path, '/', absl::SkipEmpty())) {
    if (segment == ".") continue;
    if (segment != "..") {
      segments.push_back(segment);
    } else if (!segments.empty()) {
      segments.pop_back();
    }
  }
  const bool ends_with_slash = !segments.empty() && absl::EndsWith(path, "/");
  return http::PercentEncodePath(absl::StrCat("/", absl::StrJoin(segments, "/"),
                                              ends_with_slash ? "/" : ""));
}

// Sorted by name, then by value, both encoded.
std::string CanonicalQuery(const std::vector<http::QueryParameter>& query) {
  std::vector<std::pair<std::string, std::string>> encoded;
  encoded.reserve(query.size());
  for (const http::QueryParameter& parameter : query) {
    encoded.emplace_back(http::PercentEncode(parameter.name),
                         http::PercentEncode(parameter.value));
  }
  std::sort(encoded.begin(), encoded.end());
  return absl::StrJoin(encoded, "&", absl::PairFormatter("="));
}

}  // namespace

void AddCanonicalHeader(absl::string_view name, absl::string_view value,
                        CanonicalHeaders& headers) {
  std::string canonical(value);
  absl::RemoveExtraAsciiWhitespace(&canonical);
  const auto [found, is_new] =
      headers.emplace(absl::AsciiStrToLower(name), canonical);
  if (!is_new) absl::StrAppend(&found->second, ",", canonical);
}

std::string SignedHeaderNames(const CanonicalHeaders& headers) {
  return absl::StrJoin(headers, ";", [](std::string* out, const auto& header) {
    out->append(header.first);
  });
}

std::string WriteCanonicalRequest(const CanonicalRequest& request) {
  std::string text =
      absl::StrCat(request.method, "\n", CanonicalPath(request.path), "\n",
                   CanonicalQuery(request.query), "\n");
  for (const auto& [name, value] : request.headers) {
    absl::StrAppend(&text, name, ":", value, "\n");
  }
  absl::StrAppend(&text, "\n", SignedHeaderNames(request.headers), "\n",
                  request.payload_hash);
  return text;
}

std::string WriteCredentialScope(const CredentialScope& scope) {
  return absl::StrCat(scope.date, "/", scope.region, "/", scope.service, "/",
                      kScopeTerminator);
}

std::string WriteStringToSign(absl::string_view time,
                              const CredentialScope& scope,
                              absl::string_view canonical_request) {
  return absl::StrCat(kSignatureAlgorithm, "\n", time, "\n",
                      WriteCredentialScope(scope), "\n",
                      crypto::HexEncode(crypto::Sha256(canonical_request)));
}

crypto::Sha256Digest SigningKey(const Secret& secret_access_key,
                                const CredentialScope& scope) {
  crypto::Sha256Digest key = crypto::HmacSha256(
      absl::StrCat("AWS4", secret_access_key.Reveal()), scope.date);
  key = crypto::HmacSha256(key, scope.region);
  key = crypto::HmacSha256(key, scope.service);
  return crypto::HmacSha256(key, kScopeTerminator);
}

}  // namespace byoshin::aws
