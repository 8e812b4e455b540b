#include "local/stack/zip_folder.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/lambda/code_store.h"
#include "local/stack/read_file.h"

namespace byoshin::local::stack {
namespace {

// A key may have folders in front of it.
std::string NameIn(absl::string_view key) {
  return std::string(key.substr(key.rfind('/') + 1));
}

}  // namespace

absl::StatusOr<std::string> ZipFolder::Put(absl::string_view file,
                                           std::string bytes) {
  constexpr std::size_t kDigestDigits = 16;
  const std::string stem(file.substr(0, file.rfind('.')));
  std::lock_guard lock(mutex_);
  // To compare is much faster than to hash: after a restart the zips are most
  // often those that were just fetched.
  for (const auto& [name, zip] : zips_) {
    if (absl::StartsWith(name, stem + "-") && zip.bytes() == bytes) return name;
  }
  const lambda::Zip zip(std::move(bytes));
  std::string name =
      absl::StrCat(stem, "-", zip.digest().substr(0, kDigestDigits), ".zip");
  if (absl::Status kept = Keep(name, zip); !kept.ok()) return kept;
  zips_.insert_or_assign(name, zip);
  return name;
}

absl::Status ZipFolder::Keep(const std::string& name,
                             const lambda::Zip& zip) const {
  if (folder_.empty()) return absl::OkStatus();
  const std::string path = absl::StrCat(folder_, "/", name);
  std::error_code missing;
  if (std::filesystem::file_size(path, missing) == zip.bytes().size() &&
      !missing) {
    return absl::OkStatus();
  }
  // Under its own name only when it is whole: the name says what is in it.
  const std::string unfinished = path + ".unfinished";
  {
    std::ofstream out(unfinished, std::ios::binary);
    out << zip.bytes();
    if (!out.flush()) {
      std::error_code ignored;
      std::filesystem::remove(unfinished, ignored);
      return absl::UnavailableError(absl::StrCat(
          "cannot keep ", name, " in ", folder_, "; is the disk full?"));
    }
  }
  std::error_code error;
  std::filesystem::rename(unfinished, path, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot keep ", name, " in ",
                                             folder_, ": ", error.message()));
}

absl::StatusOr<lambda::Zip> ZipFolder::Fetch(const std::string& bucket,
                                             const std::string& key) {
  const std::string name = NameIn(key);
  std::lock_guard lock(mutex_);
  const auto found = zips_.find(name);
  if (bucket == kLocalBucket && found != zips_.end()) return found->second;
  if (bucket == kLocalBucket && !folder_.empty()) {
    absl::StatusOr<std::string> bytes =
        ReadFile(absl::StrCat(folder_, "/", name));
    if (bytes.ok()) {
      return zips_.emplace(name, lambda::Zip(*std::move(bytes))).first->second;
    }
  }
  return absl::NotFoundError(absl::StrCat("no zip s3://", bucket, "/", key,
                                          " was given to the local cloud"));
}

absl::Status ZipFolder::KeepOnly(const std::set<std::string>& keys) {
  std::set<std::string> names;
  for (const std::string& key : keys) names.insert(NameIn(key));
  std::lock_guard lock(mutex_);
  std::erase_if(
      zips_, [&](const auto& entry) { return !names.contains(entry.first); });
  if (folder_.empty()) return absl::OkStatus();
  std::error_code error;
  for (const std::filesystem::directory_entry& entry :
       std::filesystem::directory_iterator(folder_, error)) {
    if (names.contains(entry.path().filename().string())) continue;
    std::filesystem::remove(entry.path(), error);
    if (error) break;
  }
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot remove old zips from ",
                                             folder_, ": ", error.message()));
}

}  // namespace byoshin::local::stack
