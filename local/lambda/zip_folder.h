// The zips of a deployment. Whatever bucket a template names, the code of a
// function is the first of these files that is there:
//   the last component of its S3Key, with ".zip" appended if it lacks that;
//   "<logical id of the function>.zip".
//
//   ZipFolder zips("/data/zips");
//   zips.Give({{"orders.zip", bytes}}, "/home/me/zips");
//   zips.Fetch({.bucket = "any", .key = "v3/orders.zip", .function = "F"});
#ifndef BYOSHIN_LOCAL_LAMBDA_ZIP_FOLDER_H_
#define BYOSHIN_LOCAL_LAMBDA_ZIP_FOLDER_H_

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/lambda/cloudformation.h"
#include "local/lambda/code_store.h"

namespace byoshin::local::lambda {

// The bucket that zips are said to be in where nobody names one.
inline constexpr char kLocalBucket[] = "local";

// Thread-safe.
class ZipFolder final : public lambda::ZipSource {
 public:
  // With a folder, which must exist, zips are there again after a restart.
  explicit ZipFolder(std::string folder) : folder_(std::move(folder)) {}

  // What there is for the next deployments; `origin` is where it is from, for
  // errors. What a function has of it is kept.
  void Give(std::map<std::string, std::string> zips, std::string origin);

  // Keeps the zip and returns its name, which has the content's digest:
  // "<file>-<digest>.zip", as //infra:deploy uploads it.
  absl::StatusOr<std::string> Put(absl::string_view file, std::string bytes);

  absl::StatusOr<lambda::Zip> Fetch(
      const lambda::CodeLocation& location) override;

  // Removes all that no function of these has, but for the files `names`, and
  // what an interrupted Put() has left.
  absl::Status KeepOnly(const std::vector<lambda::CodeLocation>& locations,
                        std::set<std::string> names);

 private:
  // Writes the zip unless it is there as it should be.
  absl::Status Keep(const std::string& name, const lambda::Zip& zip) const;
  // The file of this name; nothing if there is none. Needs mutex_.
  absl::StatusOr<std::optional<lambda::Zip>> Find(const std::string& name);

  const std::string folder_;
  std::mutex mutex_;
  // All guarded by mutex_, by name.
  std::map<std::string, lambda::Zip> zips_;
  std::map<std::string, std::string> given_;
  std::string origin_;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_ZIP_FOLDER_H_
