#include "local/process/revealed_folders.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace byoshin::local::process {
namespace {

// Of <linux/mount.h>, which can't be included beside <sys/mount.h>.
constexpr unsigned kOpenTreeClone = 1;
constexpr unsigned kMoveMountEmptySource = 4;
// Also of older C libraries that do not name it.
constexpr unsigned kRecursive = 0x8000;
// A cover holds some folders and nothing else.
constexpr char kCoverOptions[] = "mode=0755,size=64k";

bool CanPass(const struct stat& folder, const RevealedFolders::User& user) {
  if (folder.st_uid == user.user) return (folder.st_mode & S_IXUSR) != 0;
  if (folder.st_gid == user.group) return (folder.st_mode & S_IXGRP) != 0;
  return (folder.st_mode & S_IXOTH) != 0;
}

// The topmost folder above `folder` that the user can't pass through.
absl::StatusOr<std::optional<std::filesystem::path>> FindClosed(
    const std::filesystem::path& folder, const RevealedFolders::User& user) {
  std::filesystem::path above;
  for (const std::filesystem::path& part : folder.parent_path()) {
    above /= part;
    struct stat status = {};
    if (stat(above.c_str(), &status) != 0) {
      return absl::ErrnoToStatus(
          errno, absl::StrCat("reading the folder ", above.string()));
    }
    if (!CanPass(status, user)) return above;
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<RevealedFolders> RevealedFolders::Plan(
    const std::vector<std::string>& folders, const User& user) {
  RevealedFolders plan;
  for (const std::filesystem::path folder : folders) {
    absl::StatusOr<std::optional<std::filesystem::path>> closed =
        FindClosed(folder, user);
    if (!closed.ok()) return closed.status();
    if (!closed->has_value()) continue;
    plan.revealed_.push_back(folder);
    if (std::find(plan.covered_.begin(), plan.covered_.end(), **closed) ==
        plan.covered_.end()) {
      plan.covered_.push_back(**closed);
    }
    std::filesystem::path path = **closed;
    for (const std::filesystem::path& part : folder.lexically_relative(path)) {
      path /= part;
      plan.paths_.push_back(path);
    }
  }
  plan.trees_.resize(plan.revealed_.size(), -1);
  return plan;
}

bool RevealedFolders::Reveal() const {
  if (revealed_.empty()) return true;
  if (syscall(SYS_unshare, CLONE_NEWNS) != 0 ||
      // What is mounted here stays here.
      mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return false;
  }
  // Before the covers hide them.
  for (std::size_t i = 0; i < revealed_.size(); ++i) {
    trees_[i] = static_cast<int>(syscall(
        SYS_open_tree, AT_FDCWD, revealed_[i].c_str(),
        kOpenTreeClone | static_cast<unsigned>(O_CLOEXEC) | kRecursive));
    if (trees_[i] < 0) return false;
  }
  for (const std::string& folder : covered_) {
    if (mount("tmpfs", folder.c_str(), "tmpfs", MS_NOSUID | MS_NODEV,
              kCoverOptions) != 0) {
      return false;
    }
  }
  for (const std::string& path : paths_) {
    if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) return false;
    // Whatever the umask is.
    if (chmod(path.c_str(), 0755) != 0) return false;
  }
  for (std::size_t i = 0; i < revealed_.size(); ++i) {
    if (syscall(SYS_move_mount, trees_[i], "", AT_FDCWD, revealed_[i].c_str(),
                kMoveMountEmptySource) != 0) {
      return false;
    }
    close(std::exchange(trees_[i], -1));
  }
  return true;
}

}  // namespace byoshin::local::process
