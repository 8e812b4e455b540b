#include "core/generation/message.h"

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

TEST(PreferredLanguage, IsJapaneseUnlessEnglishIsPreferred) {
  for (const absl::string_view header :
       {"", "ja", "ja-JP,ja;q=0.9,en;q=0.8", "fr,de;q=0.5", "*", "en;q=0.5, ja",
        "en;q=0", "en;q=2", "en;q=x", "en;level=1", "eng", ",;,",
        "fr;q=1, ja;q=0.2, en;q=0.1"}) {
    EXPECT_EQ(PreferredLanguage(header), Language::kJapanese) << header;
  }
  for (const absl::string_view header :
       {"en", "EN-us", "en-US,en;q=0.9,ja;q=0.8", "fr, en;q=0.3",
        " en ; q=0.5 ,ja;q=0.4", "en, ja"}) {
    EXPECT_EQ(PreferredLanguage(header), Language::kEnglish) << header;
  }
}

}  // namespace
}  // namespace byoshin::generation
