#include "tests/integration/unzip.h"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace byoshin::integration {
namespace {

// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3.7,
// 4.3.12 and 4.3.16.
constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kDirectoryHeader = 0x02014b50;
constexpr std::size_t kLocalHeaderBytes = 30;
constexpr std::size_t kDirectoryHeaderBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr int kMadeOnUnix = 3;
constexpr uint16_t kStored = 0;
constexpr uint16_t kDeflated = 8;

uint16_t U16(absl::string_view data, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(data[at + i]);
  };
  return static_cast<uint16_t>(byte(0) | byte(1) << 8);
}

uint32_t U32(absl::string_view data, std::size_t at) {
  return U16(data, at) | static_cast<uint32_t>(U16(data, at + 2)) << 16;
}

absl::Status Corrupt(absl::string_view what) {
  return absl::DataLossError(absl::StrCat("not a usable zip file: ", what));
}

absl::StatusOr<std::string> Inflate(absl::string_view data, std::size_t size) {
  std::string out(size, '\0');
  z_stream stream = {};
  stream.next_in =
      reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));  // only read
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  // Negative: the raw stream, without zlib's header.
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    return absl::ResourceExhaustedError("zlib could not start");
  }
  const int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (result != Z_STREAM_END || stream.total_out != size) {
    return Corrupt("an entry does not inflate to its size");
  }
  return out;
}

// The compressed bytes that the directory's `header` points to.
absl::StatusOr<absl::string_view> CompressedData(absl::string_view archive,
                                                 absl::string_view header) {
  const std::size_t size = U32(header, 20);
  const std::size_t local = U32(header, 42);
  if (local + kLocalHeaderBytes > archive.size() ||
      U32(archive, local) != kLocalHeader) {
    return Corrupt("an entry's local header is missing");
  }
  const std::size_t start = local + kLocalHeaderBytes +
                            U16(archive, local + 26) + U16(archive, local + 28);
  if (start + size > archive.size()) return Corrupt("an entry is cut off");
  return archive.substr(start, size);
}

absl::StatusOr<std::string> Content(absl::string_view data,
                                    absl::string_view header) {
  const uint16_t method = U16(header, 10);
  if (method == kStored) return std::string(data);
  if (method == kDeflated) return Inflate(data, U32(header, 24));
  return Corrupt(absl::StrCat("compression method ", method));
}

absl::StatusOr<ZipEntry> ReadEntry(absl::string_view archive,
                                   absl::string_view header, std::string name) {
  ZipEntry entry;
  entry.name = std::move(name);
  if (U16(header, 4) >> 8 == kMadeOnUnix) {
    entry.mode = static_cast<mode_t>(U32(header, 38) >> 16);
  }
  absl::StatusOr<absl::string_view> data = CompressedData(archive, header);
  if (!data.ok()) return data.status();
  absl::StatusOr<std::string> content = Content(*data, header);
  if (!content.ok()) return content.status();
  entry.content = *std::move(content);
  const uLong checksum =
      crc32(0, reinterpret_cast<const Bytef*>(entry.content.data()),
            static_cast<uInt>(entry.content.size()));
  if (checksum != U32(header, 16)) {
    return Corrupt(absl::StrCat("wrong checksum of ", entry.name));
  }
  return entry;
}

}  // namespace

absl::StatusOr<std::vector<ZipEntry>> Unzip(absl::string_view archive) {
  // The end record stands last; an archive comment would move it, and has no
  // place in what we deploy.
  if (archive.size() < kEndBytes ||
      archive.substr(archive.size() - kEndBytes, 4) != "PK\x05\x06") {
    return Corrupt("it has no end record");
  }
  const absl::string_view end = archive.substr(archive.size() - kEndBytes);
  const int count = U16(end, 10);
  std::size_t at = U32(end, 16);
  std::vector<ZipEntry> entries;
  for (int i = 0; i < count; ++i) {
    if (at + kDirectoryHeaderBytes > archive.size() ||
        U32(archive, at) != kDirectoryHeader) {
      return Corrupt("its directory is cut off");
    }
    const absl::string_view header = archive.substr(at, kDirectoryHeaderBytes);
    const std::size_t name_bytes = U16(header, 28);
    at += kDirectoryHeaderBytes;
    if (at + name_bytes > archive.size()) return Corrupt("a name is cut off");
    absl::StatusOr<ZipEntry> entry =
        ReadEntry(archive, header, std::string(archive.substr(at, name_bytes)));
    if (!entry.ok()) return entry.status();
    entries.push_back(*std::move(entry));
    at += name_bytes + U16(header, 30) + U16(header, 32);
  }
  return entries;
}

}  // namespace byoshin::integration
