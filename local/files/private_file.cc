#include "local/files/private_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/files/write_all.h"

namespace byoshin::local {
namespace {

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

absl::Status WriteNewFile(const std::string& path, absl::string_view bytes) {
  unlink(path.c_str());
  const int file =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly);
  if (file < 0) {
    return WriteError(path, errno);
  }
  const absl::Cleanup close_file = [file] { close(file); };
  fchmod(file, kOwnerOnly);
  return WriteAll(file, bytes) ? absl::OkStatus() : WriteError(path, errno);
}

}  // namespace

absl::Status DiskFullError(absl::string_view name) {
  return absl::UnavailableError(absl::StrCat(
      "cannot write ", name, ": the disk is full; make room and try again"));
}

absl::Status WriteError(const std::string& path, int error) {
  if (error == ENOSPC || error == EDQUOT) return DiskFullError(path);
  return absl::ErrnoToStatus(error, absl::StrCat("cannot write ", path));
}

absl::Status MakePrivateFile(const std::string& path) {
  const int file =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly);
  if (file >= 0) {
    close(file);
  } else if (errno != EEXIST) {
    return WriteError(path, errno);
  }
  TightenFile(path);
  return absl::OkStatus();
}

void TightenFile(const std::string& path) { chmod(path.c_str(), kOwnerOnly); }

std::FILE* AppendToPrivateFile(const std::string& path) {
  const int file =
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kOwnerOnly);
  if (file < 0) return nullptr;
  fchmod(file, kOwnerOnly);
  std::FILE* const stream = fdopen(file, "ab");
  if (stream == nullptr) close(file);
  return stream;
}

absl::Status ReplacePrivateFile(const std::string& path,
                                absl::string_view bytes) {
  const std::string unfinished = path + ".unfinished";
  absl::Status status = WriteNewFile(unfinished, bytes);
  if (status.ok() && rename(unfinished.c_str(), path.c_str()) != 0) {
    status = WriteError(path, errno);
  }
  if (!status.ok()) unlink(unfinished.c_str());
  return status;
}

}  // namespace byoshin::local
