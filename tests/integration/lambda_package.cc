#include "tests/integration/lambda_package.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/files/read_file.h"
#include "local/lambda/code_store.h"

namespace byoshin::integration {
absl::StatusOr<LambdaPackage> LambdaPackage::Unpack(
    const std::string& zip_path) {
  absl::StatusOr<std::string> zip = files::ReadFile(zip_path);
  if (!zip.ok()) return zip.status();
  absl::StatusOr<std::unique_ptr<local::TemporaryFolder>> root =
      local::TemporaryFolder::Make();
  if (!root.ok()) return root.status();
  LambdaPackage package(*std::move(root), zip->size());
  absl::StatusOr<local::lambda::CodeStore> store =
      local::lambda::CodeStore::Open(package.root_->path() + "/code");
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

}  // namespace byoshin::integration
