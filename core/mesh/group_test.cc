#include "core/mesh/group.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/lambda/error_type.h"
#include "core/mesh/answer.h"
#include "core/mesh/constants.h"
#include "core/mesh/error.h"
#include "core/mesh/limits.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::mesh {
namespace {

const absl::Time kNow = absl::FromUnixMillis(1'767'225'600'123);
constexpr int64_t kNowSeconds = 1'767'225'600;

GroupKey Key() { return {.group_id = "g", .domain = "d"}; }

Group GroupUntil(int64_t ttl, int64_t expires_at) {
  return {.key = Key(), .host_id = "h", .expires_at = expires_at, .ttl = ttl};
}

std::string Said(const absl::Status& status) {
  return lambda::ErrorTypeOf(status).value_or("no type") + ": " +
         std::string(status.message());
}

TEST(Lifetime, IsFiveIntervalsFromTheSecondOfTheHeartbeat) {
  EXPECT_EQ(Deadline(kNow, absl::Seconds(120)), kNowSeconds + 600);
  EXPECT_EQ(Deadline(kNow, absl::Seconds(15)), kNowSeconds + 75);
}

TEST(Lifetime, OfAGroupEndsAtItsCap) {
  EXPECT_EQ(GroupDeadline(kNow, absl::Seconds(30), kNowSeconds + 3000),
            kNowSeconds + 150);
  EXPECT_EQ(GroupDeadline(kNow, absl::Seconds(30), kNowSeconds + 149),
            kNowSeconds + 149);
}

TEST(Lifetime, LastsThroughTheSecondOfTheDeadline) {
  EXPECT_FALSE(IsOver(kNowSeconds, kNow));
  EXPECT_FALSE(IsOver(kNowSeconds, absl::FromUnixSeconds(kNowSeconds + 1) -
                                       absl::Nanoseconds(1)));
  EXPECT_TRUE(IsOver(kNowSeconds, absl::FromUnixSeconds(kNowSeconds + 1)));
}

TEST(CheckAlive, LetsAGroupThatIsAlivePass) {
  EXPECT_TRUE(
      CheckAlive(Key(), GroupUntil(kNowSeconds, kNowSeconds), kNow).ok());
}

TEST(CheckAlive, ChecksExistenceThenTheEndThenTheHeartbeat) {
  EXPECT_EQ(Said(CheckAlive(Key(), std::nullopt, kNow)),
            "GroupNotFound: Group not found: g@d");
  EXPECT_EQ(Said(CheckAlive(Key(), GroupUntil(kNowSeconds - 1, kNowSeconds - 1),
                            kNow)),
            "GroupNotFound: Group expired: g@d (expiresAt: "
            "2025-12-31T23:59:59.000Z)");
  EXPECT_EQ(
      Said(CheckAlive(Key(), GroupUntil(kNowSeconds - 1, kNowSeconds), kNow)),
      "GroupNotFound: Group not found: g@d (heartbeat expired)");
}

TEST(Errors, HaveTheTypesAndWordsThatClientsKnow) {
  EXPECT_EQ(Said(OnlyHostDissolvesError()),
            "Unauthorized: Only the host can dissolve the group");
  EXPECT_EQ(Said(NodeNotFoundError()), "NodeNotFound: Node not found");
  EXPECT_STREQ(kOnlyHostRenewsMessage, "Only the host can renew the heartbeat");
  EXPECT_TRUE(IsClientError(NodeNotFoundError()));
  EXPECT_FALSE(IsClientError(absl::UnavailableError("no connection")));
}

TEST(Limits, NameTheArgumentWithoutTheWordsThatMakeClientsLeave) {
  const absl::Status status =
      CheckLength("abcd", {.argument = "domain", .min = 1, .max = 3});
  EXPECT_EQ(Said(status),
            "ValidationError: domain must have 1 to 3 characters, not 4");
}

TEST(Limits, LeaveRoomForEveryKey) {
  constexpr int kMaxBytesOfCharacter = 3;  // a surrogate pair has 4 for 2
  constexpr int kMaxPartitionBytes = 2048;
  constexpr int kMaxSortBytes = 1024;
  constexpr int kRoom = 64;
  EXPECT_LE(
      (kMaxIdCharacters + kMaxDomainCharacters) * kMaxBytesOfCharacter + kRoom,
      kMaxPartitionBytes);
  EXPECT_LE(kMaxIdCharacters * kMaxBytesOfCharacter + kRoom, kMaxSortBytes);
}

TEST(Answer, HasAllFieldsOfAGroup) {
  const Group group = {.key = {.group_id = "g", .domain = "d"},
                       .name = "n",
                       .host_id = "h",
                       .created_at = FormatMilliseconds(kNow),
                       .expires_at = kNowSeconds + 60};
  EXPECT_EQ(json::WriteValue(ToJson(group)),
            R"({"createdAt":"2026-01-01T00:00:00.123Z","domain":"d",)"
            R"("expiresAt":"2026-01-01T00:01:00.000Z","fullId":"g@d",)"
            R"("hostId":"h","id":"g","name":"n"})");
}

TEST(Answer, SaysWhoLeftAndWhatIsDissolved) {
  EXPECT_EQ(LeftJson(Key(), "n")["message"],
            "Peer n successfully left group g");
  EXPECT_EQ(DissolvedJson(Key())["message"],
            "Group g@d has been dissolved successfully.");
}

TEST(Answer, WritesErrorsWithTheirType) {
  EXPECT_EQ(ErrorAnswer(NodeNotFoundError()),
            R"({"error":{"message":"Node not found","type":"NodeNotFound"}})");
}

TEST(RealtimeBytes, AreThoseOfTheWholeMessage) {
  const EventBatch batch = {.group = Key(),
                            .fired_by_node_id = "n",
                            .events = {{.name = "e", .timestamp = "t"}},
                            .timestamp = "T"};
  const std::string message =
      R"({"data":{"onBatchEventInGroup":{"__typename":"BatchEvent",)"
      R"("domain":"d","events":[{"__typename":"Event","domain":"d",)"
      R"("firedByNodeId":"n","groupId":"g","name":"e","payload":null,)"
      R"("timestamp":"t"}],"firedByNodeId":"n","groupId":"g",)"
      R"("timestamp":"T"}}})";
  EXPECT_EQ(RealtimeBytes(batch), message.size());
}

}  // namespace
}  // namespace byoshin::mesh
