#include "local/applications/generation/write_observer.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local::applications {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Answers every call with `status`.
class FakeDataApi final : public Service {
 public:
  const ServiceTraits& traits() const override {
    static constexpr ServiceTraits kTraits = {.name = "rds-data",
                                              .target_prefix = ""};
    return kTraits;
  }
  std::vector<NeededPermission> PermissionsFor(const Call&) const override {
    return {};
  }
  void Handle(Call, AnswerFunction answer) override {
    answer({.status = status});
  }

  int status = 200;
};

class WriteObserverTest : public ::testing::Test {
 protected:
  // The status of the answer.
  int Send(std::string body) {
    int status = 0;
    observer_.Handle({.body = std::move(body)},
                     [&](Answer answer) { status = answer.status; });
    return status;
  }
  int Execute(const std::string& sql) {
    return Send(
        absl::StrCat(R"({"resourceArn": "c1", "sql": ")", sql, R"("})"));
  }

  FakeDataApi data_api_;
  std::vector<std::string> written_;
  WriteObserver observer_{data_api_, [this](const std::string& cluster) {
                            written_.push_back(cluster);
                          }};
};

TEST_F(WriteObserverTest, TellsOfWhatMayHaveChangedSomething) {
  EXPECT_EQ(Execute("UPDATE processing_states SET progress = 1"), 200);
  EXPECT_EQ(Execute("WITH x AS (DELETE FROM users) SELECT 1"), 200);
  // The end of a transaction has no statement.
  EXPECT_EQ(Send(R"({"resourceArn": "c2", "transactionId": "t"})"), 200);
  EXPECT_THAT(written_, ElementsAre("c1", "c1", "c2"));
}

TEST_F(WriteObserverTest, PassesOverReads) {
  EXPECT_EQ(Execute("SELECT 1"), 200);
  EXPECT_EQ(Execute(" select * from users"), 200);
  EXPECT_THAT(written_, IsEmpty());
}

TEST_F(WriteObserverTest, PassesOverWhatFailed) {
  data_api_.status = 400;
  EXPECT_EQ(Execute("DELETE FROM users"), 400);
  EXPECT_EQ(Send("not JSON"), 400);
  EXPECT_EQ(Send("[]"), 400);
  EXPECT_THAT(written_, IsEmpty());
}

}  // namespace
}  // namespace byoshin::local::applications
