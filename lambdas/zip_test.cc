// Holds the zips to what AWS Lambda and this project want of them.
#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <ios>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/files/read_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::size_t kMaxZipBytes = 4'000'000;

// The little-endian number of this type at `offset`; 0 beyond the end.
template <typename T>
T NumberAt(const std::string& bytes, std::size_t offset) {
  T number = 0;
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) {
    ADD_FAILURE() << "cut off at " << offset;
    return number;
  }
  std::memcpy(&number, bytes.data() + offset, sizeof(T));
  return number;
}

std::string Part(const std::string& bytes, std::size_t offset,
                 std::size_t length) {
  return offset > bytes.size() ? "" : bytes.substr(offset, length);
}

struct Entry {
  std::string name;
  mode_t mode;
  std::string content;
};

std::string Inflate(const std::string& packed, std::size_t size) {
  std::string content(size, '\0');
  z_stream stream = {};
  stream.next_in =
      reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // NOLINT
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(content.data());
  stream.avail_out = static_cast<uInt>(content.size());
  EXPECT_EQ(inflateInit2(&stream, -MAX_WBITS), Z_OK);
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(inflateEnd(&stream), Z_OK);
  EXPECT_EQ(stream.total_out, size);
  return content;
}

// The entries by the directory at the end, as every unpacker reads it.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3
std::vector<Entry> Unzip(const std::string& zip) {
  constexpr std::size_t kEndBytes = 22;
  std::vector<Entry> entries;
  const std::size_t end = zip.rfind("PK\x05\x06");
  if (end == std::string::npos || zip.size() - end < kEndBytes) {
    ADD_FAILURE() << "not a zip";
    return entries;
  }
  std::size_t header = NumberAt<uint32_t>(zip, end + 16);
  for (int left = NumberAt<uint16_t>(zip, end + 10); left > 0; --left) {
    const auto method = NumberAt<uint16_t>(zip, header + 10);
    const auto packed_bytes = NumberAt<uint32_t>(zip, header + 20);
    const auto bytes = NumberAt<uint32_t>(zip, header + 24);
    const auto name_bytes = NumberAt<uint16_t>(zip, header + 28);
    const auto extra_bytes = NumberAt<uint16_t>(zip, header + 30);
    const auto comment_bytes = NumberAt<uint16_t>(zip, header + 32);
    const auto attributes = NumberAt<uint32_t>(zip, header + 38);
    const auto local = NumberAt<uint32_t>(zip, header + 42);
    const std::size_t data = local + 30 + NumberAt<uint16_t>(zip, local + 26) +
                             NumberAt<uint16_t>(zip, local + 28);
    EXPECT_EQ(method, Z_DEFLATED);
    entries.push_back({Part(zip, header + 46, name_bytes),
                       static_cast<mode_t>(attributes >> 16),
                       Inflate(Part(zip, data, packed_bytes), bytes)});
    header += 46 + name_bytes + extra_bytes + comment_bytes;
  }
  return entries;
}

struct RunResult {
  int exit_status;
  std::string standard_output;
  std::string standard_error;
};

// Runs a program with no arguments and no environment.
RunResult RunAlone(const std::string& program) {
  const std::string out = absl::StrCat(program, ".out");
  const std::string err = absl::StrCat(program, ".err");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::string argument = "bootstrap";
  char* const arguments[] = {argument.data(), nullptr};
  char* const environment[] = {nullptr};
  pid_t pid = -1;
  const int error = posix_spawn(&pid, program.c_str(), &actions, nullptr,
                                arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(error, 0);
  int status = -1;
  if (error == 0) {
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          files::ReadFile(out).value(), files::ReadFile(err).value()};
}

class ZipTest : public ::testing::TestWithParam<const char*> {
 protected:
  static std::string Zip() {
    return files::ReadFile(absl::StrCat("lambdas/", GetParam(), ".zip"))
        .value();
  }

  static std::string Bootstrap() {
    const std::vector<Entry> entries = Unzip(Zip());
    return entries.empty() ? std::string() : entries[0].content;
  }
};

INSTANTIATE_TEST_SUITE_P(
    Functions, ZipTest,
    ::testing::Values("sender", "collector", "mock_api", "generation_cancel",
                      "generation_clean_up", "generation_generate",
                      "generation_history", "generation_migration",
                      "generation_retry", "generation_status",
                      "generation_update_state", "generation_worker",
                      "mesh_create_group", "mesh_dissolve_group",
                      "mesh_fire_events", "mesh_leave_group"));

TEST_P(ZipTest, HasOneEntryTheExecutableBootstrap) {
  const std::vector<Entry> entries = Unzip(Zip());
  ASSERT_THAT(entries, SizeIs(1));
  EXPECT_EQ(entries[0].name, "bootstrap");
  EXPECT_TRUE(S_ISREG(entries[0].mode));
  EXPECT_EQ(entries[0].mode & 0555, 0555) << "for everybody to run";
  EXPECT_EQ(entries[0].mode & 0022, 0) << "for nobody else to write";
}

TEST_P(ZipTest, IsSmall) { EXPECT_LE(Zip().size(), kMaxZipBytes); }

TEST_P(ZipTest, NeedsNoLoaderAndNoLibrary) {
  const std::string elf = Bootstrap();
  ASSERT_GT(elf.size(), sizeof(Elf64_Ehdr));
  Elf64_Ehdr header;
  std::memcpy(&header, elf.data(), sizeof(header));
  ASSERT_EQ(std::memcmp(header.e_ident, ELFMAG, SELFMAG), 0);
  ASSERT_EQ(header.e_ident[EI_CLASS], ELFCLASS64);
  ASSERT_GT(header.e_phnum, 0);
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const auto type =
        NumberAt<uint32_t>(elf, header.e_phoff + i * header.e_phentsize);
    EXPECT_NE(type, PT_INTERP);
    EXPECT_NE(type, PT_DYNAMIC);
  }
}

TEST_P(ZipTest, CarriesNoSymbols) {
  const std::string elf = Bootstrap();
  ASSERT_GT(elf.size(), sizeof(Elf64_Ehdr));
  Elf64_Ehdr header;
  std::memcpy(&header, elf.data(), sizeof(header));
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto type = NumberAt<uint32_t>(
        elf, header.e_shoff + i * header.e_shentsize + sizeof(uint32_t));
    EXPECT_NE(type, SHT_SYMTAB);
  }
}

TEST_P(ZipTest, SaysWhatItIsWhenStartedByHand) {
  const std::string program =
      absl::StrCat(::testing::TempDir(), GetParam(), "_bootstrap");
  {
    std::ofstream file(program, std::ios::binary);
    file << Bootstrap();
  }
  ASSERT_EQ(chmod(program.c_str(), 0700), 0);
  const RunResult result = RunAlone(program);
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_EQ(result.standard_output, "");
  EXPECT_THAT(result.standard_error,
              AllOf(HasSubstr("This is Byoshin's "),
                    HasSubstr("AWS_LAMBDA_RUNTIME_API is not set")));
}

}  // namespace
}  // namespace byoshin
