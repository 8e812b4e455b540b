#include "local/gateway/compression.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace byoshin::local {
namespace {

TEST(ChooseCoding, TakesTheGreatestWeightAndTheFirstOfEqualOnes) {
  EXPECT_EQ(ChooseCoding(""), ContentCoding::kIdentity);
  EXPECT_EQ(ChooseCoding("identity"), ContentCoding::kIdentity);
  EXPECT_EQ(ChooseCoding("br, zstd, x-gzip"), ContentCoding::kIdentity);
  EXPECT_EQ(ChooseCoding("gzip ;q=0"), ContentCoding::kIdentity);
  EXPECT_EQ(ChooseCoding("gzip;q=x"), ContentCoding::kIdentity);
  EXPECT_EQ(ChooseCoding("gzip, deflate"), ContentCoding::kGzip);
  EXPECT_EQ(ChooseCoding("br, identity, deflate, gzip"),
            ContentCoding::kDeflate);
  EXPECT_EQ(ChooseCoding("dog, GZIP ,, cat"), ContentCoding::kGzip);
  EXPECT_EQ(ChooseCoding("gzip;q=0.5, deflate;q=0.8"), ContentCoding::kDeflate);
  EXPECT_EQ(ChooseCoding("br, gzip;q=0, deflate; q = 0.5 , identity;q=0"),
            ContentCoding::kDeflate);
}

TEST(ChooseCoding, TakesWhatTheStarStandsFor) {
  EXPECT_EQ(ChooseCoding("*"), ContentCoding::kGzip);
  EXPECT_EQ(ChooseCoding("*, deflate;q=0.5"), ContentCoding::kGzip);
  EXPECT_EQ(ChooseCoding("*, deflate"), ContentCoding::kDeflate);
  EXPECT_EQ(ChooseCoding("*, gzip;q=0.5"), ContentCoding::kDeflate);
  EXPECT_EQ(ChooseCoding("*;q=0"), ContentCoding::kIdentity);
}

TEST(Gunzip, ReadsWhatWasCompressed) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) absl::StrAppend(&text, i, ",");
  const std::string gzip = Compress(text, ContentCoding::kGzip);
  EXPECT_LT(gzip.size(), text.size() / 2);
  EXPECT_EQ(Gunzip(gzip, text.size()).value(), text);
  EXPECT_EQ(Gunzip(gzip + gzip, 2 * text.size()).value(), text + text);
  EXPECT_EQ(Gunzip(Compress("", ContentCoding::kGzip), 0).value(), "");
}

TEST(Gunzip, RefusesAnythingElse) {
  const std::string gzip = Compress("text", ContentCoding::kGzip);
  EXPECT_FALSE(Gunzip("", 100).ok());
  EXPECT_FALSE(Gunzip("{}", 100).ok());
  EXPECT_FALSE(Gunzip(gzip.substr(0, gzip.size() - 1), 100).ok());
  EXPECT_FALSE(Gunzip(gzip + "junk", 100).ok());
  EXPECT_FALSE(Gunzip(Compress("text", ContentCoding::kDeflate), 100).ok());
}

TEST(Gunzip, StopsAtItsLimit) {
  const std::string bomb =
      Compress(std::string(10'000'000, 'x'), ContentCoding::kGzip);
  EXPECT_TRUE(absl::IsResourceExhausted(Gunzip(bomb, 1'000'000).status()));
  EXPECT_TRUE(Gunzip(bomb, 10'000'000).ok());
}

}  // namespace
}  // namespace byoshin::local
