#include "local/lambda/unzip.h"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::lambda {
namespace {

// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3.7,
// 4.3.12 and 4.3.16.
constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kDirectoryHeader = 0x02014b50;
constexpr uint32_t kEndRecord = 0x06054b50;
constexpr std::size_t kLocalHeaderBytes = 30;
constexpr std::size_t kDirectoryHeaderBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr int kMadeOnUnix = 3;
constexpr uint16_t kStored = 0;
constexpr uint16_t kDeflated = 8;
constexpr uint16_t kEncrypted = 1;
// The value of a field that zip64 stores elsewhere.
constexpr uint32_t kElsewhere = 0xffffffff;
constexpr std::size_t kMaxCommentBytes = 0xffff;

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
  if (method == kStored) {
    if (data.size() != U32(header, 24)) {
      return Corrupt("an entry is not of its size");
    }
    return std::string(data);
  }
  if (method == kDeflated) return Inflate(data, U32(header, 24));
  return Corrupt(absl::StrCat("compression method ", method));
}

// An entry of the directory.
struct DirectoryEntry {
  absl::string_view header;
  std::string name;
  mode_t mode = 0;
};

absl::Status CheckName(absl::string_view name) {
  const auto bad = [&](absl::string_view why) {
    return Corrupt(absl::StrCat("the name \"", name, "\" ", why));
  };
  if (name.empty()) return Corrupt("an entry has no name");
  if (name.front() == '/') return bad("is absolute");
  if (absl::StrContains(name, '\\') || absl::StrContains(name, '\0')) {
    return bad("has a character that names must not have");
  }
  std::vector<absl::string_view> parts = absl::StrSplit(name, '/');
  if (parts.back().empty()) parts.pop_back();  // a folder
  for (absl::string_view part : parts) {
    if (part == "..") return bad("leads out of the package");
    if (part.empty() || part == ".") return bad("has an empty part");
  }
  return absl::OkStatus();
}

absl::Status CheckEntry(const DirectoryEntry& entry) {
  if (absl::Status name = CheckName(entry.name); !name.ok()) return name;
  if ((U16(entry.header, 8) & kEncrypted) != 0) {
    return Corrupt(absl::StrCat(entry.name, " is encrypted"));
  }
  if (S_ISLNK(entry.mode)) {
    return Corrupt(absl::StrCat(entry.name, " is a symbolic link"));
  }
  for (std::size_t at : {20, 24, 42}) {
    if (U32(entry.header, at) == kElsewhere) {
      return Corrupt(
          "it is in the zip64 format, which nothing under 4 GiB "
          "needs; pack it without");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ZipEntry> ReadEntry(absl::string_view archive,
                                   const DirectoryEntry& listed) {
  ZipEntry entry{.name = listed.name, .mode = listed.mode, .content = {}};
  absl::StatusOr<absl::string_view> data =
      CompressedData(archive, listed.header);
  if (!data.ok()) return data.status();
  absl::StatusOr<std::string> content = Content(*data, listed.header);
  if (!content.ok()) return content.status();
  entry.content = *std::move(content);
  if (ZipChecksum(entry.content) != U32(listed.header, 16)) {
    return Corrupt(absl::StrCat("wrong checksum of ", entry.name));
  }
  return entry;
}

// The end record, which is last except for a comment.
absl::StatusOr<absl::string_view> FindEnd(absl::string_view archive) {
  if (archive.size() < kEndBytes) return Corrupt("it has no end record");
  const std::size_t last = archive.size() - kEndBytes;
  const std::size_t furthest = std::min(last, kMaxCommentBytes);
  for (std::size_t comment = 0; comment <= furthest; ++comment) {
    const absl::string_view end = archive.substr(last - comment);
    if (U32(end, 0) == kEndRecord && U16(end, 20) == comment) return end;
  }
  return Corrupt("it has no end record");
}

// Keeps the last entry of each name: whoever unpacks the archive in its order
// ends up with that one.
void DropReplaced(std::vector<DirectoryEntry>& entries) {
  std::set<absl::string_view> seen;
  std::vector<bool> replaced(entries.size());
  for (std::size_t i = entries.size(); i-- > 0;) {
    replaced[i] = !seen.insert(entries[i].name).second;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!replaced[i]) std::swap(entries[kept++], entries[i]);
  }
  entries.resize(kept);
}

absl::StatusOr<std::vector<DirectoryEntry>> ReadDirectory(
    absl::string_view archive, std::size_t max_bytes) {
  absl::StatusOr<absl::string_view> end = FindEnd(archive);
  if (!end.ok()) return end.status();
  const int count = U16(*end, 10);
  std::size_t at = U32(*end, 16);
  std::vector<DirectoryEntry> entries;
  for (int i = 0; i < count; ++i) {
    if (at + kDirectoryHeaderBytes > archive.size() ||
        U32(archive, at) != kDirectoryHeader) {
      return Corrupt("its directory is cut off");
    }
    DirectoryEntry entry;
    entry.header = archive.substr(at, kDirectoryHeaderBytes);
    const std::size_t name_bytes = U16(entry.header, 28);
    at += kDirectoryHeaderBytes;
    if (at + name_bytes > archive.size()) return Corrupt("a name is cut off");
    entry.name = std::string(archive.substr(at, name_bytes));
    if (U16(entry.header, 4) >> 8 == kMadeOnUnix) {
      entry.mode = static_cast<mode_t>(U32(entry.header, 38) >> 16);
    }
    if (absl::Status good = CheckEntry(entry); !good.ok()) return good;
    at += name_bytes + U16(entry.header, 30) + U16(entry.header, 32);
    entries.push_back(std::move(entry));
  }
  DropReplaced(entries);
  std::size_t total_bytes = 0;
  for (const DirectoryEntry& entry : entries) {
    total_bytes += U32(entry.header, 24);
    if (total_bytes > max_bytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the zip file unpacks to more than ", max_bytes,
                       " bytes, which is the limit"));
    }
  }
  return entries;
}

}  // namespace

absl::StatusOr<std::vector<ZipEntry>> Unzip(absl::string_view archive,
                                            std::size_t max_bytes) {
  absl::StatusOr<std::vector<DirectoryEntry>> directory =
      ReadDirectory(archive, max_bytes);
  if (!directory.ok()) return directory.status();
  std::vector<ZipEntry> entries;
  for (const DirectoryEntry& listed : *directory) {
    absl::StatusOr<ZipEntry> entry = ReadEntry(archive, listed);
    if (!entry.ok()) return entry.status();
    entries.push_back(*std::move(entry));
  }
  return entries;
}

absl::StatusOr<std::vector<ZipListing>> ListZip(absl::string_view archive,
                                                std::size_t max_bytes) {
  absl::StatusOr<std::vector<DirectoryEntry>> directory =
      ReadDirectory(archive, max_bytes);
  if (!directory.ok()) return directory.status();
  std::vector<ZipListing> listing;
  for (const DirectoryEntry& listed : *directory) {
    listing.push_back({.name = listed.name,
                       .mode = listed.mode,
                       .bytes = U32(listed.header, 24),
                       .checksum = U32(listed.header, 16)});
  }
  return listing;
}

std::uint32_t ZipChecksum(absl::string_view bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(
      crc32(before, reinterpret_cast<const Bytef*>(bytes.data()),
            static_cast<uInt>(bytes.size())));
}

}  // namespace byoshin::local::lambda
