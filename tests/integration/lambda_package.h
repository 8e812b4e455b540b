// A function's zip, unpacked so that it can be started, as Lambda does it.
//
//   absl::StatusOr<LambdaPackage> package =
//       LambdaPackage::Unpack("lambdas/sender.zip");
//   if (!package.ok()) return package.status();
//   Process::Start({.argv = {package->bootstrap()}, ...});
#ifndef BYOSHIN_TESTS_INTEGRATION_LAMBDA_PACKAGE_H_
#define BYOSHIN_TESTS_INTEGRATION_LAMBDA_PACKAGE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/files/temporary_folder.h"

namespace byoshin::integration {

// A temporary folder, of the local cloud's making, with a zip's content;
// removed with the object. Thread-safe once made.
class LambdaPackage {
 public:
  // Refuses a zip that Lambda could not start: one without an executable file
  // `bootstrap` at its root.
  static absl::StatusOr<LambdaPackage> Unpack(const std::string& zip_path);

  std::string bootstrap() const { return folder_ + "/bootstrap"; }
  const std::string& folder() const { return folder_; }
  std::size_t zip_bytes() const { return zip_bytes_; }

 private:
  LambdaPackage(std::unique_ptr<local::TemporaryFolder> root,
                std::size_t zip_bytes)
      : root_(std::move(root)), zip_bytes_(zip_bytes) {}

  std::unique_ptr<local::TemporaryFolder> root_;
  std::string folder_;  // inside it
  std::size_t zip_bytes_;
};

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_LAMBDA_PACKAGE_H_
