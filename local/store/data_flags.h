// The flags --data and --in-memory, which determine where a program keeps its
// data.
//
//   absl::StatusOr<std::string> folder = DataFolder(
//       {.data = "d", .in_memory = false}, ".local/share/byoshin",
//       environment);
#ifndef BYOSHIN_LOCAL_STORE_DATA_FLAGS_H_
#define BYOSHIN_LOCAL_STORE_DATA_FLAGS_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/env/environment.h"

namespace byoshin::local {

struct DataFlags {
  // The value of --data, if it was given.
  std::optional<std::string> data{};
  bool in_memory = false;
};

// InvalidArgument if --data is empty, or both were given.
absl::Status CheckDataFlags(const DataFlags& flags);

// The absolute path of the folder, empty if data is kept in memory. Without
// flags it is $BYOSHIN_DATA, or else `below_home` in the home directory. A
// relative path is relative to the user's working directory, even if Bazel
// started the program.
absl::StatusOr<std::string> DataFolder(const DataFlags& flags,
                                       absl::string_view below_home,
                                       const env::Environment& environment);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_DATA_FLAGS_H_
