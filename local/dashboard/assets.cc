#include "local/dashboard/assets.h"

#include <zlib.h>

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::dashboard {
namespace {

// Of zlib: a gzip header, and the largest window.
constexpr int kGzipWindow = 15 + 16;

}  // namespace

std::string Unpacked(const Asset& asset) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return {};
  // zlib takes what it reads from as not const.
  stream.next_in =
      reinterpret_cast<Bytef*>(const_cast<char*>(asset.gzip.data()));
  stream.avail_in = static_cast<uInt>(asset.gzip.size());
  std::string content;
  int result = Z_OK;
  while (result == Z_OK) {
    char chunk[16 << 10];
    stream.next_out = reinterpret_cast<Bytef*>(chunk);
    stream.avail_out = sizeof(chunk);
    result = inflate(&stream, Z_NO_FLUSH);
    content.append(chunk, sizeof(chunk) - stream.avail_out);
  }
  inflateEnd(&stream);
  return content;
}

absl::string_view ContentType(absl::string_view name) {
  if (absl::EndsWith(name, ".html")) return "text/html; charset=utf-8";
  if (absl::EndsWith(name, ".css")) return "text/css; charset=utf-8";
  if (absl::EndsWith(name, ".js")) return "text/javascript; charset=utf-8";
  if (absl::EndsWith(name, ".svg")) return "image/svg+xml";
  if (absl::EndsWith(name, ".txt")) return "text/plain; charset=utf-8";
  return "application/octet-stream";
}

}  // namespace byoshin::local::dashboard
