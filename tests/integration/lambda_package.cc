#include "tests/integration/lambda_package.h"

#include <errno.h>
#include <stdlib.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/files/read_file.h"
#include "local/files/folders.h"
#include "local/lambda/code_store.h"

namespace byoshin::integration {
namespace {

absl::StatusOr<std::string> MakeTemporaryFolder() {
  const char* parent = getenv("TEST_TMPDIR");
  std::string folder =
      absl::StrCat(parent == nullptr ? "/tmp" : parent, "/function-XXXXXX");
  if (mkdtemp(folder.data()) == nullptr) {
    return absl::ErrnoToStatus(errno, absl::StrCat("making ", folder));
  }
  return folder;
}

}  // namespace

absl::StatusOr<LambdaPackage> LambdaPackage::Unpack(
    const std::string& zip_path) {
  absl::StatusOr<std::string> zip = files::ReadFile(zip_path);
  if (!zip.ok()) return zip.status();
  absl::StatusOr<std::string> root = MakeTemporaryFolder();
  if (!root.ok()) return root.status();
  LambdaPackage package(*std::move(root), zip->size());
  absl::StatusOr<local::lambda::CodeStore> store =
      local::lambda::CodeStore::Open(package.root_);
  if (!store.ok()) return store.status();
  absl::StatusOr<local::lambda::UnpackedCode> unpacked =
      store->Unpack(local::lambda::Zip(*std::move(zip)));
  if (!unpacked.ok()) {
    return absl::Status(
        unpacked.status().code(),
        absl::StrCat(zip_path, ": ", unpacked.status().message()));
  }
  package.folder_ = unpacked->code.folder;
  return package;
}

LambdaPackage::LambdaPackage(LambdaPackage&& other) noexcept
    : root_(std::exchange(other.root_, {})),
      folder_(std::move(other.folder_)),
      zip_bytes_(other.zip_bytes_) {}

LambdaPackage::~LambdaPackage() {
  if (root_.empty()) return;
  // The test's temporary folder goes away as a whole.
  local::RemoveTree(root_).IgnoreError();
}

}  // namespace byoshin::integration
