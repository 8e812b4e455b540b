#include "local/files/temporary_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/files/folders.h"

namespace byoshin::local {
namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kPrefix = "byoshin-";
constexpr absl::string_view kPattern = "XXXXXX";  // mkdtemp replaces it
constexpr char kMarker[] = ".byoshin-temporary-folder";

absl::Status TemporaryFolderError(const std::string& parent, int error) {
  return absl::ErrnoToStatus(
      error, absl::StrCat("cannot make a temporary folder in ", parent,
                          " (set TMPDIR to a folder that can be written)"));
}

bool HasOurName(absl::string_view name) {
  return absl::ConsumePrefix(&name, kPrefix) &&
         name.size() == kPattern.size() &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return absl::ascii_isalnum(c); });
}

bool IsOurFolder(const std::string& path) {
  struct stat info = {};
  return lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
         info.st_uid == geteuid() && (info.st_mode & ALLPERMS) == S_IRWXU;
}

std::string MarkerOf(const std::string& path) {
  return absl::StrCat(path, "/", kMarker);
}

// Removes the marker last: without it, no other process would finish an
// interrupted or failed removal.
void RemoveWithMarker(const std::string& path) {
  std::error_code error;
  std::vector<fs::path> content;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() != kMarker) content.push_back(entry->path());
  }
  if (error) return;
  for (const fs::path& entry : content) {
    if (!RemoveTree(entry.string()).ok()) return;
  }
  unlink(MarkerOf(path).c_str());
  rmdir(path.c_str());
}

// Removes the folder if the process that created it is gone. Keeps folders that
// are in use or have no marker yet.
void RemoveIfAbandoned(const std::string& path) {
  if (!IsOurFolder(path)) return;
  const int lock =
      open(MarkerOf(path).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (lock < 0) return;
  // Held until the folder is removed: see Lock().
  if (flock(lock, LOCK_EX | LOCK_NB) == 0) RemoveWithMarker(path);
  close(lock);
}

void RemoveAbandonedIn(const std::string& parent) {
  std::error_code error;  // those that can't be read now are read next time
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
       entry.increment(error)) {
    if (HasOurName(entry->path().filename().string())) {
      RemoveIfAbandoned(entry->path().string());
    }
  }
}

// Creates and locks the marker of a new folder; returns -1, with errno, on
// failure. Another process may find the marker before it is locked and remove
// the folder: ENOENT.
int Lock(const std::string& path) {
  const std::string file = MarkerOf(path);
  const int lock = open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                        S_IRUSR | S_IWUSR);
  if (lock < 0) return -1;
  struct stat info = {};
  if (flock(lock, LOCK_EX) == 0 && stat(file.c_str(), &info) == 0) return lock;
  const int error = errno;
  close(lock);
  errno = error;
  return -1;
}

absl::StatusOr<std::string> UsualParent() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) {
    const char* const variable = getenv("TMPDIR");
    return TemporaryFolderError(variable == nullptr ? "/tmp" : variable,
                                error.value());
  }
  return AbsolutePath(parent.string());
}

}  // namespace

absl::StatusOr<std::unique_ptr<TemporaryFolder>> TemporaryFolder::Make() {
  const absl::StatusOr<std::string> parent = UsualParent();
  if (!parent.ok()) return parent.status();
  return MakeIn(*parent);
}

void TemporaryFolder::RemoveAbandoned() {
  const absl::StatusOr<std::string> parent = UsualParent();
  if (parent.ok()) RemoveAbandonedIn(*parent);
}

absl::StatusOr<std::unique_ptr<TemporaryFolder>> TemporaryFolder::MakeIn(
    const std::string& parent) {
  RemoveAbandonedIn(parent);
  while (true) {
    std::string path =
        (fs::path(parent) / absl::StrCat(kPrefix, kPattern)).string();
    if (mkdtemp(path.data()) == nullptr) {
      return TemporaryFolderError(parent, errno);
    }
    const int lock = Lock(path);
    if (lock >= 0) {
      return std::unique_ptr<TemporaryFolder>(
          new TemporaryFolder(std::move(path), lock));
    }
    if (errno == ENOENT) continue;  // removed by another process; see Lock()
    const int error = errno;
    RemoveTree(path).IgnoreError();
    return TemporaryFolderError(parent, error);
  }
}

TemporaryFolder::~TemporaryFolder() {
  RemoveWithMarker(path_);
  close(lock_);
}

}  // namespace byoshin::local
