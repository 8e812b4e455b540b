#include "core/files/read_file.h"

#include <sys/stat.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <thread>

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

TEST(ReadFile, TakesNoMoreMemoryThanTheFileHasBytes) {
  const std::string path = ::testing::TempDir() + "/size";
  for (const std::size_t size : {std::size_t{100}, std::size_t{3} << 20}) {
    std::ofstream(path, std::ios::binary) << std::string(size, 'x');
    const std::string bytes = *ReadFile(path);
    EXPECT_EQ(bytes.size(), size);
    EXPECT_LE(bytes.capacity(), size + 16);
  }
}

TEST(ReadFile, ReadsWhatHasNoSize) {
  // Longer than one step.
  const std::string path = ::testing::TempDir() + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string bytes(300'000, 'x');
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << bytes; });
  EXPECT_EQ(*ReadFile(path), bytes);
  writer.join();
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
