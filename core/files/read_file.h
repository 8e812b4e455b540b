// Reads a whole file, or a pipe to its end.
//
//   absl::StatusOr<std::string> text = files::ReadFile("template.json");
#ifndef BYOSHIN_CORE_FILES_READ_FILE_H_
#define BYOSHIN_CORE_FILES_READ_FILE_H_

#include <string>

#include "absl/status/statusor.h"

namespace byoshin::files {

// Errors name the file and what was wrong; NotFound if it does not exist. A
// folder is an error.
absl::StatusOr<std::string> ReadFile(const std::string& path);

}  // namespace byoshin::files

#endif  // BYOSHIN_CORE_FILES_READ_FILE_H_
