// Folders of the local cloud.
//
//   absl::Status made = MakePrivateFolder("/data/zips");
//   absl::Status removed = RemoveTree("/data/code/0123");
#ifndef BYOSHIN_LOCAL_FILES_FOLDERS_H_
#define BYOSHIN_LOCAL_FILES_FOLDERS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace byoshin::local {

// `path`, which may be relative to the working directory, from the root.
absl::StatusOr<std::string> AbsolutePath(const std::string& path);

// Makes the folder and those above it. Each folder that was missing is
// accessible to its owner only, from the start; those that exist keep their
// permissions.
absl::Status MakePrivateFolder(const std::string& path);

// Takes the permission to write away from all files and folders below `path`,
// and from `path` itself.
absl::Status MakeTreeReadOnly(const std::string& path);

// Removes the folder and all that is in it, also where folders are read-only.
// OK if there is none. Follows no symbolic link.
absl::Status RemoveTree(const std::string& path);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_FILES_FOLDERS_H_
