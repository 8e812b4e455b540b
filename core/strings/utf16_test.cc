#include "core/strings/utf16.h"

#include "gtest/gtest.h"

namespace byoshin::strings {
namespace {

TEST(Utf16Length, CountsAsJavaScriptDoes) {
  EXPECT_EQ(Utf16Length(""), 0);
  EXPECT_EQ(Utf16Length("abc"), 3);
  EXPECT_EQ(Utf16Length("aé秒"), 3);
  EXPECT_EQ(Utf16Length("\U0001F600"), 2);
}

}  // namespace
}  // namespace byoshin::strings
