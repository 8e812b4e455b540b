// The zips of a deployment, by the names that the template's parameters give
// them: "<file>-<digest>.zip", as //infra:deploy uploads them.
#ifndef BYOSHIN_LOCAL_STACK_ZIP_FOLDER_H_
#define BYOSHIN_LOCAL_STACK_ZIP_FOLDER_H_

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/lambda/cloudformation.h"
#include "local/lambda/code_store.h"

namespace byoshin::local::stack {

// The bucket that local zips are said to be in, and the folder there.
inline constexpr char kLocalBucket[] = "local";

// Thread-safe.
class ZipFolder final : public lambda::ZipSource {
 public:
  // With a folder, which must exist, zips are there again after a restart.
  explicit ZipFolder(std::string folder) : folder_(std::move(folder)) {}

  // Keeps the zip and returns its name, which has the content's digest.
  absl::StatusOr<std::string> Put(absl::string_view file, std::string bytes);

  absl::StatusOr<lambda::Zip> Fetch(const std::string& bucket,
                                    const std::string& key) override;

  // Removes all others, and what an interrupted Put() has left.
  absl::Status KeepOnly(const std::set<std::string>& keys);

 private:
  // Writes the zip unless it is there.
  absl::Status Keep(const std::string& name, const lambda::Zip& zip) const;

  const std::string folder_;
  std::mutex mutex_;
  std::map<std::string, lambda::Zip> zips_;  // by name; guarded by mutex_
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_ZIP_FOLDER_H_
