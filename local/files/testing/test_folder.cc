#include "local/files/testing/test_folder.h"

#include <stdlib.h>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "local/files/folders.h"

namespace byoshin::local {

TestFolder::TestFolder()
    : path_(absl::StrCat(::testing::TempDir(), "/folder-XXXXXX")) {
  EXPECT_NE(mkdtemp(path_.data()), nullptr) << path_;
}

TestFolder::~TestFolder() { RemoveTree(path_).IgnoreError(); }

}  // namespace byoshin::local
