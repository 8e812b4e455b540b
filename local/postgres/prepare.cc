// Makes the prepared copy (prepared.h) when the build runs.
//   prepare BINARIES OUTPUT
// Where PostgreSQL can't be run, as in a container that does not let root
// become another user, the file is empty, and servers are initialised by
// initdb.

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "local/files/private_file.h"
#include "local/files/temporary_folder.h"
#include "local/postgres/prepared.h"
#include "local/postgres/server.h"

namespace byoshin::local::postgres {
namespace {

absl::StatusOr<std::string> Prepared(const std::string& binaries) {
  const absl::StatusOr<std::unique_ptr<TemporaryFolder>> folder =
      TemporaryFolder::Make();
  if (!folder.ok()) return folder.status();
  const std::string server_folder = absl::StrCat((*folder)->path(), "/server");
  Server server({.binaries = binaries,
                 .folder = server_folder,
                 .superuser_password = kPreparedPassword,
                 // In order, so that the copy needs no recovery.
                 .keep = Keep::kData});
  if (absl::Status running = server.EnsureRunning().status(); !running.ok()) {
    return running;
  }
  server.Stop();
  return Pack(absl::StrCat(server_folder, "/data"));
}

int Main(const std::string& binaries, const std::string& output) {
  const absl::StatusOr<std::string> packed =
      Prepared(std::filesystem::absolute(binaries).string());
  if (!packed.ok()) {
    std::cerr << "no prepared copy of PostgreSQL is made: " << packed.status()
              << "\n";
  }
  const absl::Status written =
      ReplacePrivateFile(output, packed.ok() ? *packed : "");
  if (written.ok()) return EXIT_SUCCESS;
  std::cerr << written << "\n";
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace byoshin::local::postgres

int main(int argc, char** argv) {
  if (argc != 3) return EXIT_FAILURE;
  return byoshin::local::postgres::Main(argv[1], argv[2]);
}
