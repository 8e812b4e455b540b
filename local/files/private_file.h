// Files that only their owner can read and write, whatever the umask is.
//
//   absl::Status written = ReplacePrivateFile("/data/state.json", text);
#ifndef BYOSHIN_LOCAL_FILES_PRIVATE_FILE_H_
#define BYOSHIN_LOCAL_FILES_PRIVATE_FILE_H_

#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local {

// The error that `name` can't be written because the disk is full.
absl::Status DiskFullError(absl::string_view name);

// The error that a file can't be written, with the meaning of `error`, an
// errno, and what to do if the disk is full.
absl::Status WriteError(const std::string& path, int error);

// Creates an empty file unless it exists, and removes the permissions of other
// users. Does not open an existing file: closing it would release the locks
// that this process holds on it.
absl::Status MakePrivateFile(const std::string& path);

// Removes the permissions of other users from a file, if it exists and belongs
// to this user.
void TightenFile(const std::string& path);

// Opens the file for appending and creates it if it is missing. Null, with
// errno, on failure.
std::FILE* AppendToPrivateFile(const std::string& path);

// Replaces the file atomically: a reader gets either the old content or all of
// `bytes`. An interrupted call leaves "<path>.unfinished".
absl::Status ReplacePrivateFile(const std::string& path,
                                absl::string_view bytes);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_FILES_PRIVATE_FILE_H_
