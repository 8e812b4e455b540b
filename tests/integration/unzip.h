// Reads zip files, as Lambda does before it starts a function.
//
//   absl::StatusOr<std::vector<ZipEntry>> entries = Unzip(bytes);
//   if (!entries.ok()) return entries.status();
//   entries->front().name;  // "bootstrap"
#ifndef BYOSHIN_TESTS_INTEGRATION_UNZIP_H_
#define BYOSHIN_TESTS_INTEGRATION_UNZIP_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::integration {

struct ZipEntry {
  std::string name;
  // File type and permissions as in stat(2); 0 if the archive was not made on
  // Unix.
  mode_t mode = 0;
  std::string content;
};

// The entries in the order of the archive's directory, with their checksums
// verified. Stored and deflated entries; no encryption, no zip64.
absl::StatusOr<std::vector<ZipEntry>> Unzip(absl::string_view archive);

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_UNZIP_H_
