// The zips of a deployment. Whatever bucket a template names, the code of a
// function is the first of these files that exists:
//   the last component of its S3Key, with ".zip" appended if it lacks that;
//   "<logical id of the function>.zip".
//
//   ZipFolder zips("/data/zips");
//   zips.Give({{"orders.zip", bytes}}, "/home/me/zips");
//   zips.Fetch({.bucket = "any", .key = "v3/orders.zip", .function = "F"});
#ifndef BYOSHIN_LOCAL_LAMBDA_ZIP_FOLDER_H_
#define BYOSHIN_LOCAL_LAMBDA_ZIP_FOLDER_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/lambda/cloudformation.h"
#include "local/lambda/code_store.h"

namespace byoshin::local::lambda {

// The default bucket.
inline constexpr char kLocalBucket[] = "local";

// Thread-safe.
class ZipFolder final : public lambda::ZipSource {
 public:
  // With a folder, which must exist, zips survive a restart.
  explicit ZipFolder(std::string folder) : folder_(std::move(folder)) {}

  // The zips for the next deployments; `origin` says where they come from, in
  // errors. Zips that functions use are kept.
  void Give(std::map<std::string, std::string> zips, std::string origin);

  // Stores the zip and returns its name, which contains the content's digest:
  // "<file>-<digest>.zip", as //infra:deploy uploads it.
  absl::StatusOr<std::string> Put(absl::string_view file,
                                  const std::string& bytes);

  absl::StatusOr<lambda::Zip> Fetch(
      const lambda::CodeLocation& location) override;

  // Frees the memory of zips that are in the folder; Fetch() reads them again.
  void ForgetBytes();

  // Removes all zips except those at `locations` and the files `names`, and the
  // remains of an interrupted Put().
  absl::Status KeepOnly(const std::vector<lambda::CodeLocation>& locations,
                        std::set<std::string> names);

 private:
  // Writes the zip unless the file has this content.
  absl::Status Keep(const std::string& name, const lambda::Zip& zip) const;
  // The file of this name; std::nullopt if there is none.
  absl::StatusOr<std::optional<lambda::Zip>> Find(const std::string& name)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string folder_;
  sync::Mutex mutex_;
  // By name.
  std::map<std::string, lambda::Zip> zips_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::string> given_ ABSL_GUARDED_BY(mutex_);
  std::string origin_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_ZIP_FOLDER_H_
