// Writing a text to an open file as a whole.
//
//   if (!WriteAll(file, text)) return WriteError(path, errno);
#ifndef BYOSHIN_LOCAL_FILES_WRITE_ALL_H_
#define BYOSHIN_LOCAL_FILES_WRITE_ALL_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace byoshin::local {

// Goes on after interruptions and partial writes, with at most `block_bytes`
// for each call of write(2). False, with errno, if that fails.
bool WriteAll(int file, absl::string_view bytes,
              std::size_t block_bytes = absl::string_view::npos);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_FILES_WRITE_ALL_H_
