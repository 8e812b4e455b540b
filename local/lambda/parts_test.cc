#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/files/read_file.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/files/folders.h"
#include "local/files/testing/test_folder.h"
#include "local/lambda/code_store.h"
#include "local/lambda/environment_log.h"
#include "local/lambda/report.h"
#include "local/lambda/start_failures.h"
#include "local/lambda/testing/zip.h"
#include "local/lambda/unzip.h"
#include "local/logs/logs.h"
#include "local/process/child.h"

namespace byoshin::local::lambda {
namespace {

namespace fs = std::filesystem;
using Stream = process::Child::Stream;

mode_t ModeOf(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

ZipEntry Bootstrap(mode_t mode = 0100755) {
  return {.name = "bootstrap", .mode = mode, .content = "program"};
}

TEST(Unzip, ReadsNameModeAndContent) {
  const absl::StatusOr<std::vector<ZipEntry>> entries = Unzip(
      MakeZip({Bootstrap(), {"lib/", 040755, ""}, {"lib/a", 0100644, "x"}}));
  ASSERT_TRUE(entries.ok()) << entries.status();
  ASSERT_EQ(entries->size(), 3);
  EXPECT_EQ((*entries)[0].name, "bootstrap");
  EXPECT_EQ((*entries)[0].mode, 0100755);
  EXPECT_EQ((*entries)[0].content, "program");
  EXPECT_EQ((*entries)[2].name, "lib/a");
}

TEST(Unzip, SkipsAComment) {
  std::string zip = MakeZip({Bootstrap()});
  zip[zip.size() - 2] = 5;
  EXPECT_TRUE(Unzip(zip + "hello").ok());
}

TEST(Unzip, RefusesDamagedArchives) {
  const std::string good = MakeZip({Bootstrap(), {"other", 0100644, "text"}});
  EXPECT_FALSE(Unzip("").ok());
  EXPECT_FALSE(Unzip("PK").ok());
  // Wherever it is cut off at either end.
  for (std::size_t i = 1; i < good.size(); ++i) {
    EXPECT_FALSE(Unzip(good.substr(i)).ok()) << i;
    EXPECT_FALSE(Unzip(good.substr(0, good.size() - i)).ok()) << i;
  }
  std::string damaged = good;
  damaged[39] ^= 1;  // the first byte of the content
  EXPECT_TRUE(absl::StrContains(Unzip(damaged).status().message(), "checksum"));
  // Whichever byte is damaged, it ends, and harms nobody.
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (int value : {0, 1, 0x7f, 0x80, 0xff}) {
      damaged = good;
      damaged[i] = static_cast<char>(value);
      Unzip(damaged).status().IgnoreError();
    }
  }
}

TEST(Unzip, TakesTheLastOfEntriesWithOneName) {
  const std::string zip = MakeZip({{"a", 0100644, "first"},
                                   Bootstrap(),
                                   {"a", 0100644, "second"},
                                   {"b", 0100644, "other"},
                                   {"a", 0100755, "last"}});
  const absl::StatusOr<std::vector<ZipEntry>> entries = Unzip(zip);
  ASSERT_TRUE(entries.ok()) << entries.status();
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ((*entries)[0].name, "bootstrap");
  EXPECT_EQ((*entries)[1].content, "other");
  EXPECT_EQ((*entries)[2].content, "last");
  EXPECT_EQ((*entries)[2].mode, 0100755u);
  EXPECT_EQ(ListZip(zip)->size(), 3u);
  // Only what is unpacked counts for the limit.
  const std::size_t bytes =
      Bootstrap().content.size() + (*entries)[1].content.size() + 4;
  EXPECT_TRUE(Unzip(zip, bytes).ok());
  EXPECT_FALSE(Unzip(zip, bytes - 1).ok());
}

TEST(Unzip, RefusesNamesThatLeadOutside) {
  for (const char* name : {"../evil", "/etc/evil", "a/../../evil", "a/..", "..",
                           ".", "a//b", "./a", "a\\b", ""}) {
    const absl::StatusOr<std::vector<ZipEntry>> entries =
        Unzip(MakeZip({Bootstrap(), {name, 0100644, "x"}}));
    EXPECT_FALSE(entries.ok()) << name;
  }
  EXPECT_TRUE(absl::StrContains(
      Unzip(MakeZip({{"link", 0120777, "/etc/passwd"}})).status().message(),
      "symbolic link"));
}

TEST(Unzip, RefusesMoreThanTheLimitBeforeUnpacking) {
  const std::string zip = MakeZip({{"a", 0100644, std::string(600, 'x')},
                                   {"b", 0100644, std::string(600, 'x')}});
  EXPECT_TRUE(Unzip(zip, 1200).ok());
  EXPECT_EQ(Unzip(zip, 1199).status().code(),
            absl::StatusCode::kResourceExhausted);
  // One that only claims to be large.
  std::string bomb = MakeZip({{"a", 0100644, "x"}});
  const std::size_t directory = bomb.find("PK\1\2");
  bomb.replace(directory + 24, 4, std::string("\xfe\xff\xff\xff", 4));
  EXPECT_EQ(Unzip(bomb).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(CodeStore, UnpacksOnceForEachContent) {
  const TestFolder test_folder;
  const std::string& folder = test_folder.path();
  const absl::StatusOr<CodeStore> store = CodeStore::Open(folder);
  ASSERT_TRUE(store.ok()) << store.status();
  const std::string zip = MakeZip({Bootstrap(), {"lib/a", 0100600, "x"}});
  const absl::StatusOr<UnpackedCode> first = store->Unpack(Zip(zip));
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->how, UnpackedCode::How::kUnpacked);
  const std::string& unpacked = first->code.folder;
  EXPECT_EQ(*files::ReadFile(unpacked + "/bootstrap"), "program");
  EXPECT_EQ(*files::ReadFile(unpacked + "/lib/a"), "x");
  EXPECT_NE(ModeOf(unpacked + "/bootstrap") & S_IXUSR, 0);

  // What is there is not touched.
  const absl::StatusOr<UnpackedCode> again = store->Unpack(Zip(zip));
  EXPECT_EQ(again->how, UnpackedCode::How::kFound);
  EXPECT_EQ(again->code.folder, unpacked);

  const Code other =
      store->Unpack(Zip(MakeZip({Bootstrap(), {"new", 0100644, "y"}})))->code;
  EXPECT_NE(other.folder, unpacked);
  const absl::Status kept = store->KeepOnly({other.digest});
  ASSERT_TRUE(kept.ok()) << kept;
  EXPECT_FALSE(fs::exists(unpacked));
  EXPECT_TRUE(fs::exists(other.folder));
}

TEST(CodeStore, LetsNobodyWriteToCode) {
  const TestFolder test_folder;
  const absl::StatusOr<CodeStore> store = CodeStore::Open(test_folder.path());
  ASSERT_TRUE(store.ok()) << store.status();
  const std::string folder =
      store->Unpack(Zip(MakeZip({Bootstrap(0100777), {"lib/a", 0, "x"}})))
          ->code.folder;
  for (const char* path : {"", "/bootstrap", "/lib", "/lib/a"}) {
    EXPECT_EQ(ModeOf(folder + path) & 0222, 0) << path;
  }
}

TEST(CodeStore, LetsNobodyWriteToCodeThatWasUnpackedEarlier) {
  const TestFolder test_folder;
  const absl::StatusOr<CodeStore> store = CodeStore::Open(test_folder.path());
  ASSERT_TRUE(store.ok()) << store.status();
  const Zip zip(MakeZip({Bootstrap(), {"lib/a", 0, "x"}}));
  const std::string folder = store->Unpack(zip)->code.folder;
  const std::vector<std::string> paths = {"", "/bootstrap", "/lib", "/lib/a"};
  for (const std::string& path : paths) {
    ASSERT_EQ(chmod((folder + path).c_str(), 0755), 0);
  }
  EXPECT_EQ(store->Unpack(zip)->how, UnpackedCode::How::kFound);
  for (const std::string& path : paths) {
    EXPECT_EQ(ModeOf(folder + path) & 0222, 0) << path;
  }
}

TEST(CodeStore, UnpacksAgainWhatWasChanged) {
  const TestFolder test_folder;
  const absl::StatusOr<CodeStore> store = CodeStore::Open(test_folder.path());
  ASSERT_TRUE(store.ok()) << store.status();
  const Zip zip(MakeZip({Bootstrap(), {"lib/a", 0100600, "x"}}));
  const std::string folder = store->Unpack(zip)->code.folder;
  const std::vector<std::function<void()>> changes = {
      [&] { std::ofstream(folder + "/bootstrap") << "PROGRAM"; },
      [&] { std::ofstream(folder + "/bootstrap") << "longer than before"; },
      [&] { std::ofstream(folder + "/lib/b") << "added"; },
      [&] { fs::remove(folder + "/lib/a"); },
      [&] { chmod((folder + "/bootstrap").c_str(), 0444); },
      [&] {
        fs::remove(folder + "/lib/a");
        fs::create_symlink("/etc/hostname", folder + "/lib/a");
      },
      [&] {
        ASSERT_TRUE(RemoveTree(folder).ok());
        std::ofstream(folder) << "a file";
      }};
  for (const std::function<void()>& change : changes) {
    for (const char* path : {"", "/bootstrap", "/lib", "/lib/a"}) {
      ASSERT_EQ(chmod((folder + path).c_str(), 0700), 0);
    }
    change();
    const absl::StatusOr<UnpackedCode> again = store->Unpack(zip);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->how, UnpackedCode::How::kUnpackedAgain);
    EXPECT_EQ(*files::ReadFile(folder + "/bootstrap"), "program");
    EXPECT_EQ(*files::ReadFile(folder + "/lib/a"), "x");
    EXPECT_FALSE(fs::exists(folder + "/lib/b"));
    EXPECT_EQ(store->Unpack(zip)->how, UnpackedCode::How::kFound);
  }
}

TEST(CodeStore, LeavesNothingOfAZipThatItRefuses) {
  const TestFolder test_folder;
  const std::string& folder = test_folder.path();
  const absl::StatusOr<CodeStore> store = CodeStore::Open(folder);
  ASSERT_TRUE(store.ok());
  EXPECT_FALSE(store->Unpack(Zip("no zip")).ok());
  EXPECT_FALSE(store->Unpack(Zip(MakeZip({{"other", 0100755, "x"}}))).ok());
  const absl::StatusOr<UnpackedCode> plain =
      store->Unpack(Zip(MakeZip({Bootstrap(0100644)})));
  EXPECT_TRUE(absl::StrContains(plain.status().message(), "bootstrap"))
      << plain.status();
  // A file in the place of a folder, or the other way round.
  const ZipEntry file = {"lib", 0100644, "x"};
  const ZipEntry file_in_folder = {"lib/evil", 0100644, "x"};
  const ZipEntry only_folder = {"lib/", 040755, ""};
  for (const auto& [first, second] :
       std::vector<std::pair<ZipEntry, ZipEntry>>{{file, file_in_folder},
                                                  {file_in_folder, file},
                                                  {file, only_folder},
                                                  {only_folder, file}}) {
    const absl::Status refused =
        store->Unpack(Zip(MakeZip({Bootstrap(), first, second}))).status();
    EXPECT_EQ(refused.message(),
              absl::StrCat("the zip file has a file and a folder of the same "
                           "name: cannot unpack ",
                           second.name));
  }
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST(CodeStore, UnpacksTheLastOfEntriesWithOneName) {
  const TestFolder test_folder;
  const absl::StatusOr<CodeStore> store = CodeStore::Open(test_folder.path());
  ASSERT_TRUE(store.ok());
  const Zip zip(MakeZip({{"bootstrap", 0100644, "old"},
                         {"lib/", 040755, ""},
                         Bootstrap(),
                         {"lib/", 040755, ""}}));
  const absl::StatusOr<UnpackedCode> unpacked = store->Unpack(zip);
  ASSERT_TRUE(unpacked.ok()) << unpacked.status();
  EXPECT_EQ(*files::ReadFile(unpacked->code.folder + "/bootstrap"),
            Bootstrap().content);
  EXPECT_EQ(store->Unpack(zip)->how, UnpackedCode::How::kFound);
}

TEST(CodeStore, RemovesWhatAnInterruptedUnpackingLeft) {
  const TestFolder test_folder;
  const std::string& folder = test_folder.path();
  fs::create_directory(folder + "/.unpacking-abc123");
  ASSERT_TRUE(CodeStore::Open(folder).ok());
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST(EnvironmentLog, WritesWholeLines) {
  time::SimulatedClock clock(absl::UnixEpoch());
  logs::Logs logs(clock, {});
  const auto texts = [&] {
    std::vector<std::string> found;
    for (const logs::LogLine& line : logs.Tail("/g", 1000)) {
      found.push_back(line.text);
    }
    return found;
  };
  EnvironmentLog log(logs, "/g", "stream");
  log.Begin();
  log.WriteOutput(Stream::kOutput, "hel");
  log.WriteOutput(Stream::kError, "err\nand ");
  log.WriteOutput(Stream::kOutput, "lo\n\nrest");
  log.Finish();
  EXPECT_EQ(texts(),
            (std::vector<std::string>{"err", "hello", "", "rest", "and "}));
  log.Begin();
  log.WriteOutput(Stream::kOutput, std::string(kMaxLogLineBytes + 5, 'x'));
  log.Finish();
  EXPECT_EQ(texts().back(), "xxxxx");
  EXPECT_EQ(log.Tail().size(), kLogTailBytes);
}

TEST(ErrorMessageOf, ReadsItWithoutTheRequestId) {
  EXPECT_EQ(ErrorMessageOf(ErrorPayload(TimeoutError(absl::Seconds(3)), "1-2"),
                           "1-2"),
            "Task timed out after 3.00 seconds");
  EXPECT_EQ(ErrorMessageOf(R"({"errorMessage":"own words"})", "1-2"),
            "own words");
  for (const char* other : {"", "null", "[]", "{", R"({"errorMessage":5})"}) {
    EXPECT_EQ(ErrorMessageOf(other, "1-2"), "") << other;
  }
}

TEST(InitError, RepeatsOnlyTheBeginningOfWhatAFunctionSays) {
  const std::string text = "a\n" + std::string(kMaxShownBytes - 4, 'x');
  const std::string shown = "a " + std::string(kMaxShownBytes - 4, 'x');
  const PlatformError error =
      InitError(absl::StrCat(R"({"errorType":")", shown,
                             R"(秒秒","errorMessage":")", shown, R"(秒秒"})"));
  EXPECT_EQ(error.type, shown);
  EXPECT_EQ(error.message, shown);
  EXPECT_EQ(InitError(text + "秒秒").message, shown);
  EXPECT_EQ(
      ErrorMessageOf(absl::StrCat(R"({"errorMessage":")", shown, R"(秒秒"})"),
                     "1-2"),
      shown);
}

TEST(StartFailures, AreReportedOncePerTypeUntilTheFunctionStarts) {
  StartFailures failures;
  const PlatformError error{.type = "Own.Error", .message = "at 12:00"};
  EXPECT_TRUE(failures.Failed("arn", "f", error).has_value());
  EXPECT_FALSE(
      failures.Failed("arn", "f", {.type = "Own.Error", .message = "at 12:01"})
          .has_value());
  EXPECT_TRUE(
      failures.Failed("arn", "f", TimeoutError(absl::Seconds(10))).has_value());
  EXPECT_TRUE(failures.Failed("other", "g", error).has_value());
  failures.Started("other");
  EXPECT_TRUE(failures.Failed("other", "g", error).has_value());
}

}  // namespace
}  // namespace byoshin::local::lambda
