// A temporary folder. If its process is killed, the next process that creates
// one removes it.
//
//   absl::StatusOr<std::unique_ptr<TemporaryFolder>> folder =
//       TemporaryFolder::Make();
//   if (!folder.ok()) return folder.status();
//   ... (*folder)->path() ...  // "/tmp/byoshin-a1B2c3"
//
// The process holds a lock on the file ".byoshin-temporary-folder" in it. A
// folder "byoshin-??????" of this user, with mode 0700 and such a file that is
// not locked, belongs to a process that is gone.
#ifndef BYOSHIN_LOCAL_FILES_TEMPORARY_FOLDER_H_
#define BYOSHIN_LOCAL_FILES_TEMPORARY_FOLDER_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace byoshin::local {

class TemporaryFolder {
 public:
  // In $TMPDIR, or else in /tmp. Errors say what to do.
  static absl::StatusOr<std::unique_ptr<TemporaryFolder>> Make();
  // In `parent`, an absolute path.
  static absl::StatusOr<std::unique_ptr<TemporaryFolder>> MakeIn(
      const std::string& parent);

  // Removes the folders of killed processes from where Make() creates its own.
  // Make() calls it.
  static void RemoveAbandoned();

  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  // Removes the folder and its content.
  ~TemporaryFolder();

  // Absolute.
  const std::string& path() const { return path_; }

 private:
  TemporaryFolder(std::string path, int lock)
      : path_(std::move(path)), lock_(lock) {}

  const std::string path_;
  const int lock_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_FILES_TEMPORARY_FOLDER_H_
