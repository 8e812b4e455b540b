#include "local/lambda/zip_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/files/read_file.h"
#include "local/lambda/cloudformation.h"

namespace byoshin::local::lambda {
namespace {

TEST(ZipFolder, KeepsZipsUnderTheirContentAcrossRestarts) {
  const std::string folder = ::testing::TempDir();
  ZipFolder zips(folder);
  const absl::StatusOr<std::string> name = zips.Put("sender.zip", "bytes");
  ASSERT_TRUE(name.ok());
  EXPECT_TRUE(absl::StartsWith(*name, "sender-"));
  EXPECT_NE(*name, *zips.Put("sender.zip", "other bytes"));
  EXPECT_EQ(zips.Fetch({.key = "byoshin/" + *name})->bytes(), "bytes");
  ZipFolder later(folder);
  EXPECT_EQ(later.Fetch({.key = "byoshin/" + *name})->bytes(), "bytes");
  EXPECT_EQ(*later.Put("sender.zip", "bytes"), *name);
  EXPECT_TRUE(absl::IsNotFound(zips.Fetch({.key = "none.zip"}).status()));
  EXPECT_TRUE(absl::IsUnavailable(
      ZipFolder("/nowhere/at/all").Put("a.zip", "x").status()));
}

TEST(ZipFolder, ReadsAgainWhatItHasForgotten) {
  const std::string folder = ::testing::TempDir();
  ZipFolder zips(folder);
  const std::string name = *zips.Put("big.zip", "bytes");
  zips.ForgetBytes();
  EXPECT_EQ(zips.Fetch({.key = name})->bytes(), "bytes");
  zips.ForgetBytes();
  std::filesystem::remove(folder + "/" + name);
  EXPECT_TRUE(absl::IsNotFound(zips.Fetch({.key = name}).status()));
  // Without a folder, there is nowhere to read it again.
  ZipFolder in_memory("");
  const std::string kept = *in_memory.Put("big.zip", "bytes");
  in_memory.ForgetBytes();
  EXPECT_EQ(in_memory.Fetch({.key = kept})->bytes(), "bytes");
}

TEST(ZipFolder, WritesAZipAgainThatIsNotWhole) {
  const std::string folder = ::testing::TempDir();
  const std::string name = *ZipFolder(folder).Put("cut.zip", "all the bytes");
  std::ofstream(folder + "/" + name) << "all";
  EXPECT_EQ(*ZipFolder(folder).Put("cut.zip", "all the bytes"), name);
  EXPECT_EQ(*files::ReadFile(folder + "/" + name), "all the bytes");
}

TEST(ZipFolder, NoticesAndReplacesAChangedZip) {
  const std::string folder = ::testing::TempDir();
  const std::string name = *ZipFolder(folder).Put("code.zip", "the bytes");
  std::ofstream(folder + "/" + name) << "THE BYTES";
  const absl::Status fetched = ZipFolder(folder).Fetch({.key = name}).status();
  EXPECT_TRUE(absl::IsDataLoss(fetched)) << fetched;
  EXPECT_TRUE(absl::StrContains(fetched.message(), name)) << fetched;
  EXPECT_EQ(*ZipFolder(folder).Put("code.zip", "the bytes"), name);
  EXPECT_EQ(ZipFolder(folder).Fetch({.key = name})->bytes(), "the bytes");
}

TEST(ZipFolder, RemovesWhatIsNotToBeKept) {
  const std::string folder = ::testing::TempDir() + "/pruned";
  std::filesystem::create_directory(folder);
  ZipFolder zips(folder);
  const std::string kept = *zips.Put("sender.zip", "new");
  const std::string old = *zips.Put("sender.zip", "old");
  std::ofstream(folder + "/" + old + ".unfinished") << "o";
  ASSERT_TRUE(zips.KeepOnly({{.key = "byoshin/" + kept}}, {"not there"}).ok());
  EXPECT_EQ(zips.Fetch({.key = kept})->bytes(), "new");
  EXPECT_TRUE(absl::IsNotFound(zips.Fetch({.key = old}).status()));
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    left.push_back(entry.path().filename());
  }
  EXPECT_EQ(left, std::vector<std::string>{kept});
  EXPECT_TRUE(ZipFolder("").KeepOnly({}, {}).ok());
  EXPECT_FALSE(ZipFolder("/nowhere/at/all").KeepOnly({}, {}).ok());
}

TEST(ZipFolder, FindsTheCodeOfAFunctionByItsKeyAndElseByItsName) {
  ZipFolder zips("");
  zips.Give({{"orders-v3.zip", "by key"},
             {"Orders.zip", "by name"},
             {"0123abcd.zip", "hashed"}},
            "/home/me/zips");
  const auto fetch = [&](absl::string_view key, absl::string_view function) {
    return zips.Fetch({.bucket = "any",
                       .key = std::string(key),
                       .function = std::string(function)});
  };
  EXPECT_EQ(fetch("release/orders-v3.zip", "Orders")->bytes(), "by key");
  EXPECT_EQ(fetch("0123abcd", "Orders")->bytes(), "hashed");
  EXPECT_EQ(fetch("release/orders-v4.zip", "Orders")->bytes(), "by name");
  EXPECT_EQ(fetch("", "Orders")->bytes(), "by name");
  EXPECT_EQ(fetch("release/orders-v4.zip", "Other").status(),
            absl::NotFoundError(
                "no zip for s3://any/release/orders-v4.zip: there is no "
                "orders-v4.zip and no Other.zip in /home/me/zips"));
}

TEST(ZipFolder, KeepsWhatAFunctionHasUntilAnotherIsGivenUnderItsName) {
  const std::string folder = ::testing::TempDir() + "/by_name";
  std::filesystem::create_directory(folder);
  const lambda::CodeLocation orders{.key = "orders.zip", .function = "F"};
  {
    ZipFolder zips(folder);
    zips.Give({{"orders.zip", "first"}, {"unused.zip", "x"}}, "");
    ASSERT_EQ(zips.Fetch(orders)->bytes(), "first");
  }
  ZipFolder zips(folder);
  EXPECT_EQ(zips.Fetch(orders)->bytes(), "first");
  EXPECT_FALSE(zips.Fetch({.key = "unused.zip"}).ok());
  zips.Give({{"orders.zip", "other"}}, "");
  EXPECT_EQ(zips.Fetch(orders)->bytes(), "other");
  ASSERT_TRUE(zips.KeepOnly({orders}, {}).ok());
  EXPECT_EQ(ZipFolder(folder).Fetch(orders)->bytes(), "other");
}

}  // namespace
}  // namespace byoshin::local::lambda
