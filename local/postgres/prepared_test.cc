#include "local/postgres/prepared.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/files/read_file.h"
#include "gtest/gtest.h"
#include "local/files/testing/test_folder.h"
#include "local/postgres/binaries.h"

namespace byoshin::local::postgres {
namespace {

namespace fs = std::filesystem;

TEST(Pack, KeepsFilesAndEmptyFolders) {
  const TestFolder folder;
  const std::string from = folder.path() + "/from";
  fs::create_directories(from + "/a/b");
  const std::string zeros("x\0y\0\0\0", 6);
  std::ofstream(from + "/a/zeros") << zeros;
  std::ofstream(from + "/empty") << "";
  std::ofstream(from + "/all zeros") << std::string(5000, '\0');
  const absl::StatusOr<std::string> packed = Pack(from);
  ASSERT_TRUE(packed.ok()) << packed.status();
  EXPECT_LT(packed->size(), 200);
  const std::string to = folder.path() + "/to";
  const absl::Status unpacked = Unpack(*packed, to);
  ASSERT_TRUE(unpacked.ok()) << unpacked;
  EXPECT_EQ(*files::ReadFile(to + "/a/zeros"), zeros);
  EXPECT_EQ(*files::ReadFile(to + "/empty"), "");
  EXPECT_EQ(*files::ReadFile(to + "/all zeros"), std::string(5000, '\0'));
  EXPECT_TRUE(fs::is_directory(to + "/a/b"));
  struct stat status = {};
  ASSERT_EQ(stat((to + "/a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700);
  ASSERT_EQ(stat((to + "/empty").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600);
}

TEST(Pack, RefusesLinks) {
  const TestFolder folder;
  fs::create_symlink("/etc", folder.path() + "/link");
  EXPECT_TRUE(absl::IsInvalidArgument(Pack(folder.path()).status()));
}

TEST(Unpack, RefusesWhatIsDamaged) {
  const TestFolder folder;
  int number = 0;
  for (const char* damaged :
       {"x", "5 5 a\nxyz", "3 2 a\nxyz", "1 1 /a\nx", "1 1 ../a\nx",
        "folder 0 ../a\n", "-1 1 a\nx", "1 x a\nx"}) {
    EXPECT_TRUE(absl::IsDataLoss(
        Unpack(damaged, absl::StrCat(folder.path(), "/", ++number))))
        << damaged;
  }
}

TEST(FindPrepared, IsForTheServerThatItWasMadeWith) {
  EXPECT_NE(FindPrepared(*FindBinaries()), "");
  EXPECT_EQ(FindPrepared("/usr"), "");
}

}  // namespace
}  // namespace byoshin::local::postgres
