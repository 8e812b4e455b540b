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

// That `name` cannot be written for want of room.
absl::Status DiskFullError(absl::string_view name);

// That a file cannot be written, with what `error`, an errno, means, and what
// to do where the disk is full.
absl::Status WriteError(const std::string& path, int error);

// Makes an empty file unless there is one, and takes the permissions of others
// away. Does not open a file that is there: to close it would give up the locks
// that this process has on it.
absl::Status MakePrivateFile(const std::string& path);

// Takes the permissions of others away from a file, if it is there and ours.
void TightenFile(const std::string& path);

// Opens the file for appending, and makes it if it is missing. Null, with
// errno, if that fails.
std::FILE* AppendToPrivateFile(const std::string& path);

// Writes the file as a whole: whoever reads it gets what was there before or
// all of `bytes`. What an interrupted call leaves is "<path>.unfinished".
absl::Status ReplacePrivateFile(const std::string& path,
                                absl::string_view bytes);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_FILES_PRIVATE_FILE_H_
