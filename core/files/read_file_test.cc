#include "core/files/read_file.h"

#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace byoshin::files {
namespace {

TEST(ReadFile, GivesAllBytesOfAFile) {
  const std::string path = ::testing::TempDir() + "/bytes";
  const std::string bytes =
      std::string(200'000, 'x') + std::string("\0\r\n", 3);
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(*ReadFile(path), bytes);
}

TEST(ReadFile, SaysWhichFileCannotBeRead) {
  const std::string folder = ::testing::TempDir();
  const absl::Status missing = ReadFile(folder + "/missing").status();
  EXPECT_TRUE(absl::IsNotFound(missing)) << missing;
  EXPECT_TRUE(absl::StrContains(missing.message(), "/missing")) << missing;
  EXPECT_FALSE(ReadFile(folder).ok());
  std::ofstream(folder + "/empty");
  EXPECT_EQ(*ReadFile(folder + "/empty"), "");
}

}  // namespace
}  // namespace byoshin::files
