#include "local/stack/read_file.h"

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace byoshin::local::stack {

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  const auto failed = [&](int error) {
    return absl::ErrnoToStatus(error, absl::StrCat("cannot read ", path));
  };
  std::error_code error;
  // A folder has none.
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return failed(error.value());
  std::ifstream file(path, std::ios::binary);
  std::string bytes(size, '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) {
    return failed(errno);
  }
  return bytes;
}

}  // namespace byoshin::local::stack
