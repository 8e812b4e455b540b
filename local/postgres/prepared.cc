#include "local/postgres/prepared.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/files/read_file.h"
#include "core/files/runfile.h"
#include "local/files/private_file.h"
#include "local/files/write_all.h"
#include "local/postgres/binaries.h"
#include "local/postgres/server_paths.h"

namespace byoshin::local::postgres {
namespace {

namespace fs = std::filesystem;

// Each entry is a line "<size without zeros at the end> <size> <path>", or
// "folder 0 <path>", and the bytes.
constexpr char kPackedFolder[] = "folder";
// Of the target prepared_server, among the runfiles.
constexpr char kPreparedServer[] = "local/postgres/prepared_server.bin";
constexpr std::size_t kWriteBytes = std::size_t{1} << 20;

absl::Status Damaged() {
  return absl::DataLossError("the prepared copy of PostgreSQL is damaged");
}

// The text up to `end`, which is removed with it from `rest`.
bool TakeUpTo(char end, absl::string_view& rest, absl::string_view& text) {
  const std::size_t size = rest.find(end);
  if (size == absl::string_view::npos) return false;
  text = rest.substr(0, size);
  rest.remove_prefix(size + 1);
  return true;
}

absl::Status WriteFile(const std::string& path, absl::string_view bytes,
                       std::uint64_t size) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                        S_IRUSR | S_IWUSR);
  if (file < 0) return WriteError(path, errno);
  const absl::Cleanup close_it = [file] { close(file); };
  if (!WriteAll(file, bytes, kWriteBytes) ||
      ftruncate(file, static_cast<off_t>(size)) != 0) {
    return WriteError(path, errno);
  }
  return absl::OkStatus();
}

}  // namespace

std::string FindPrepared(const std::string& binaries) {
  const std::string path =
      files::RunfilePath(kRunfilesWorkspace, kPreparedServer);
  std::error_code error;
  // Empty if the build could not make it.
  if (const auto size = fs::file_size(path, error); error || size == 0) {
    return "";
  }
  const std::string own =
      files::RunfilePath(kRunfilesWorkspace, kPostgresServer);
  return fs::equivalent(own, binaries, error) && !error ? path : "";
}

absl::StatusOr<std::string> Pack(const std::string& folder) {
  // In the order of their paths, so that a folder comes before its files.
  std::map<std::string, fs::file_type> entries;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    entries.emplace(fs::relative(entry->path(), folder).string(),
                    entry->symlink_status().type());
  }
  if (error) {
    return absl::ErrnoToStatus(error.value(), absl::StrCat("reading ", folder));
  }
  std::string packed;
  for (const auto& [path, type] : entries) {
    if (type == fs::file_type::directory) {
      absl::StrAppend(&packed, kPackedFolder, " 0 ", path, "\n");
      continue;
    }
    if (type != fs::file_type::regular) {
      return absl::InvalidArgumentError(
          absl::StrCat(folder, "/", path, " is neither a file nor a folder"));
    }
    const absl::StatusOr<std::string> bytes =
        files::ReadFile(absl::StrCat(folder, "/", path));
    if (!bytes.ok()) return bytes.status();
    // PostgreSQL's logs are mostly zeros.
    const std::size_t used = bytes->find_last_not_of('\0') + 1;
    absl::StrAppend(&packed, used, " ", bytes->size(), " ", path, "\n",
                    absl::string_view(*bytes).substr(0, used));
  }
  return packed;
}

absl::Status Unpack(absl::string_view packed, const std::string& folder) {
  if (mkdir(folder.c_str(), S_IRWXU) != 0) return WriteError(folder, errno);
  while (!packed.empty()) {
    absl::string_view kind, size_text, path;
    std::uint64_t size = 0;
    if (!TakeUpTo(' ', packed, kind) || !TakeUpTo(' ', packed, size_text) ||
        !TakeUpTo('\n', packed, path) || !absl::SimpleAtoi(size_text, &size) ||
        absl::StartsWith(path, "/") || absl::StrContains(path, "..")) {
      return Damaged();
    }
    const std::string target = absl::StrCat(folder, "/", path);
    if (kind == kPackedFolder) {
      if (mkdir(target.c_str(), S_IRWXU) != 0) return WriteError(target, errno);
      continue;
    }
    std::uint64_t used = 0;
    if (!absl::SimpleAtoi(kind, &used) || used > packed.size() || used > size) {
      return Damaged();
    }
    if (absl::Status written = WriteFile(target, packed.substr(0, used), size);
        !written.ok()) {
      return written;
    }
    packed.remove_prefix(used);
  }
  return absl::OkStatus();
}

}  // namespace byoshin::local::postgres
