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

// The absolute path of `path`, which may be relative to the working directory.
absl::StatusOr<std::string> AbsolutePath(const std::string& path);

// Creates the folder and its missing parents. New folders are accessible to
// their owner only, from the start; existing ones keep their permissions.
absl::Status MakePrivateFolder(const std::string& path);

// Removes the permission to write from `path` and all files and folders below
// it.
absl::Status MakeTreeReadOnly(const std::string& path);

// Removes the folder and its content, even if folders are read-only. OK if it
// does not exist. Does not follow symbolic links.
absl::Status RemoveTree(const std::string& path);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_FILES_FOLDERS_H_
