#include "local/store/file_header.h"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <ios>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local {
namespace {

// https://www.sqlite.org/fileformat.html#the_database_header
constexpr std::size_t kHeaderBytes = 100;
constexpr absl::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kPageSizeOffset = 16;
constexpr std::size_t kPageCountOffset = 28;
constexpr std::size_t kUserVersionOffset = 60;
constexpr std::size_t kApplicationIdOffset = 68;

using Header = std::array<char, kHeaderBytes>;

std::uint32_t BigEndian(const Header& header, std::size_t offset,
                        std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    value = value << 8 | static_cast<unsigned char>(header[offset + i]);
  }
  return value;
}

std::uint32_t PageSize(const Header& header) {
  const std::uint32_t size = BigEndian(header, kPageSizeOffset, 2);
  return size == 1 ? 65536 : size;
}

// A file with pending changes in a log or journal may lag behind its own
// header.
bool HasLog(const std::string& path) {
  for (const char* suffix : {"-wal", "-journal"}) {
    struct stat info;
    if (stat((path + suffix).c_str(), &info) == 0 && info.st_size > 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

absl::Status DamageError(const std::string& path, absl::string_view what) {
  return absl::DataLossError(absl::StrCat(
      path, " is damaged: ", what,
      ". It has been left as it is; put a copy back, or move it away to begin "
      "with an empty one."));
}

absl::Status NameDamagedFile(const absl::Status& status,
                             const std::string& path) {
  if (!absl::IsDataLoss(status) || path.empty() ||
      absl::StartsWith(status.message(), path)) {
    return status;
  }
  return DamageError(path, status.message());
}

absl::Status CheckFileHeader(const std::string& path, int newest_format) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return absl::NotFoundError(path);
    return absl::UnavailableError(
        absl::StrCat("cannot read ", path, ": ", std::strerror(errno)));
  }
  if (info.st_size == 0) return absl::NotFoundError(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::UnavailableError(
        absl::StrCat("cannot read ", path, ": ", std::strerror(errno)));
  }
  Header header{};
  file.read(header.data(), header.size());
  if (std::memcmp(header.data(), kMagic.data(), kMagic.size()) != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        path,
        " is not a database of Byoshin, and has been left as it is; move "
        "it away, or name another data directory."));
  }
  if (static_cast<std::size_t>(file.gcount()) < header.size()) {
    return DamageError(path, "its header is truncated");
  }
  const std::uint32_t application = BigEndian(header, kApplicationIdOffset, 4);
  if (application != kApplicationId) {
    return absl::FailedPreconditionError(absl::StrCat(
        path,
        " is an SQLite database, but not of Byoshin, and has been left as "
        "it is; move it away, or name another data directory."));
  }
  const auto format =
      static_cast<std::int64_t>(BigEndian(header, kUserVersionOffset, 4));
  if (format > newest_format) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, " was written by a later version of Byoshin (format ", format,
        ", this one knows ", newest_format,
        "), and has been left as it is; use that version, or another data "
        "directory."));
  }
  const std::uint64_t bytes =
      std::uint64_t{PageSize(header)} * BigEndian(header, kPageCountOffset, 4);
  if (static_cast<std::uint64_t>(info.st_size) < bytes && !HasLog(path)) {
    return DamageError(path, "its end is missing");
  }
  return absl::OkStatus();
}

}  // namespace byoshin::local
