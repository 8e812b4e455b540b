#include "local/files/folders.h"

#include <errno.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local {
namespace {

namespace fs = std::filesystem;

constexpr fs::perms kWrite =
    fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;

absl::Status FolderError(const std::error_code& error, absl::string_view doing,
                         const fs::path& path) {
  return absl::ErrnoToStatus(error.value(),
                             absl::StrCat(doing, " ", path.string()));
}

bool IsFolder(const fs::path& path) {
  std::error_code missing;
  return fs::is_directory(fs::symlink_status(path, missing));
}

// Creates the folder and its missing parents, accessible to their owner only.
std::error_code MakeFolders(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return {};
  if (const fs::path parent = path.parent_path();
      !parent.empty() && parent != path) {
    error = MakeFolders(parent);
    if (error) return error;
  }
  if (mkdir(path.c_str(), S_IRWXU) == 0) {
    chmod(path.c_str(), S_IRWXU);  // the umask may deny the owner, too
    return {};
  }
  // Another process may have made it, or it ends with a slash.
  const int reason = errno == EEXIST ? ENOTDIR : errno;
  if (fs::is_directory(path, error)) return {};
  return {reason, std::generic_category()};
}

// Removing an entry of a folder requires permission to write to the folder.
void MakeFoldersWritable(const fs::path& path) {
  std::error_code ignored;  // removing it says what is wrong
  fs::permissions(path, fs::perms::owner_all, fs::perm_options::add, ignored);
  for (fs::directory_iterator entry(path, ignored), end;
       !ignored && entry != end; entry.increment(ignored)) {
    if (IsFolder(entry->path())) MakeFoldersWritable(entry->path());
  }
}

}  // namespace

absl::StatusOr<std::string> AbsolutePath(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  if (error) return FolderError(error, "cannot find", path);
  return absolute.string();
}

absl::Status MakePrivateFolder(const std::string& path) {
  const std::error_code error = MakeFolders(path);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat("cannot make the folder ", path, ": ", error.message()));
  }
  return absl::OkStatus();
}

absl::Status MakeTreeReadOnly(const std::string& path) {
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_symlink(error)) continue;
    if (IsFolder(entry->path())) {
      absl::Status status = MakeTreeReadOnly(entry->path().string());
      if (!status.ok()) return status;
    } else {
      fs::permissions(entry->path(), kWrite, fs::perm_options::remove, error);
      if (error) return FolderError(error, "protecting", entry->path());
    }
  }
  if (!error) {
    fs::permissions(path, kWrite, fs::perm_options::remove, error);
  }
  return error ? FolderError(error, "protecting", path) : absl::OkStatus();
}

absl::Status RemoveTree(const std::string& path) {
  if (IsFolder(path)) MakeFoldersWritable(path);
  std::error_code error;
  fs::remove_all(path, error);
  return error ? FolderError(error, "removing", path) : absl::OkStatus();
}

}  // namespace byoshin::local
