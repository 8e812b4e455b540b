#include "local/lambda/code_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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
#include "local/lambda/unzip.h"

namespace byoshin::local::lambda {
namespace {

namespace fs = std::filesystem;

constexpr char kTemporaryPrefix[] = ".unpacking-";
constexpr char kBootstrap[] = "bootstrap";
// Of a file from an archive that was not made on Unix: such an archive cannot
// say that a file is executable, and Lambda lets it be.
constexpr mode_t kDefaultMode = 0755;
// The owner must be able to read, and to remove, what is unpacked.
constexpr mode_t kLeastMode = S_IRUSR;

// In blocks of the size that unzip(1) writes. A file that was written in one
// piece lies in the page cache in large pieces, and a process that touches a
// byte of one gets all of it: its memory would depend on how it was unpacked.
constexpr std::size_t kBlockBytes = std::size_t{64} << 10;

absl::Status FileError(const std::error_code& error, absl::string_view doing,
                       const fs::path& path) {
  return absl::ErrnoToStatus(error.value(),
                             absl::StrCat(doing, " ", path.string()));
}

absl::Status WriteFile(const fs::path& path, const ZipEntry& entry) {
  const mode_t mode = entry.mode == 0 ? kDefaultMode : entry.mode;
  const int descriptor =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
           (mode & (S_IRWXU | S_IRWXG | S_IRWXO)) | kLeastMode);
  if (descriptor < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("creating ", path.string()));
  }
  const absl::Cleanup close_file = [descriptor] { close(descriptor); };
  absl::string_view rest = entry.content;
  while (!rest.empty()) {
    const ssize_t size =
        write(descriptor, rest.data(), std::min(rest.size(), kBlockBytes));
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) {
      return absl::ErrnoToStatus(errno,
                                 absl::StrCat("writing ", path.string()));
    }
    rest.remove_prefix(static_cast<std::size_t>(size));
  }
  return absl::OkStatus();
}

absl::Status WriteEntries(const std::vector<ZipEntry>& entries,
                          const fs::path& folder) {
  std::error_code error;
  for (const ZipEntry& entry : entries) {
    const fs::path path = folder / entry.name;
    const bool is_folder = entry.name.back() == '/';
    fs::create_directories(is_folder ? path : path.parent_path(), error);
    if (error) return FileError(error, "creating", path);
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
    std::error_code ignored;  // it is in nobody's way
    fs::remove_all(entry.path(), ignored);
  }
  if (error) return FileError(error, "reading", folder);
  return CodeStore(std::move(folder));
}

absl::StatusOr<Code> CodeStore::Unpack(const Zip& zip) const {
  Code code;
  code.digest = zip.digest();
  code.folder = absl::StrCat(folder_, "/", code.digest);
  code.zip_bytes = zip.bytes().size();
  std::error_code error;
  if (fs::is_directory(code.folder, error)) return code;

  absl::StatusOr<std::vector<ZipEntry>> entries = Unzip(zip.bytes());
  if (!entries.ok()) return entries.status();
  std::string temporary =
      absl::StrCat(folder_, "/", kTemporaryPrefix, "XXXXXX");
  if (mkdtemp(temporary.data()) == nullptr) {
    return absl::ErrnoToStatus(errno, absl::StrCat("creating ", temporary));
  }
  const absl::Cleanup remove = [&temporary] {
    std::error_code ignored;
    fs::remove_all(temporary, ignored);
  };
  if (absl::Status status = WriteEntries(*entries, temporary); !status.ok()) {
    return status;
  }
  if (rename(temporary.c_str(), code.folder.c_str()) != 0 &&
      !fs::is_directory(code.folder, error)) {  // somebody else was faster
    return absl::ErrnoToStatus(errno, absl::StrCat("creating ", code.folder));
  }
  return code;
}

absl::Status CodeStore::KeepOnly(const std::set<std::string>& digests) const {
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (digests.contains(name) || absl::StartsWith(name, kTemporaryPrefix)) {
      continue;
    }
    // Under another name first: what is left of a folder whose removal was
    // interrupted must not be taken for the code.
    const fs::path removed = absl::StrCat(folder_, "/", kTemporaryPrefix, name);
    std::error_code failed;
    fs::rename(entry.path(), removed, failed);
    if (!failed) fs::remove_all(removed, failed);
    if (failed) return FileError(failed, "removing", entry.path());
  }
  if (error) return FileError(error, "reading", folder_);
  return absl::OkStatus();
}

}  // namespace byoshin::local::lambda
