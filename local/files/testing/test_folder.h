// A folder of a test's own, removed at its end.
//
//   const TestFolder folder;
//   OpenSqliteStore({.path = folder.path() + "/a.db"});
#ifndef BYOSHIN_LOCAL_FILES_TESTING_TEST_FOLDER_H_
#define BYOSHIN_LOCAL_FILES_TESTING_TEST_FOLDER_H_

#include <string>

namespace byoshin::local {

// In ::testing::TempDir(). The test fails if the folder can't be made.
class TestFolder {
 public:
  TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  // Also removes what is read-only.
  ~TestFolder();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_FILES_TESTING_TEST_FOLDER_H_
