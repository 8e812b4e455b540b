// Writes a whole text to an open file.
//
//   if (!WriteAll(file, text)) return WriteError(path, errno);
#ifndef BYOSHIN_LOCAL_FILES_WRITE_ALL_H_
#define BYOSHIN_LOCAL_FILES_WRITE_ALL_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace byoshin::local {

// Continues after interruptions and partial writes, with at most `block_bytes`
// per call of write(2). False, with errno, on failure.
bool WriteAll(int file, absl::string_view bytes,
              std::size_t block_bytes = absl::string_view::npos);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_FILES_WRITE_ALL_H_
