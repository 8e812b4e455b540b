#include "local/lambda/testing/zip.h"

#include <zlib.h>

#include <cstdint>

#include "absl/strings/str_cat.h"

namespace byoshin::local::lambda {
namespace {

std::string U16(std::uint32_t value) {
  return {static_cast<char>(value & 0xff), static_cast<char>(value >> 8)};
}

std::string U32(std::uint32_t value) {
  return U16(value & 0xffff) + U16(value >> 16);
}

}  // namespace

std::string MakeZip(const std::vector<ZipEntry>& entries) {
  std::string archive;
  std::string directory;
  for (const ZipEntry& entry : entries) {
    const std::uint32_t size = static_cast<std::uint32_t>(entry.content.size());
    const auto checksum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(entry.content.data()),
              static_cast<uInt>(entry.content.size())));
    const std::string common = absl::StrCat(
        U16(20), U16(0), U16(0), U32(0x28210000),
        absl::StrCat(U32(checksum), U32(size), U32(size),
                     U16(static_cast<std::uint32_t>(entry.name.size())),
                     U16(0)));
    const auto offset = static_cast<std::uint32_t>(archive.size());
    absl::StrAppend(&archive, "PK\3\4", common, entry.name, entry.content);
    absl::StrAppend(&directory, "PK\1\2", U16(3 << 8 | 20), common, U16(0));
    absl::StrAppend(&directory, U16(0), U16(0),
                    U32(static_cast<std::uint32_t>(entry.mode) << 16),
                    U32(offset), entry.name);
  }
  const auto count = static_cast<std::uint32_t>(entries.size());
  const auto start = static_cast<std::uint32_t>(archive.size());
  const std::string end = absl::StrCat(
      std::string("PK\5\6\0\0\0\0", 8), U16(count), U16(count),
      U32(static_cast<std::uint32_t>(directory.size())), U32(start));
  return absl::StrCat(archive, directory, end, U16(0));
}

}  // namespace byoshin::local::lambda
