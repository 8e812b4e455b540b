#include "local/gateway/compression.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace byoshin::local {
namespace {

// zlib's window size, and what it adds for the gzip format.
constexpr int kWindowBits = 15;
constexpr int kGzipFormat = 16;
constexpr int kMemoryLevel = 8;
constexpr size_t kChunkBytes = size_t{64} * 1024;

// zlib does not change what it reads, but says so only in newer versions.
Bytef* InputOf(absl::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

// The weight of one element of Accept-Encoding, "gzip;q=0.5"; 0 if it is
// malformed.
double WeightOf(absl::string_view parameters) {
  for (absl::string_view parameter : absl::StrSplit(parameters, ';')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(parameter, absl::MaxSplits('=', 1));
    if (!absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(parts.first), "q")) {
      continue;
    }
    double weight = 0;
    return absl::SimpleAtod(absl::StripAsciiWhitespace(parts.second), &weight)
               ? weight
               : 0;
  }
  return 1;
}

// Frees what zlib has allocated.
struct Inflation {
  Inflation() { inflateInit2(&stream, kWindowBits + kGzipFormat); }
  ~Inflation() { inflateEnd(&stream); }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;

  z_stream stream{};
};

struct Preference {
  double weight = -1;  // not mentioned
  size_t position = 0;
};

}  // namespace

const char* CodingName(ContentCoding coding) {
  switch (coding) {
    case ContentCoding::kGzip:
      return "gzip";
    case ContentCoding::kDeflate:
      return "deflate";
    case ContentCoding::kIdentity:
      break;
  }
  return "identity";
}

ContentCoding ChooseCoding(absl::string_view accept_encoding) {
  if (accept_encoding.empty()) return ContentCoding::kIdentity;
  Preference gzip;
  Preference deflate;
  Preference any;
  size_t position = 0;
  for (absl::string_view element : absl::StrSplit(accept_encoding, ',')) {
    ++position;
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(element, absl::MaxSplits(';', 1));
    const absl::string_view name = absl::StripAsciiWhitespace(parts.first);
    Preference* const named = absl::EqualsIgnoreCase(name, "gzip") ? &gzip
                              : absl::EqualsIgnoreCase(name, "deflate")
                                  ? &deflate
                              : name == "*" ? &any
                                            : nullptr;
    if (named != nullptr) *named = {WeightOf(parts.second), position};
  }
  // "*" stands for those that are not mentioned, after all others.
  if (gzip.weight < 0) gzip = {any.weight, position + 1};
  if (deflate.weight < 0) deflate = {any.weight, position + 2};
  if (gzip.weight <= 0 && deflate.weight <= 0) return ContentCoding::kIdentity;
  const bool prefers_gzip = gzip.weight == deflate.weight
                                ? gzip.position < deflate.position
                                : gzip.weight > deflate.weight;
  return prefers_gzip ? ContentCoding::kGzip : ContentCoding::kDeflate;
}

std::string Compress(absl::string_view text, ContentCoding coding) {
  z_stream stream{};
  deflateInit2(
      &stream, Z_BEST_SPEED, Z_DEFLATED,
      coding == ContentCoding::kGzip ? kWindowBits + kGzipFormat : kWindowBits,
      kMemoryLevel, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = InputOf(text);
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

absl::StatusOr<std::string> Gunzip(absl::string_view bytes, size_t max_bytes) {
  Inflation inflation;
  z_stream& stream = inflation.stream;
  stream.next_in = InputOf(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  int result = Z_OK;
  do {
    if (result == Z_STREAM_END) inflateReset(&stream);  // another member
    const size_t before = text.size();
    text.resize(before + std::min(kChunkBytes, max_bytes + 1 - before));
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
    stream.avail_out = static_cast<uInt>(text.size() - before);
    result = inflate(&stream, Z_NO_FLUSH);
    text.resize(text.size() - stream.avail_out);
    if (text.size() > max_bytes) {
      return absl::ResourceExhaustedError("the compressed text is too long");
    }
  } while (result == Z_OK || (result == Z_STREAM_END && stream.avail_in > 0));
  if (result != Z_STREAM_END) {
    return absl::InvalidArgumentError("the bytes are not gzip");
  }
  return text;
}

}  // namespace byoshin::local
