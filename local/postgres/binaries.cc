#include "local/postgres/binaries.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/files/runfile.h"
#include "local/postgres/server_paths.h"

namespace byoshin::local::postgres {
namespace {

bool HasPrograms(const std::string& folder) {
  for (const char* program : {"/bin/initdb", "/bin/postgres"}) {
    if (access(absl::StrCat(folder, program).c_str(), X_OK) != 0) return false;
  }
  return true;
}

// The folder itself, if the programs are symbolic links, as in Bazel's
// runfiles: PostgreSQL looks for its files beside them.
absl::StatusOr<std::string> Resolved(const std::string& folder) {
  std::error_code error;
  const std::filesystem::path program =
      std::filesystem::canonical(absl::StrCat(folder, "/bin/postgres"), error);
  if (error) {
    return absl::ErrnoToStatus(error.value(), absl::StrCat("reading ", folder));
  }
  return program.parent_path().parent_path().string();
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
    if (HasPrograms(named)) return Resolved(named);
    return absl::NotFoundError(absl::StrCat(
        "there are no programs bin/initdb and bin/postgres in ", named));
  }
  const std::string own =
      files::RunfilePath(kRunfilesWorkspace, kPostgresServer);
  if (HasPrograms(own)) return Resolved(own);
  return absl::NotFoundError(absl::StrCat(
      "PostgreSQL is not beside this program (there is no ", own,
      "/bin/postgres), as for a program that was copied; start it where Bazel "
      "has built it (bazel-bin/byoshin), set ",
      kBinariesVariable,
      " to a folder with bin/initdb and bin/postgres of PostgreSQL 17, or use "
      "a running server with --postgres=URL"));
}

}  // namespace byoshin::local::postgres
