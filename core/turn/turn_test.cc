#include "core/turn/turn.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::turn {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TurnTest : public ::testing::Test {
 protected:
  // Notes that it was called.
  Work Note(std::string name) {
    return [this, name] { called_.push_back(name); };
  }
  void EndTurn() {
    for (const Work& work : std::exchange(posted_, {})) work();
  }

  std::vector<Work> posted_;
  std::vector<std::string> called_;
  const int first_ = 0;
  const int second_ = 0;
};

TEST_F(TurnTest, PutsNothingOffWithoutAnEventLoop) {
  EXPECT_EQ(AtEnd(&first_, Note("first")), Put::kNowhere);
  {
    Loop loop([this](Work work) { posted_.push_back(std::move(work)); });
  }
  EXPECT_EQ(AtEnd(&first_, Note("first")), Put::kNowhere);
  EXPECT_THAT(called_, IsEmpty());
}

TEST_F(TurnTest, CallsEachKeysWorkOnceAtTheEndOfTheTurn) {
  Loop loop([this](Work work) { posted_.push_back(std::move(work)); });
  EXPECT_EQ(AtEnd(&first_, Note("first")), Put::kAtEnd);
  EXPECT_EQ(AtEnd(&second_, Note("second")), Put::kAtEnd);
  EXPECT_EQ(AtEnd(&first_, Note("again")), Put::kAlready);
  EXPECT_THAT(called_, IsEmpty());
  EndTurn();
  EXPECT_THAT(called_, ElementsAre("first", "second"));
  EXPECT_EQ(AtEnd(&first_, Note("next turn")), Put::kAtEnd);
  EndTurn();
  EXPECT_THAT(called_, ElementsAre("first", "second", "next turn"));
}

TEST_F(TurnTest, PutsOffToTheNextTurnWhatIsAskedForAtTheEndOfOne) {
  Loop loop([this](Work work) { posted_.push_back(std::move(work)); });
  AtEnd(&first_, [this] { AtEnd(&first_, Note("later")); });
  EndTurn();
  EXPECT_THAT(called_, IsEmpty());
  EndTurn();
  EXPECT_THAT(called_, ElementsAre("later"));
}

TEST_F(TurnTest, PutsNothingOffForWhoWaits) {
  Loop loop([this](Work work) { posted_.push_back(std::move(work)); });
  {
    const Pause pause;
    EXPECT_EQ(AtEnd(&first_, Note("first")), Put::kNowhere);
  }
  EXPECT_EQ(AtEnd(&first_, Note("first")), Put::kAtEnd);
}

}  // namespace
}  // namespace byoshin::turn
