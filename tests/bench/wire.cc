#include "tests/bench/wire.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/crypto/hex.h"

namespace byoshin::bench {
namespace {

constexpr absl::string_view kAccessKey = "test";
constexpr absl::string_view kSecretKey = "test";
constexpr absl::string_view kRegion = "us-east-1";
constexpr absl::string_view kHeadEnd = "\r\n\r\n";

std::string DayOf(absl::string_view date) {
  return std::string(date.substr(0, date.find('T')));
}

crypto::Sha256Digest DeriveKey(absl::string_view day,
                               absl::string_view service) {
  crypto::Sha256Digest key =
      crypto::HmacSha256(absl::StrCat("AWS4", kSecretKey), day);
  key = crypto::HmacSha256(key, kRegion);
  key = crypto::HmacSha256(key, service);
  return crypto::HmacSha256(key, "aws4_request");
}

std::string HexSha256(absl::string_view text) {
  return crypto::HexEncode(crypto::Sha256(text));
}

}  // namespace

Signer::Signer(Options options)
    : options_(std::move(options)),
      date_(absl::FormatTime("%Y%m%dT%H%M%SZ", options_.time,
                             absl::UTCTimeZone())),
      scope_(absl::StrCat(DayOf(date_), "/", kRegion, "/", options_.service,
                          "/aws4_request")),
      key_(DeriveKey(DayOf(date_), options_.service)) {}

std::string Signer::JsonRequest(absl::string_view target,
                                absl::string_view body) const {
  return Request({.type = "application/x-amz-json-1.0", .target = target},
                 body);
}

std::string Signer::QueryRequest(absl::string_view form) const {
  return Request({.type = "application/x-www-form-urlencoded"}, form);
}

std::string Signer::RestRequest(absl::string_view path,
                                absl::string_view body) const {
  return Request({.type = "application/json", .path = path}, body);
}

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
std::string Signer::Request(const Content& content,
                            absl::string_view body) const {
  const absl::string_view target = content.target;
  const absl::string_view names =
      target.empty() ? "content-type;host;x-amz-date"
                     : "content-type;host;x-amz-date;x-amz-target";
  const std::string canonical = absl::StrCat(
      "POST\n", content.path, "\n\ncontent-type:", content.type,
      "\nhost:", options_.host, "\nx-amz-date:", date_, "\n",
      target.empty() ? "" : absl::StrCat("x-amz-target:", target, "\n"), "\n",
      names, "\n", HexSha256(body));
  const std::string signature = crypto::HexEncode(crypto::HmacSha256(
      key_, absl::StrCat("AWS4-HMAC-SHA256\n", date_, "\n", scope_, "\n",
                         HexSha256(canonical))));
  return absl::StrCat(
      "POST ", content.path, " HTTP/1.1\r\nHost: ", options_.host,
      "\r\nContent-Type: ", content.type, "\r\nX-Amz-Date: ", date_,
      target.empty() ? "" : absl::StrCat("\r\nX-Amz-Target: ", target),
      "\r\nAuthorization: AWS4-HMAC-SHA256 Credential=", kAccessKey, "/",
      scope_, ", SignedHeaders=", names, ", Signature=", signature,
      "\r\nContent-Length: ", body.size(), kHeadEnd, body);
}

std::string PlainGet(absl::string_view host, absl::string_view path) {
  return absl::StrCat("GET ", path, " HTTP/1.1\r\nHost: ", host, kHeadEnd);
}

std::optional<WireAnswer> ReadAnswer(absl::string_view received) {
  const std::size_t head_end = received.find(kHeadEnd);
  if (head_end == absl::string_view::npos) return std::nullopt;
  const absl::string_view head = received.substr(0, head_end + 2);
  WireAnswer answer;
  // "HTTP/1.1 200 OK"
  if (head.size() < 12 ||
      !absl::SimpleAtoi(head.substr(9, 3), &answer.status)) {
    return WireAnswer{.bytes = received.size()};
  }
  std::size_t length = 0;
  bool has_length = false;
  for (std::size_t at = head.find("\r\n") + 2; at < head.size();) {
    const std::size_t end = head.find("\r\n", at);
    const absl::string_view line = head.substr(at, end - at);
    constexpr absl::string_view kLength = "content-length:";
    if (absl::StartsWithIgnoreCase(line, kLength)) {
      has_length = absl::SimpleAtoi(line.substr(kLength.size()), &length);
    }
    at = end + 2;
  }
  if (!has_length) return WireAnswer{.bytes = received.size()};
  const std::size_t body = head_end + kHeadEnd.size();
  if (received.size() < body + length) return std::nullopt;
  answer.body = received.substr(body, length);
  answer.bytes = body + length;
  return answer;
}

}  // namespace byoshin::bench
