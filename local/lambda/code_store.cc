#include "local/lambda/code_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/crypto/hex.h"
#include "core/crypto/sha256.h"
#include "local/files/folders.h"
#include "local/files/private_file.h"
#include "local/files/write_all.h"
#include "local/lambda/unzip.h"

namespace byoshin::local::lambda {
namespace {

namespace fs = std::filesystem;

constexpr char kTemporaryPrefix[] = ".unpacking-";
constexpr char kBootstrap[] = "bootstrap";
// The mode of files from an archive that was not made on Unix: it can't mark
// files as executable, so Lambda makes them so.
constexpr mode_t kDefaultMode = 0755;
// The owner must be able to read the files.
constexpr mode_t kLeastMode = S_IRUSR;

// In blocks of the size that unzip(1) uses. A file that was written at once is
// in the page cache in large folios, and a process that touches a byte of one
// maps all of it: its memory would depend on how it was unpacked.
constexpr std::size_t kBlockBytes = std::size_t{64} << 10;

absl::Status FileError(const std::error_code& error, absl::string_view doing,
                       const fs::path& path) {
  return absl::ErrnoToStatus(error.value(),
                             absl::StrCat(doing, " ", path.string()));
}

// Of an entry's file.
mode_t FileMode(mode_t mode) {
  return ((mode == 0 ? kDefaultMode : mode) & (S_IRWXU | S_IRWXG | S_IRWXO)) |
         kLeastMode;
}

// `error` is what the system said when the entry was written. It is the first
// to be written there, so that only another entry can be in its way.
absl::Status EntryError(const std::error_code& error, const ZipEntry& entry,
                        const fs::path& path) {
  if (error == std::errc::file_exists || error == std::errc::is_a_directory ||
      error == std::errc::not_a_directory) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the zip file has a file and a folder of the same name: cannot unpack ",
        entry.name));
  }
  return WriteError(path.string(), error.value());
}

absl::Status WriteFile(const fs::path& path, const ZipEntry& entry) {
  const int descriptor =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
           FileMode(entry.mode));
  if (descriptor < 0) {
    return EntryError({errno, std::generic_category()}, entry, path);
  }
  const absl::Cleanup close_file = [descriptor] { close(descriptor); };
  return WriteAll(descriptor, entry.content, kBlockBytes)
             ? absl::OkStatus()
             : WriteError(path.string(), errno);
}

absl::Status WriteEntries(const std::vector<ZipEntry>& entries,
                          const fs::path& folder) {
  std::error_code error;
  for (const ZipEntry& entry : entries) {
    const fs::path path = folder / entry.name;
    const bool is_folder = entry.name.back() == '/';
    fs::create_directories(is_folder ? path : path.parent_path(), error);
    if (error) return EntryError(error, entry, path);
    if (is_folder) continue;
    if (absl::Status status = WriteFile(path, entry); !status.ok()) {
      return status;
    }
  }
  const fs::path bootstrap = folder / kBootstrap;
  if (!fs::is_regular_file(bootstrap, error) ||
      access(bootstrap.c_str(), X_OK) != 0) {
    return absl::FailedPreconditionError(
        "the zip file has no executable file \"bootstrap\" at its root, which "
        "is what a function on a custom runtime is started by");
  }
  return absl::OkStatus();
}

bool IsFileOf(const fs::path& path, const ZipListing& entry) {
  const int descriptor =
      open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  const absl::Cleanup close_file = [descriptor] { close(descriptor); };
  struct stat info = {};
  if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode) ||
      static_cast<std::size_t>(info.st_size) != entry.bytes ||
      (info.st_mode & S_IXUSR) != (FileMode(entry.mode) & S_IXUSR)) {
    return false;
  }
  std::string block(kBlockBytes, '\0');
  std::uint32_t checksum = ZipChecksum("");
  while (true) {
    const ssize_t size = read(descriptor, block.data(), block.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return false;
    if (size == 0) return checksum == entry.checksum;
    checksum = ZipChecksum(absl::string_view(block).substr(0, size), checksum);
  }
}

