#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/files/read_file.h"
#include "gtest/gtest.h"
#include "local/files/folders.h"
#include "local/files/private_file.h"
#include "local/files/temporary_folder.h"
#include "local/files/testing/test_folder.h"

namespace byoshin::local {
namespace {

namespace fs = std::filesystem;

mode_t ModeOf(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

TEST(MakePrivateFolder, LetsNobodyElseIn) {
  const TestFolder own_folder;
  const std::string& folder = own_folder.path();
  ASSERT_TRUE(MakePrivateFolder(folder + "/a/b").ok());
  EXPECT_EQ(ModeOf(folder + "/a/b"), 0700);
}

TEST(MakePrivateFolder, LetsNobodyElseIntoTheFoldersAboveThatItMakes) {
  const TestFolder own_folder;
  const std::string& folder = own_folder.path();
  ASSERT_EQ(chmod(folder.c_str(), 0755), 0);
  const mode_t before = umask(0);
  EXPECT_TRUE(MakePrivateFolder(folder + "/a/b/c/").ok());
  umask(before);
  EXPECT_EQ(ModeOf(folder + "/a"), 0700);
  EXPECT_EQ(ModeOf(folder + "/a/b"), 0700);
  EXPECT_EQ(ModeOf(folder + "/a/b/c"), 0700);
  EXPECT_EQ(ModeOf(folder), 0755);
}

TEST(MakePrivateFolder, SaysWhichFolderItCannotMake) {
  const TestFolder own_folder;
  const std::string& folder = own_folder.path();
  std::ofstream(folder + "/file") << "x";
  const absl::Status status = MakePrivateFolder(folder + "/file/b");
  EXPECT_TRUE(absl::StrContains(status.message(), "/file/b")) << status;
}

TEST(RemoveTree, RemovesWhatIsReadOnlyAndFollowsNoLink) {
  const TestFolder own_folder;
  const std::string& folder = own_folder.path();
  const TestFolder own_elsewhere;
  const std::string& elsewhere = own_elsewhere.path();
  std::ofstream(elsewhere + "/kept") << "x";
  fs::create_directories(folder + "/tree/sub");
  std::ofstream(folder + "/tree/sub/file") << "x";
  fs::create_symlink(elsewhere, folder + "/tree/link");
  ASSERT_TRUE(MakeTreeReadOnly(folder + "/tree").ok());
  EXPECT_EQ(ModeOf(folder + "/tree/sub/file") & 0222, 0);
  EXPECT_EQ(ModeOf(folder + "/tree/sub") & 0222, 0);
  EXPECT_EQ(ModeOf(folder + "/tree") & 0222, 0);
  EXPECT_EQ(ModeOf(elsewhere) & 0200, 0200);
  const absl::Status removed = RemoveTree(folder + "/tree");
  EXPECT_TRUE(removed.ok()) << removed;
  EXPECT_TRUE(fs::is_empty(folder));
  EXPECT_TRUE(fs::exists(elsewhere + "/kept"));
  EXPECT_TRUE(RemoveTree(folder + "/missing").ok());
}

TEST(PrivateFile, IsTheOwnersAloneWhateverTheUmask) {
  const TestFolder own_folder;
  const std::string& folder = own_folder.path();
  const mode_t before = umask(0);
  EXPECT_TRUE(ReplacePrivateFile(folder + "/state", "one").ok());
  EXPECT_TRUE(MakePrivateFile(folder + "/empty").ok());
  std::FILE* const log = AppendToPrivateFile(folder + "/log");
  ASSERT_NE(log, nullptr);
  std::fclose(log);
  umask(before);
  for (const char* name : {"/state", "/empty", "/log"}) {
    EXPECT_EQ(ModeOf(folder + name), 0600) << name;
  }
}

TEST(PrivateFile, SaysWhatToDoAboutAFullDisk) {
  EXPECT_EQ(WriteError("/x", ENOSPC).message(),
            "cannot write /x: the disk is full; make room and try again");
  EXPECT_EQ(WriteError("/x", EACCES).message(),
            "cannot write /x: Permission denied");
}

TEST(PrivateFile, IsReplacedAsAWhole) {
  const TestFolder own_folder;
  const std::string& folder = own_folder.path();
  ASSERT_TRUE(ReplacePrivateFile(folder + "/state", "a long text").ok());
  ASSERT_TRUE(ReplacePrivateFile(folder + "/state", "short").ok());
  EXPECT_EQ(*files::ReadFile(folder + "/state"), "short");
  EXPECT_FALSE(fs::exists(folder + "/state.unfinished"));
  const absl::Status missing = ReplacePrivateFile(folder + "/no/state", "x");
  EXPECT_TRUE(absl::StrContains(missing.message(), "/no/state")) << missing;
}

TEST(TestFolder, IsRemovedWithWhatIsReadOnlyInIt) {
  std::string path;
  {
    const TestFolder folder;
    path = folder.path();
    ASSERT_TRUE(fs::create_directory(path + "/locked"));
    std::ofstream(path + "/locked/file") << "x";
    ASSERT_EQ(chmod((path + "/locked").c_str(), 0500), 0);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, IsGoneWithItsOwner) {
  const TestFolder own_parent;
  const std::string& parent = own_parent.path();
  absl::StatusOr<std::unique_ptr<TemporaryFolder>> folder =
      TemporaryFolder::MakeIn(parent);
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EQ(ModeOf((*folder)->path()), 0700);
  fs::create_directory((*folder)->path() + "/code");
  ASSERT_TRUE(MakeTreeReadOnly((*folder)->path() + "/code").ok());
  folder->reset();
  EXPECT_TRUE(fs::is_empty(parent));
}

TEST(TemporaryFolder, OfAKilledProcessIsRemovedAndOthersStay) {
  const TestFolder own_parent;
  const std::string& parent = own_parent.path();
  const pid_t killed = fork();
  if (killed == 0) {
    // Not destroyed: as after SIGKILL.
    (void)TemporaryFolder::MakeIn(parent)->release();
    _exit(0);
  }
  ASSERT_EQ(waitpid(killed, nullptr, 0), killed);
  ASSERT_FALSE(fs::is_empty(parent));
  // Not made by this: no marker, another name, or other permissions.
  for (const char* name :
       {"/byoshin-abcdef", "/byoshin-bench-abcdef", "/byoshin-bcdefg"}) {
    fs::create_directory(parent + name);
    ASSERT_EQ(chmod((parent + name).c_str(), 0700), 0);
  }
  std::ofstream(parent + "/byoshin-abcdef/lock") << "";
  std::ofstream(parent + "/byoshin-bench-abcdef/.byoshin-temporary-folder");
  std::ofstream(parent + "/byoshin-bcdefg/.byoshin-temporary-folder");
  ASSERT_EQ(chmod((parent + "/byoshin-bcdefg").c_str(), 0750), 0);

  const absl::StatusOr<std::unique_ptr<TemporaryFolder>> first =
      TemporaryFolder::MakeIn(parent);
  const absl::StatusOr<std::unique_ptr<TemporaryFolder>> second =
      TemporaryFolder::MakeIn(parent);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_TRUE(fs::exists((*first)->path()));
  EXPECT_TRUE(fs::exists((*second)->path()));
  EXPECT_TRUE(fs::exists(parent + "/byoshin-abcdef"));
  EXPECT_TRUE(fs::exists(parent + "/byoshin-bench-abcdef"));
  EXPECT_TRUE(fs::exists(parent + "/byoshin-bcdefg"));
  int folders = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent)) {
    folders += entry.is_directory();
  }
  EXPECT_EQ(folders, 5);
}

TEST(TemporaryFolder, ThatCannotBeRemovedWholeIsRemovedByTheNext) {
  const TestFolder own_parent;
  const std::string& parent = own_parent.path();
  absl::StatusOr<std::unique_ptr<TemporaryFolder>> folder =
      TemporaryFolder::MakeIn(parent);
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string path = (*folder)->path();
  fs::create_directories(path + "/1/2/3/4/5/6/7/8");
  // Each level that is being removed takes a descriptor: there are two left.
  rlimit enough = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &enough), 0);
  const int next = dup(STDERR_FILENO);
  close(next);
  const rlimit few = {static_cast<rlim_t>(next) + 2, enough.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  folder->reset();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &enough), 0);
  EXPECT_TRUE(fs::exists(path + "/1"));
  EXPECT_TRUE(fs::exists(path + "/.byoshin-temporary-folder"));

  ASSERT_TRUE(TemporaryFolder::MakeIn(parent).ok());
  EXPECT_TRUE(fs::is_empty(parent));
}

TEST(TemporaryFolder, SaysWhereItCannotBeMadeAndWhatToDo) {
  const absl::Status status =
      TemporaryFolder::MakeIn("/nonexistent/folder").status();
  EXPECT_TRUE(absl::StrContains(status.message(), "/nonexistent/folder"));
  EXPECT_TRUE(absl::StrContains(status.message(), "TMPDIR"));
}

}  // namespace
}  // namespace byoshin::local
