// The user that PostgreSQL runs as. It refuses to run as root.
//
//   absl::StatusOr<ServerUser> user = ChooseServerUser(
//       {.folder = "/data/rds/orders", .binaries = binaries});
//   if (!user.ok()) return user.status();
//   Child::Start({.argv = {...}, .run_as = user->run_as});
#ifndef BYOSHIN_LOCAL_POSTGRES_SERVER_USER_H_
#define BYOSHIN_LOCAL_POSTGRES_SERVER_USER_H_

#include <sys/types.h>

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/process/child.h"

namespace byoshin::local::postgres {

struct ServerPlace {
  // The server's folder; exists.
  std::string folder{};
  // As FindBinaries() returns it.
  std::string binaries{};
};

struct ServerUser {
  // None if PostgreSQL runs as the user of this process.
  std::optional<process::RunAs> run_as{};
  // What the user should know of it; empty if there is nothing to say.
  std::string note{};
};

// For root: the owner of the folder or of the data folder around it, or else
// `nobody`; the folder then belongs to it. Where that user can't reach folder
// and programs, they are revealed to it (process::RunAs). `nobody` in a user
// namespace where there is no other user to become, as in a sandbox that has
// only one, and for a user without an entry in /etc/passwd, since initdb
// demands a user name. If none of it is possible, an error that says what to
// do.
absl::StatusOr<ServerUser> ChooseServerUser(const ServerPlace& place);

// Makes everything below `path` belong to the user, if it is one that
// ChooseServerUser() has chosen by setuid, and otherwise to this process's.
absl::Status GiveTree(const std::string& path, const ServerUser& user);

}  // namespace byoshin::local::postgres

#endif  // BYOSHIN_LOCAL_POSTGRES_SERVER_USER_H_
