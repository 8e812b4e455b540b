#include "local/postgres/server_user.h"

#include <errno.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/files/read_file.h"
#include "local/postgres/binaries.h"
#include "local/process/child.h"

namespace byoshin::local::postgres {
namespace {

using process::Child;
using process::ExitStatus;
using process::RunAs;

// The number of `nobody` on Linux, also where no such user is listed.
constexpr uid_t kNobody = 65534;
constexpr std::size_t kPasswdBytes = std::size_t{16} << 10;

// A line of /etc/passwd.
struct User {
  std::string name{};
  gid_t group = 0;
};

std::optional<User> FindUser(uid_t user) {
  passwd entry = {};
  passwd* found = nullptr;
  std::vector<char> buffer(kPasswdBytes);
  if (getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) != 0 ||
      found == nullptr) {
    return std::nullopt;
  }
  return User{.name = entry.pw_name, .group = entry.pw_gid};
}

std::string NameOf(uid_t user) {
  const std::optional<User> found = FindUser(user);
  return found.has_value() ? found->name : absl::StrCat("user ", user);
}

// With the group of the same number, if the user is not listed.
RunAs UserBy(RunAs::Way way, uid_t user) {
  const std::optional<User> found = FindUser(user);
  return {.way = way,
          .user = user,
          .group = found.has_value() ? found->group : gid_t{user}};
}

// Whether PostgreSQL can be run so: it has to become the user, to enter the
// folder, and to find its programs.
absl::Status Try(const RunAs& run_as, const ServerPlace& place) {
  std::promise<ExitStatus> ended;
  std::string said;
  absl::StatusOr<std::unique_ptr<Child>> child = Child::Start(
      {.argv = {absl::StrCat(place.binaries, "/bin/postgres"), "--version"},
       .environment = {{"LC_ALL", "C"}},
       .working_directory = place.folder,
       .run_as = run_as,
       .on_output =
           [&](Child::Stream, absl::string_view bytes) {
             absl::StrAppend(&said, bytes);
           },
       .on_exit = [&](const ExitStatus& exit) { ended.set_value(exit); }});
  if (!child.ok()) return child.status();
  const ExitStatus exit = ended.get_future().get();
  if (exit.kind == ExitStatus::Kind::kExited && exit.value == 0) {
    return absl::OkStatus();
  }
  return absl::InternalError(absl::StrCat(exit.ToString(), ": ", said));
}

absl::Status Give(const std::string& path, uid_t user, gid_t group) {
  if (lchown(path.c_str(), user, group) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(
      errno, absl::StrCat("giving ", path, " to ", NameOf(user)));
}

// How many folders above the server's own belong to byoshin, with the data
// folder.
constexpr int kOwnFolders = 2;

// Folders that root gives away, and takes back unless that helps.
class GivenFolders {
 public:
  GivenFolders() = default;
  ~GivenFolders() {
    for (const std::string& folder : given_) (void)Give(folder, 0, 0);
  }

  // The server's own folder.
  absl::Status Add(const std::string& folder, const RunAs& run_as) {
    return AddIf([](mode_t) { return true; }, folder, run_as);
  }
  // A folder around it, only if it is a private one of root's: others are not
  // ours, or can be passed through anyway.
  absl::Status AddPrivate(const std::string& folder, const RunAs& run_as) {
    return AddIf([](mode_t mode) { return (mode & 0777) == S_IRWXU; }, folder,
                 run_as);
  }
  void Keep() { given_.clear(); }

 private:
  absl::Status AddIf(bool (*is_ours)(mode_t), const std::string& folder,
                     const RunAs& run_as) {
    struct stat now = {};
    if (stat(folder.c_str(), &now) != 0) {
      return absl::ErrnoToStatus(errno, absl::StrCat("reading ", folder));
    }
    if (now.st_uid != 0 || !is_ours(now.st_mode)) return absl::OkStatus();
    absl::Status given = Give(folder, run_as.user, run_as.group);
    if (given.ok()) given_.push_back(folder);
    return given;
  }

  std::vector<std::string> given_;
};

// Whether there is no other user here that root could become.
bool IsTheOnlyUser() {
  const absl::StatusOr<std::string> map = files::ReadFile("/proc/self/uid_map");
  if (!map.ok()) return false;
  // First number here, first number outside, how many.
  const std::vector<std::string> numbers =
      absl::StrSplit(*map, absl::ByAnyChar(" \n"), absl::SkipEmpty());
  return numbers.size() == 3 && numbers[2] == "1";
}

// The owner of the server's folder or of the data folder, unless it is root.
RunAs UserFor(const std::string& folder) {
  std::filesystem::path owned = folder;
  for (int i = 0; i <= kOwnFolders; ++i, owned = owned.parent_path()) {
    struct stat status = {};
    if (stat(owned.c_str(), &status) == 0 && status.st_uid != 0) {
      return UserBy(RunAs::Way::kSetUser, status.st_uid);
    }
  }
  return UserBy(RunAs::Way::kSetUser, kNobody);
}

// The server's folder then belongs to the user, and so does the one around it.
absl::Status TryAsItIs(const RunAs& run_as, const ServerPlace& place) {
  const std::string around =
      std::filesystem::path(place.folder).parent_path().string();
  GivenFolders given;
  absl::Status status = given.Add(place.folder, run_as);
  if (status.ok()) status = given.AddPrivate(around, run_as);
  if (status.ok()) status = Try(run_as, place);
  if (status.ok()) given.Keep();
  return status;
}

// The server's folder then belongs to the user.
absl::Status TryRevealed(RunAs& run_as, const ServerPlace& place) {
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::canonical(place.folder, error);
  if (error) {
    return absl::ErrnoToStatus(error.value(),
                               absl::StrCat("reading ", place.folder));
  }
  run_as.revealed_folders = {folder, place.binaries};
  GivenFolders given;
  absl::Status status = given.Add(folder, run_as);
  if (status.ok()) status = Try(run_as, place);
  if (status.ok()) given.Keep();
  return status;
}

// A user of the system that root can become.
absl::StatusOr<RunAs> TrySetUser(const ServerPlace& place) {
  RunAs run_as = UserFor(place.folder);
  const absl::Status as_it_is = TryAsItIs(run_as, place);
  if (as_it_is.ok()) return run_as;
  const absl::Status revealed = TryRevealed(run_as, place);
  if (revealed.ok()) return run_as;
  return absl::Status(
      as_it_is.code(),
      absl::StrCat("as ", NameOf(run_as.user), ": ", as_it_is.message(),
                   "; with its folders mounted for it: ", revealed.message()));
}

absl::StatusOr<ServerUser> ChooseForRoot(const ServerPlace& place) {
  const absl::StatusOr<RunAs> user = TrySetUser(place);
  if (user.ok()) {
    return ServerUser{
        .run_as = *user,
        .note = absl::StrCat("PostgreSQL does not run as root: it runs as ",
                             NameOf(user->user), ", to whom ", place.folder,
                             " now belongs")};
  }
  std::string reasons(user.status().message());
  if (IsTheOnlyUser()) {
    const RunAs nobody = UserBy(RunAs::Way::kNamespace, kNobody);
    const absl::Status status = Try(nobody, place);
    if (status.ok()) {
      return ServerUser{
          .run_as = nobody,
          .note = absl::StrCat(
              "PostgreSQL does not run as root: it runs as ",
              NameOf(nobody.user),
              " in a user namespace of its own, without capabilities, since "
              "there is no other user in this sandbox")};
    }
    absl::StrAppend(&reasons, "; in a user namespace: ", status.message());
  }
  return absl::FailedPreconditionError(
      absl::StrCat("PostgreSQL does not run as root, and it can't be run as "
                   "another user: ",
                   reasons));
}

absl::StatusOr<ServerUser> ChooseForUnnamed(const ServerPlace& place) {
  const RunAs nobody = UserBy(RunAs::Way::kNamespace, kNobody);
  const absl::Status status = Try(nobody, place);
  if (status.ok()) return ServerUser{.run_as = nobody};
  return absl::FailedPreconditionError(
      absl::StrCat("PostgreSQL needs a user with a name, and this one has "
                   "none: in a user namespace: ",
                   status.message()));
}

}  // namespace

absl::StatusOr<ServerUser> ChooseServerUser(const ServerPlace& place) {
  const bool is_root = geteuid() == 0;
  if (!is_root && FindUser(geteuid()).has_value()) return ServerUser{};
  absl::StatusOr<ServerUser> user =
      is_root ? ChooseForRoot(place) : ChooseForUnnamed(place);
  if (user.ok()) return user;
  return absl::Status(
      user.status().code(),
      absl::StrCat(user.status().message(),
                   ". Start byoshin as another user; or give it a data folder "
                   "of another user (chown nobody FOLDER), and if that user "
                   "can't reach the programs, a copy of them (",
                   kBinariesVariable,
                   "=FOLDER); or use a running server with --postgres=URL"));
}

absl::Status GiveTree(const std::string& path, const ServerUser& user) {
  if (geteuid() != 0) return absl::OkStatus();
  uid_t owner = geteuid();
  gid_t group = getegid();
  if (user.run_as.has_value() && user.run_as->way == RunAs::Way::kSetUser) {
    owner = user.run_as->user;
    group = user.run_as->group;
  }
  struct stat now = {};
  if (lstat(path.c_str(), &now) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("reading ", path));
  }
  // Itself last, so that an interrupted call is repeated.
  if (now.st_uid == owner) return absl::OkStatus();
  if (!S_ISDIR(now.st_mode)) return Give(path, owner, group);
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(path, error), end;
       !error && entry != end; entry.increment(error)) {
    if (absl::Status given = Give(entry->path(), owner, group); !given.ok()) {
      return given;
    }
  }
  if (error) {
    return absl::ErrnoToStatus(error.value(), absl::StrCat("reading ", path));
  }
  return Give(path, owner, group);
}

}  // namespace byoshin::local::postgres