// Whether the folder has the files of the zip, and no others.
bool IsFolderOf(const fs::path& folder,
                const std::vector<ZipListing>& listing) {
  std::size_t files = 0;
  for (const ZipListing& entry : listing) {
    if (entry.name.back() == '/') continue;
    if (!IsFileOf(folder / entry.name, entry)) return false;
    ++files;
  }
  std::size_t found = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    if (!fs::is_directory(entry->symlink_status(gone))) ++found;
  }
  return !error && found == files;
}

}  // namespace

Zip::Zip(std::string bytes)
    : bytes_(std::make_shared<const std::string>(std::move(bytes))),
      digest_(crypto::HexEncode(crypto::Sha256(*bytes_))) {}

absl::StatusOr<CodeStore> CodeStore::Open(std::string folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return FileError(error, "creating", folder);
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder, error)) {
    if (!absl::StartsWith(entry.path().filename().string(), kTemporaryPrefix)) {
      continue;
    }
    RemoveTree(entry.path()).IgnoreError();  // it does no harm
  }
  if (error) return FileError(error, "reading", folder);
  // Functions run in it.
  absl::StatusOr<std::string> absolute = AbsolutePath(folder);
  if (!absolute.ok()) return absolute.status();
  return CodeStore(*std::move(absolute));
}

absl::StatusOr<UnpackedCode> CodeStore::Unpack(const Zip& zip) const {
  UnpackedCode unpacked;
  Code& code = unpacked.code;
  code.digest = zip.digest();
  code.folder = absl::StrCat(folder_, "/", code.digest);
  code.zip_bytes = zip.bytes().size();
  const absl::StatusOr<std::vector<ZipListing>> listing = ListZip(zip.bytes());
  if (!listing.ok()) return listing.status();
  std::error_code missing;
  const bool there = fs::exists(fs::symlink_status(code.folder, missing));
  if (there && IsFolderOf(code.folder, *listing)) {
    // Earlier versions left it writable.
    if (absl::Status status = MakeTreeReadOnly(code.folder); !status.ok()) {
      return status;
    }
    return unpacked;
  }

  const absl::StatusOr<std::vector<ZipEntry>> entries = Unzip(zip.bytes());
  if (!entries.ok()) return entries.status();
  std::string temporary =
      absl::StrCat(folder_, "/", kTemporaryPrefix, "XXXXXX");
  if (mkdtemp(temporary.data()) == nullptr) {
    return WriteError(temporary, errno);
  }
  const absl::Cleanup remove = [&temporary] {
    RemoveTree(temporary).IgnoreError();
  };
  absl::Status status = WriteEntries(*entries, temporary);
  if (status.ok()) status = MakeTreeReadOnly(temporary);
  if (status.ok() && there) status = Remove(code.digest);
  if (!status.ok()) return status;
  unpacked.how =
      there ? UnpackedCode::How::kUnpackedAgain : UnpackedCode::How::kUnpacked;
  if (rename(temporary.c_str(), code.folder.c_str()) != 0) {
    const int error = errno;                   // IsFolderOf() changes it
    if (!IsFolderOf(code.folder, *listing)) {  // no other process was faster
      return absl::ErrnoToStatus(error, absl::StrCat("creating ", code.folder));
    }
  }
  return unpacked;
}

absl::Status CodeStore::Remove(const std::string& name) const {
  // Renamed first: the rest of a folder whose removal was interrupted must not
  // be used as code.
  const std::string path = absl::StrCat(folder_, "/", name);
  const std::string removed =
      absl::StrCat(folder_, "/", kTemporaryPrefix, name);
  RemoveTree(removed).IgnoreError();
  if (rename(path.c_str(), removed.c_str()) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("removing ", path));
  }
  return RemoveTree(removed);
}

absl::Status CodeStore::KeepOnly(const std::set<std::string>& digests) const {
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (digests.contains(name) || absl::StartsWith(name, kTemporaryPrefix)) {
      continue;
    }
    if (absl::Status removed = Remove(name); !removed.ok()) return removed;
  }
  if (error) return FileError(error, "reading", folder_);
  return absl::OkStatus();
}

}  // namespace byoshin::local::lambda
