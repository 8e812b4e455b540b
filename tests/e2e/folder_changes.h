// What a process does to the files of a folder, as it does it: a test that
// kills a process can choose the moment by how much it has written, and wait
// for what it writes without asking again and again.
//
//   absl::StatusOr<std::unique_ptr<FolderChanges>> changes =
//       FolderChanges::Watch(folder);
//   …start the process, then:
//   absl::StatusOr<int> seen = (*changes)->Await(process->pid());
//
// Of folders within the folder it sees only that they come and go.
#ifndef BYOSHIN_TESTS_E2E_FOLDER_CHANGES_H_
#define BYOSHIN_TESTS_E2E_FOLDER_CHANGES_H_

#include <sys/types.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace byoshin::e2e {

// Not thread-safe.
class FolderChanges {
 public:
  // Sees what happens from now on.
  static absl::StatusOr<std::unique_ptr<FolderChanges>> Watch(
      const std::string& folder);

  FolderChanges(const FolderChanges&) = delete;
  FolderChanges& operator=(const FolderChanges&) = delete;
  ~FolderChanges();

  // Until something has changed since the last call, or the process has ended:
  // how many changes there were, 0 if it has ended without any. The same change
  // of the same file several times in a row may count as one.
  absl::StatusOr<int> Await(pid_t process);

 private:
  explicit FolderChanges(int descriptor) : descriptor_(descriptor) {}

  absl::StatusOr<int> Read();

  const int descriptor_;
};

}  // namespace byoshin::e2e

#endif  // BYOSHIN_TESTS_E2E_FOLDER_CHANGES_H_
