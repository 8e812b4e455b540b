// Content codings of requests and answers: gzip and deflate.
//
//   const ContentCoding coding = ChooseCoding("gzip, deflate;q=0.5");  // kGzip
//   answer.body = Compress(answer.body, coding);
//   answer.headers.push_back({"Content-Encoding", CodingName(coding)});
//
//   absl::StatusOr<std::string> body = Gunzip(request.body, kMaxBodyBytes);
#ifndef BYOSHIN_LOCAL_GATEWAY_COMPRESSION_H_
#define BYOSHIN_LOCAL_GATEWAY_COMPRESSION_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local {

enum class ContentCoding { kIdentity, kGzip, kDeflate };

// As in Content-Encoding: "gzip".
const char* CodingName(ContentCoding coding);

// The coding that an Accept-Encoding prefers: the one with the greatest weight,
// of equal ones the first. kIdentity if it accepts neither gzip nor deflate.
// https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding
ContentCoding ChooseCoding(absl::string_view accept_encoding);

// `coding` must not be kIdentity.
std::string Compress(absl::string_view text, ContentCoding coding);

// One or more gzip members. InvalidArgument if `bytes` is anything else,
// ResourceExhausted if the text is longer than `max_bytes`.
absl::StatusOr<std::string> Gunzip(absl::string_view bytes, size_t max_bytes);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_COMPRESSION_H_
