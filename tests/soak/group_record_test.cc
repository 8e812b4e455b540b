#include "tests/soak/group_record.h"

#include <gtest/gtest.h>

#include "absl/status/status.h"

namespace byoshin::tests {
namespace {

constexpr int kNodes = 2;

class GroupRecordTest : public ::testing::Test {
 protected:
  int Subscribe() {
    const int subscriber = record_.Join();
    record_.Admit(subscriber);
    return subscriber;
  }

  // A report that is answered, whoever it is sent to.
  void Report(int node) {
    record_.Send(node);
    record_.Answer(node);
  }

  absl::Status Take(int subscriber, int node, int number) {
    return record_.Take(subscriber, {.node = node, .number = number});
  }

  GroupRecord record_{kNodes};
};

TEST_F(GroupRecordTest, IsCompleteWhenEverySubscriberGotEveryReport) {
  const int first = Subscribe();
  const int second = Subscribe();
  EXPECT_TRUE(record_.complete());
  Report(0);
  Report(1);
  EXPECT_FALSE(record_.complete());
  EXPECT_TRUE(Take(first, 1, 1).ok());
  EXPECT_TRUE(Take(second, 1, 1).ok());
  EXPECT_TRUE(Take(second, 0, 1).ok());
  EXPECT_FALSE(record_.complete());
  EXPECT_TRUE(Take(first, 0, 1).ok());
  EXPECT_TRUE(record_.complete());
}

TEST_F(GroupRecordTest, IsIncompleteUntilTheAnswer) {
  const int subscriber = Subscribe();
  record_.Send(0);
  EXPECT_TRUE(Take(subscriber, 0, 1).ok());
  EXPECT_FALSE(record_.complete());
  record_.Answer(0);
  EXPECT_TRUE(record_.complete());
}

TEST_F(GroupRecordTest, IsIncompleteIfTheLastReportIsLost) {
  const int first = Subscribe();
  Subscribe();
  Report(0);
  EXPECT_TRUE(Take(first, 0, 1).ok());
  EXPECT_FALSE(record_.complete());
}

TEST_F(GroupRecordTest, FindsALostReportByTheNextOne) {
  const int subscriber = Subscribe();
  Report(0);
  Report(0);
  EXPECT_FALSE(Take(subscriber, 0, 2).ok());
}

TEST_F(GroupRecordTest, FindsAReportThatOnlyOneSubscriberLost) {
  const int first = Subscribe();
  const int second = Subscribe();
  Report(0);
  Report(1);
  EXPECT_TRUE(Take(first, 0, 1).ok());
  EXPECT_TRUE(Take(first, 1, 1).ok());
  EXPECT_FALSE(Take(second, 1, 1).ok());
}

TEST_F(GroupRecordTest, FindsADoubledReport) {
  const int subscriber = Subscribe();
  Report(0);
  EXPECT_TRUE(Take(subscriber, 0, 1).ok());
  EXPECT_FALSE(Take(subscriber, 0, 1).ok());
}

TEST_F(GroupRecordTest, FindsADifferentOrder) {
  const int first = Subscribe();
  const int second = Subscribe();
  Report(0);
  Report(1);
  EXPECT_TRUE(Take(first, 0, 1).ok());
  EXPECT_TRUE(Take(second, 0, 1).ok());
  Report(0);
  EXPECT_TRUE(Take(first, 1, 1).ok());
  EXPECT_FALSE(Take(second, 0, 2).ok());
}

TEST_F(GroupRecordTest, FindsWhatWasNeverSent) {
  const int subscriber = Subscribe();
  EXPECT_FALSE(Take(subscriber, 0, 1).ok());
  EXPECT_FALSE(Take(subscriber, kNodes, 1).ok());
}

TEST_F(GroupRecordTest, LetsALaterSubscriberBeginWithAReportUnderWay) {
  const int member = Subscribe();
  record_.Send(0);
  const int visitor = Subscribe();
  // The visitor's socket is read first.
  EXPECT_TRUE(Take(visitor, 0, 1).ok());
  record_.Answer(0);
  EXPECT_FALSE(record_.complete());
  EXPECT_TRUE(Take(member, 0, 1).ok());
  EXPECT_TRUE(record_.complete());
}

TEST_F(GroupRecordTest, LetsALaterSubscriberMissWhatWasUnderWay) {
  const int member = Subscribe();
  record_.Send(0);
  const int visitor = Subscribe();
  record_.Answer(0);
  Report(1);
  EXPECT_TRUE(Take(member, 0, 1).ok());
  EXPECT_TRUE(Take(member, 1, 1).ok());
  EXPECT_FALSE(record_.complete());
  EXPECT_TRUE(Take(visitor, 1, 1).ok());
  EXPECT_TRUE(record_.complete());
}

TEST_F(GroupRecordTest, FindsALaterSubscriberThatMissesItsFirstReport) {
  const int member = Subscribe();
  const int visitor = Subscribe();
  Report(0);
  EXPECT_TRUE(Take(member, 0, 1).ok());
  EXPECT_TRUE(Take(visitor, 0, 1).ok());
  const int late = Subscribe();
  Report(0);
  Report(1);
  EXPECT_TRUE(Take(member, 0, 2).ok());
  EXPECT_TRUE(Take(member, 1, 1).ok());
  EXPECT_FALSE(Take(late, 1, 1).ok());
}

TEST_F(GroupRecordTest, FindsALaterSubscriberThatGetsWhatWasAnswered) {
  const int member = Subscribe();
  Report(0);
  EXPECT_TRUE(Take(member, 0, 1).ok());
  const int late = Subscribe();
  EXPECT_FALSE(Take(late, 0, 1).ok());
}

TEST_F(GroupRecordTest, ExpectsNothingOfWhoHasLeft) {
  const int member = Subscribe();
  const int visitor = Subscribe();
  record_.Leave(visitor);
  Report(0);
  EXPECT_TRUE(Take(member, 0, 1).ok());
  EXPECT_TRUE(record_.complete());
}

TEST_F(GroupRecordTest, StillComparesWhatOneWhoHasLeftWasSent) {
  const int member = Subscribe();
  record_.Send(0);
  record_.Send(1);
  const int visitor = Subscribe();
  EXPECT_TRUE(Take(visitor, 0, 1).ok());
  EXPECT_TRUE(Take(visitor, 1, 1).ok());
  record_.Leave(visitor);
  EXPECT_TRUE(Take(member, 1, 1).ok());
  EXPECT_FALSE(Take(member, 0, 1).ok()) << "the visitor got it first";
}

}  // namespace
}  // namespace byoshin::tests
