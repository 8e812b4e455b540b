// Reads zip files. Memory is bounded for any input, and errors say what is
// wrong.
//
//   absl::StatusOr<std::vector<ZipEntry>> entries = Unzip(bytes);
//   if (!entries.ok()) return entries.status();
//   entries->front().name;  // "bootstrap"
#ifndef BYOSHIN_LOCAL_LAMBDA_UNZIP_H_
#define BYOSHIN_LOCAL_LAMBDA_UNZIP_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::lambda {

// Lambda's limit on the content of a package.
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
inline constexpr std::size_t kMaxUnzippedBytes = std::size_t{250} << 20;

struct ZipEntry {
  // Relative, without "." and "..": "bin/tool". A folder ends with a slash.
  std::string name;
  // File type and permissions as in stat(2); 0 if the archive was not made on
  // Unix.
  mode_t mode = 0;
  std::string content;
};

// The entries in the order of the archive's directory, with their checksums
// verified; of those with the same name, the last one. Supports stored and
// deflated entries; no encryption, zip64 or links. Names that lead out of the
// folder, and content of more than `max_bytes` in total, are rejected before
// anything is unpacked.
absl::StatusOr<std::vector<ZipEntry>> Unzip(
    absl::string_view archive, std::size_t max_bytes = kMaxUnzippedBytes);

// An entry without its content.
struct ZipListing {
  std::string name;
  mode_t mode = 0;
  std::size_t bytes = 0;
  // As ZipChecksum() of the content.
  std::uint32_t checksum = 0;
};

// The entries according to the archive's directory, without unpacking anything.
absl::StatusOr<std::vector<ZipListing>> ListZip(
    absl::string_view archive, std::size_t max_bytes = kMaxUnzippedBytes);

// CRC-32. `before` is the checksum of the preceding bytes.
std::uint32_t ZipChecksum(absl::string_view bytes, std::uint32_t before = 0);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_UNZIP_H_
