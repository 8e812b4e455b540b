// A whole file, or all that comes from a pipe.
#ifndef BYOSHIN_LOCAL_FILES_READ_FILE_H_
#define BYOSHIN_LOCAL_FILES_READ_FILE_H_

#include <string>

#include "absl/status/statusor.h"

namespace byoshin::local {

// Errors name the file and what was wrong; NotFound if it is not there. A
// folder is an error.
absl::StatusOr<std::string> ReadFile(const std::string& path);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_FILES_READ_FILE_H_
