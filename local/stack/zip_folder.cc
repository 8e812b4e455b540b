#include "local/stack/zip_folder.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/lambda/cloudformation.h"
#include "local/lambda/code_store.h"
#include "local/stack/read_file.h"

namespace byoshin::local::stack {
namespace {

// The files that may have the code, in the order in which they are looked for.
std::vector<std::string> NamesFor(const lambda::CodeLocation& location) {
  constexpr absl::string_view kZip = ".zip";
  const absl::string_view key = location.key;
  // A key may have folders in front of it.
  const absl::string_view last = key.substr(key.rfind('/') + 1);
  std::vector<std::string> names;
  if (!last.empty()) {
    names.push_back(absl::StrCat(absl::StripSuffix(last, kZip), kZip));
  }
  names.push_back(absl::StrCat(location.function, kZip));
  return names;
}

}  // namespace

void ZipFolder::Give(std::map<std::string, std::string> zips,
                     std::string origin) {
  std::lock_guard lock(mutex_);
  given_ = std::move(zips);
  origin_ = std::move(origin);
}

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
  if (absl::Status kept = Keep(name, zip, Names::kOfContent); !kept.ok()) {
    return kept;
  }
  zips_.insert_or_assign(name, zip);
  return name;
}

absl::Status ZipFolder::Keep(const std::string& name, const lambda::Zip& zip,
                             Names names) const {
  if (folder_.empty()) return absl::OkStatus();
  const std::string path = absl::StrCat(folder_, "/", name);
  std::error_code missing;
  if (std::filesystem::file_size(path, missing) == zip.bytes().size() &&
      !missing &&
      (names == Names::kOfContent ||
       ReadFile(path).value_or("") == zip.bytes())) {
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

absl::StatusOr<std::optional<lambda::Zip>> ZipFolder::Find(
    const std::string& name) {
  const auto known = zips_.find(name);
  if (const auto given = given_.find(name); given != given_.end()) {
    if (known != zips_.end() && known->second.bytes() == given->second) {
      return known->second;
    }
    const lambda::Zip zip(given->second);
    if (absl::Status kept = Keep(name, zip, Names::kOfFile); !kept.ok()) {
      return kept;
    }
    zips_.insert_or_assign(name, zip);
    return zip;
  }
  if (known != zips_.end()) return known->second;
  if (folder_.empty()) return std::nullopt;
  absl::StatusOr<std::string> bytes =
      ReadFile(absl::StrCat(folder_, "/", name));
  if (!bytes.ok()) return std::nullopt;
  return zips_.emplace(name, lambda::Zip(*std::move(bytes))).first->second;
}

absl::StatusOr<lambda::Zip> ZipFolder::Fetch(
    const lambda::CodeLocation& location) {
  const std::vector<std::string> names = NamesFor(location);
  std::lock_guard lock(mutex_);
  for (const std::string& name : names) {
    absl::StatusOr<std::optional<lambda::Zip>> zip = Find(name);
    if (!zip.ok()) return zip.status();
    if (zip->has_value()) return **std::move(zip);
  }
  return absl::NotFoundError(
      absl::StrCat("no zip for s3://", location.bucket, "/", location.key,
                   ": there is no ", absl::StrJoin(names, " and no "),
                   origin_.empty() ? "" : absl::StrCat(" in ", origin_)));
}

absl::Status ZipFolder::KeepOnly(
    const std::vector<lambda::CodeLocation>& locations,
    std::set<std::string> names) {
  for (const lambda::CodeLocation& location : locations) {
    for (std::string& name : NamesFor(location)) names.insert(std::move(name));
  }
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
