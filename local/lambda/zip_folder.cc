#include "local/lambda/zip_folder.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/files/read_file.h"
#include "core/sync/mutex.h"
#include "local/files/private_file.h"
#include "local/lambda/cloudformation.h"
#include "local/lambda/code_store.h"

namespace byoshin::local::lambda {
namespace {

// The files that may contain the code, in the order of the search.
std::vector<std::string> NamesFor(const lambda::CodeLocation& location) {
  constexpr absl::string_view kZip = ".zip";
  const absl::string_view key = location.key;
  // A key may start with folders.
  const absl::string_view last = key.substr(key.rfind('/') + 1);
  std::vector<std::string> names;
  if (!last.empty()) {
    names.push_back(absl::StrCat(absl::StripSuffix(last, kZip), kZip));
  }
  names.push_back(absl::StrCat(location.function, kZip));
  return names;
}

constexpr std::size_t kDigestDigits = 16;

// "-<digest>.zip"
std::string NameEnd(const lambda::Zip& zip) {
  return absl::StrCat("-", zip.digest().substr(0, kDigestDigits), ".zip");
}

// Whether the name was made by Put() or //infra:deploy.
bool HasDigest(absl::string_view name) {
  const std::size_t dash = name.rfind('-');
  if (dash == absl::string_view::npos) return false;
  name.remove_prefix(dash + 1);
  return absl::ConsumeSuffix(&name, ".zip") && name.size() == kDigestDigits &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_isxdigit(static_cast<unsigned char>(c));
         });
}

}  // namespace

void ZipFolder::Give(std::map<std::string, std::string> zips,
                     std::string origin) {
  const sync::MutexLock lock(mutex_);
  given_ = std::move(zips);
  origin_ = std::move(origin);
}

absl::StatusOr<std::string> ZipFolder::Put(absl::string_view file,
                                           const std::string& bytes) {
  const std::string stem(file.substr(0, file.rfind('.')));
  const sync::MutexLock lock(mutex_);
  // Comparing is much faster than hashing: after a restart, the zips are
  // usually those that were just fetched.
  for (const auto& [name, zip] : zips_) {
    if (absl::StartsWith(name, stem + "-") && zip.bytes() == bytes) return name;
  }
  const lambda::Zip zip(bytes);
  std::string name = absl::StrCat(stem, NameEnd(zip));
  if (absl::Status kept = Keep(name, zip); !kept.ok()) return kept;
  zips_.insert_or_assign(name, zip);
  return name;
}

absl::Status ZipFolder::Keep(const std::string& name,
                             const lambda::Zip& zip) const {
  if (folder_.empty()) return absl::OkStatus();
  const std::string path = absl::StrCat(folder_, "/", name);
  // Comparing sizes is not enough: the file may be damaged.
  const absl::StatusOr<std::string> kept = files::ReadFile(path);
  if (kept.ok() && *kept == zip.bytes()) return absl::OkStatus();
  const absl::Status written = ReplacePrivateFile(path, zip.bytes());
  if (written.ok()) return written;
  return absl::UnavailableError(
      absl::StrCat("cannot keep ", name, ": ", written.message()));
}

absl::StatusOr<std::optional<lambda::Zip>> ZipFolder::Find(
    const std::string& name) {
  const auto known = zips_.find(name);
  if (const auto given = given_.find(name); given != given_.end()) {
    if (known != zips_.end() && known->second.bytes() == given->second) {
      return known->second;
    }
    const lambda::Zip zip(given->second);
    if (absl::Status kept = Keep(name, zip); !kept.ok()) return kept;
    zips_.insert_or_assign(name, zip);
    return zip;
  }
  if (known != zips_.end()) return known->second;
  if (folder_.empty()) return std::nullopt;
  absl::StatusOr<std::string> bytes =
      files::ReadFile(absl::StrCat(folder_, "/", name));
  if (!bytes.ok()) return std::nullopt;
  const lambda::Zip zip(*std::move(bytes));
  if (HasDigest(name) && !absl::EndsWith(name, NameEnd(zip))) {
    return absl::DataLossError(absl::StrCat(
        folder_, "/", name,
        " is damaged: its content does not match the digest in its name"));
  }
  return zips_.emplace(name, zip).first->second;
}

absl::StatusOr<lambda::Zip> ZipFolder::Fetch(
    const lambda::CodeLocation& location) {
  const std::vector<std::string> names = NamesFor(location);
  const sync::MutexLock lock(mutex_);
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

void ZipFolder::ForgetBytes() {
  const sync::MutexLock lock(mutex_);
  if (!folder_.empty()) zips_.clear();
}

absl::Status ZipFolder::KeepOnly(
    const std::vector<lambda::CodeLocation>& locations,
    std::set<std::string> names) {
  for (const lambda::CodeLocation& location : locations) {
    for (std::string& name : NamesFor(location)) names.insert(std::move(name));
  }
  const sync::MutexLock lock(mutex_);
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

}  // namespace byoshin::local::lambda
