// Folders that a child process can use although folders above them are closed
// to its user, as everything below /root is to others than root.
//
//   absl::StatusOr<RevealedFolders> revealed = RevealedFolders::Plan(
//       {"/root/data/orders"}, {.user = 65534, .group = 65534});
//   if (!revealed.ok()) return revealed.status();
//   ... // in the child, before it becomes that user:
//   if (!revealed->Reveal()) ReportErrno();
//
// The child gets a mount namespace of its own, where each closed folder is
// covered by an empty one that has nothing but the path to what is revealed.
// Paths stay the same; the rest of a closed folder does not exist for it.
#ifndef BYOSHIN_LOCAL_PROCESS_REVEALED_FOLDERS_H_
#define BYOSHIN_LOCAL_PROCESS_REVEALED_FOLDERS_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace byoshin::local::process {

class RevealedFolders {
 public:
  struct User {
    uid_t user = 0;
    gid_t group = 0;
  };

  // Finds what to cover. The folders exist; their paths are absolute and
  // without symbolic links.
  static absl::StatusOr<RevealedFolders> Plan(
      const std::vector<std::string>& folders, const User& user);

  // False, with errno set, if that is not possible: it needs CAP_SYS_ADMIN,
  // which a process has in a user namespace of its own. Calls only what is safe
  // between vfork() and execve().
  bool Reveal() const;

 private:
  // Folders below closed ones.
  std::vector<std::string> revealed_;
  // The topmost closed folder above each, once.
  std::vector<std::string> covered_;
  // What must be made in the covers, parents first.
  std::vector<std::string> paths_;
  // Descriptors of revealed_ in Reveal(), which must not allocate.
  mutable std::vector<int> trees_;
};

}  // namespace byoshin::local::process

#endif  // BYOSHIN_LOCAL_PROCESS_REVEALED_FOLDERS_H_
