#include "tests/integration/lambda_package.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/integration/unzip.h"

namespace byoshin::integration {
namespace {

// In blocks of the size that unzip(1) writes. A file that was written in one
// piece lies in the page cache in large pieces, and a process that touches a
// byte of one gets all of it: its memory would depend on how the test unpacked
// it. In blocks it is the same as for a file that is read from disk.
constexpr std::size_t kBlockBytes = std::size_t{64} << 10;

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat("cannot open ", path));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

absl::StatusOr<std::string> MakeTemporaryFolder() {
  const char* parent = getenv("TEST_TMPDIR");
  std::string folder =
      absl::StrCat(parent == nullptr ? "/tmp" : parent, "/function-XXXXXX");
  if (mkdtemp(folder.data()) == nullptr) {
    return absl::ErrnoToStatus(errno, absl::StrCat("making ", folder));
  }
  return folder;
}

absl::Status WriteFile(const std::string& path, const ZipEntry& entry) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC,
                              entry.mode & (S_IRWXU | S_IRWXG | S_IRWXO));
  if (descriptor < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("creating ", path));
  }
  absl::string_view rest = entry.content;
  while (!rest.empty()) {
    const ssize_t size =
        write(descriptor, rest.data(), std::min(rest.size(), kBlockBytes));
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) break;
    rest.remove_prefix(static_cast<std::size_t>(size));
  }
  close(descriptor);
  if (rest.empty()) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, absl::StrCat("writing ", path));
}

}  // namespace

absl::StatusOr<LambdaPackage> LambdaPackage::Unpack(
    const std::string& zip_path) {
  absl::StatusOr<std::string> zip = ReadFile(zip_path);
  if (!zip.ok()) return zip.status();
  absl::StatusOr<std::vector<ZipEntry>> entries = Unzip(*zip);
  if (!entries.ok()) return entries.status();
  absl::StatusOr<std::string> folder = MakeTemporaryFolder();
  if (!folder.ok()) return folder.status();
  LambdaPackage package(*std::move(folder), zip->size());
  for (const ZipEntry& entry : *entries) {
    if (absl::StrContains(entry.name, '/')) {
      return absl::UnimplementedError(
          absl::StrCat(zip_path, " has a folder: ", entry.name));
    }
    if (absl::Status status =
            WriteFile(absl::StrCat(package.folder_, "/", entry.name), entry);
        !status.ok()) {
      return status;
    }
  }
  if (access(package.bootstrap().c_str(), X_OK) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(zip_path, " has no executable file \"bootstrap\""));
  }
  return package;
}

LambdaPackage::LambdaPackage(LambdaPackage&& other) noexcept
    : folder_(std::exchange(other.folder_, {})), zip_bytes_(other.zip_bytes_) {}

LambdaPackage::~LambdaPackage() {
  if (folder_.empty()) return;
  std::error_code ignored;  // the test's temporary folder goes away as a whole
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace byoshin::integration
