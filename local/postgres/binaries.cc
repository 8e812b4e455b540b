#include "local/postgres/binaries.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/files/runfile.h"
#include "local/files/folders.h"
#include "local/postgres/server_paths.h"

namespace byoshin::local::postgres {
namespace {

bool HasPrograms(const std::string& folder) {
  for (const char* program : {"/bin/initdb", "/bin/postgres"}) {
    if (access(absl::StrCat(folder, program).c_str(), X_OK) != 0) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<std::string> FindBinaries(const std::string& given) {
  std::string named = given;
  if (named.empty()) {
    if (const char* const variable = std::getenv(kBinariesVariable)) {
      named = variable;
    }
  }
  if (!named.empty()) {
    if (HasPrograms(named)) return AbsolutePath(named);
    return absl::NotFoundError(absl::StrCat(
        "there are no programs bin/initdb and bin/postgres in ", named));
  }
  const std::string own =
      files::RunfilePath(kRunfilesWorkspace, kPostgresServer);
  if (HasPrograms(own)) return AbsolutePath(own);
  return absl::NotFoundError(absl::StrCat(
      "PostgreSQL is not beside this program (there is no ", own,
      "/bin/postgres), as for a program that was copied; start it where Bazel "
      "has built it (bazel-bin/byoshin), set ",
      kBinariesVariable,
      " to a folder with bin/initdb and bin/postgres of PostgreSQL 17, or use "
      "a running server with --postgres=URL"));
}

}  // namespace byoshin::local::postgres
