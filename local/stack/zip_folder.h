// The zips of a deployment, by the names that the template's parameters give
// them: "<file>-<digest>.zip", as //infra:deploy uploads them.
#ifndef BYOSHIN_LOCAL_STACK_ZIP_FOLDER_H_
#define BYOSHIN_LOCAL_STACK_ZIP_FOLDER_H_

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/crypto/hex.h"
#include "core/crypto/sha256.h"
#include "local/lambda/cloudformation.h"

namespace byoshin::local::stack {

// The bucket that local zips are said to be in, and the folder there.
inline constexpr char kLocalBucket[] = "local";

// Thread-safe.
class ZipFolder final : public lambda::ZipSource {
 public:
  // With a folder, which must exist, zips are there again after a restart.
  explicit ZipFolder(std::string folder) : folder_(std::move(folder)) {}

  // Keeps the zip and returns its name, which has the content's digest.
  absl::StatusOr<std::string> Put(absl::string_view file, std::string zip) {
    constexpr std::size_t kDigestDigits = 16;
    const std::string digest = crypto::HexEncode(crypto::Sha256(zip));
    std::string name = absl::StrCat(file.substr(0, file.rfind('.')), "-",
                                    digest.substr(0, kDigestDigits), ".zip");
    std::lock_guard lock(mutex_);
    if (!folder_.empty() && !Keep(name, zip)) {
      return absl::UnavailableError(absl::StrCat(
          "cannot keep ", name, " in ", folder_, "; is the disk full?"));
    }
    zips_[name] = std::move(zip);
    return name;
  }

  absl::StatusOr<std::string> Fetch(const std::string& bucket,
                                    const std::string& key) override {
    std::lock_guard lock(mutex_);
    const std::string name = key.substr(key.rfind('/') + 1);
    const auto found = zips_.find(name);
    if (bucket == kLocalBucket && found != zips_.end()) return found->second;
    if (bucket == kLocalBucket && !folder_.empty()) {
      std::ifstream in(absl::StrCat(folder_, "/", name), std::ios::binary);
      if (in) return std::string(std::istreambuf_iterator<char>(in), {});
    }
    return absl::NotFoundError(absl::StrCat("no zip s3://", bucket, "/", key,
                                            " was given to the local cloud"));
  }

 private:
  // Under its name a zip is whole, whenever the process is killed.
  bool Keep(const std::string& name, const std::string& zip) const {
    const std::string path = absl::StrCat(folder_, "/", name);
    std::error_code error;
    if (std::filesystem::exists(path, error)) return true;
    const std::string fresh = absl::StrCat(path, ".new");
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    out << zip;
    out.close();
    if (!out) return false;
    std::filesystem::rename(fresh, path, error);
    return !error;
  }

  const std::string folder_;
  std::mutex mutex_;
  std::map<std::string, std::string> zips_;  // by name; guarded by mutex_
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_ZIP_FOLDER_H_
