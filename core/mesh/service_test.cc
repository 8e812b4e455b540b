#include "core/mesh/service.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/lambda/error_type.h"
#include "core/mesh/constants.h"
#include "core/mesh/group.h"
#include "core/mesh/testing/memory_store.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::mesh {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kStart = 1'767'225'600;

class MeshServiceTest : public ::testing::Test {
 protected:
  absl::StatusOr<CreatedGroup> Create(CreateGroupRequest request = {
                                          .name = "class",
                                          .host_id = "host",
                                          .domain = "d"}) {
    return service_.CreateGroup(request, Times());
  }
  Group MustCreate() {
    const absl::StatusOr<CreatedGroup> created = Create();
    EXPECT_TRUE(created.ok()) << created.status();
    return created.ok() ? created->group : Group();
  }
  absl::Status Leave(const GroupKey& key, absl::string_view node_id) {
    return service_.LeaveGroup(key, node_id, Times());
  }
  absl::Status Dissolve(const GroupKey& key, absl::string_view host_id) {
    return service_.DissolveGroup(key, host_id, Times()).status();
  }
  absl::StatusOr<EventBatch> Fire(const GroupKey& key, std::string node_id,
                                  std::vector<FiredEvent> events = {
                                      {.name = "e", .fired_at = "t"}}) {
    return service_.FireEvents({.group = key,
                                .node_id = std::move(node_id),
                                .events = std::move(events)},
                               Times());
  }
  CallTimes Times() { return {.now = clock_.Now()}; }
  static std::string TypeOf(const absl::Status& status) {
    return lambda::ErrorTypeOf(status).value_or("no type");
  }

  testing::MemoryStore store_;
  time::testing::InstantClock clock_{absl::FromUnixSeconds(kStart) +
                                     absl::Milliseconds(7)};
  int ids_ = 0;
  Service service_{{.store = store_,
                    .clock = clock_,
                    .config = {.table_name = "t"},
                    .new_id = [this] { return absl::StrCat("g", ++ids_); },
                    .random = [] { return 0.5; }}};
};

TEST_F(MeshServiceTest, CreatesAGroupThatEndsAtTheMaximum) {
  const absl::StatusOr<CreatedGroup> created = Create();
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ(created->origin, CreatedGroup::Origin::kNew);
  EXPECT_EQ(created->group, (Group{.key = {.group_id = "g1", .domain = "d"},
                                   .name = "class",
                                   .host_id = "host",
                                   .created_at = "2026-01-01T00:00:00.007Z",
                                   .expires_at = kStart + 50 * 60,
                                   .ttl = kStart + 5 * 30}));
}

TEST_F(MeshServiceTest, CreatesAGroupThatEndsWhenAsked) {
  const absl::StatusOr<CreatedGroup> created =
      Create({.host_id = "h", .domain = "d", .max_connection_seconds = 60});
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ(created->group.expires_at, kStart + 60);
  EXPECT_EQ(created->group.ttl, kStart + 60);
}

TEST_F(MeshServiceTest, ReturnsTheHostsGroupAsItIs) {
  const Group first = MustCreate();
  const absl::StatusOr<CreatedGroup> second =
      Create({.name = "another", .host_id = "host", .domain = "d"});
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(second->origin, CreatedGroup::Origin::kFound);
  EXPECT_EQ(second->group, first);
}

TEST_F(MeshServiceTest, CreatesGroupsForOtherHostsAndDomains) {
  MustCreate();
  ASSERT_TRUE(Create({.host_id = "host", .domain = "e"}).ok());
  ASSERT_TRUE(Create({.host_id = "other", .domain = "d"}).ok());
  EXPECT_THAT(store_.groups(), SizeIs(3));
}

TEST_F(MeshServiceTest, CreatesANewGroupAtTheSecondTheOldOneIsOver) {
  const Group first = MustCreate();
  clock_.Advance(absl::Seconds(150));
  EXPECT_EQ(MustCreate(), first);
  clock_.Advance(absl::Seconds(1));
  EXPECT_EQ(MustCreate().key.group_id, "g2");
}

TEST_F(MeshServiceTest, ReturnsTheGroupOfACallThatWasFaster) {
  store_.OnAdd([this] { MustCreate(); });
  const absl::StatusOr<CreatedGroup> created = Create();
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_EQ(created->origin, CreatedGroup::Origin::kFound);
  EXPECT_THAT(store_.groups(), SizeIs(1));
  EXPECT_TRUE(store_.groups().contains(created->group.key.FullId()));
}

TEST_F(MeshServiceTest, ReplacesAGroupThatIsOverOnlyOnceAmongConcurrentCalls) {
  MustCreate();
  clock_.Advance(absl::Seconds(151));
  store_.OnAdd([this] { MustCreate(); });
  const Group created = MustCreate();
  EXPECT_EQ(store_.groups().size(), 2);  // and the one that is over
  EXPECT_TRUE(store_.groups().contains(created.key.FullId()));
}

TEST_F(MeshServiceTest, GivesUpIfClaimsKeepChanging) {
  for (int attempt = 1; attempt <= kCreateAttempts; ++attempt) {
    store_.FailCall(2 * attempt, absl::AbortedError("conflict"));
  }
  EXPECT_EQ(Create().status(), absl::AbortedError("conflict"));
  EXPECT_EQ(store_.calls(), 2 * kCreateAttempts);
  EXPECT_TRUE(Create().ok());
}

TEST_F(MeshServiceTest, PassesOnFailuresOfTheStore) {
  store_.FailCall(1, absl::UnavailableError("no connection"));
  EXPECT_EQ(Create().status(), absl::UnavailableError("no connection"));
}

TEST_F(MeshServiceTest, RejectsArgumentsWithoutTheWordsThatMakeClientsLeave) {
  const std::vector<CreateGroupRequest> requests = {
      {.host_id = "h", .domain = std::string(257, 'x')},
      {.host_id = "h", .domain = ""},
      {.host_id = "", .domain = "d"},
      {.host_id = std::string(129, 'x'), .domain = "d"},
      {.name = std::string(257, 'x'), .host_id = "h", .domain = "d"},
      {.host_id = "h", .domain = "d", .max_connection_seconds = 0},
      {.host_id = "h", .domain = "d", .max_connection_seconds = -1},
      {.host_id = "h", .domain = "d", .max_connection_seconds = 3001}};
  for (const CreateGroupRequest& request : requests) {
    const absl::Status status = Create(request).status();
    EXPECT_EQ(TypeOf(status), kValidationError);
    const std::string message = absl::AsciiStrToLower(status.message());
    for (const char* word : {"not found", "expired", "unauthorized"}) {
      EXPECT_FALSE(absl::StrContains(message, word)) << message;
    }
  }
  EXPECT_EQ(store_.calls(), 0);
}

TEST_F(MeshServiceTest, TakesTheLongestArguments) {
  EXPECT_TRUE(Create({.name = std::string(256, 'x'),
                      .host_id = std::string(128, 'x'),
                      .domain = std::string(256, 'x'),
                      .max_connection_seconds = 3000})
                  .ok());
  EXPECT_TRUE(
      Create({.host_id = "h", .domain = "e", .max_connection_seconds = 1})
          .ok());
}

TEST_F(MeshServiceTest, RemovesANodeThatLeaves) {
  const Group group = MustCreate();
  store_.AddNode(group.key, "n", group.ttl);
  EXPECT_TRUE(Leave(group.key, "n").ok());
  EXPECT_THAT(store_.groups().at("g1@d").nodes, IsEmpty());
}

TEST_F(MeshServiceTest, LetsStrangersLeave) {
  const Group group = MustCreate();
  EXPECT_TRUE(Leave(group.key, "nobody").ok());
  EXPECT_TRUE(Leave(group.key, std::string(5000, 'x')).ok());
}

TEST_F(MeshServiceTest, LetsNobodyLeaveAGroupThatIsOver) {
  const Group group = MustCreate();
  clock_.Advance(absl::Seconds(151));
  EXPECT_EQ(Leave(group.key, "n").message(),
            "Group not found: g1@d (heartbeat expired)");
  clock_.Advance(absl::Minutes(50));
  EXPECT_EQ(Leave(group.key, "n").message(),
            "Group expired: g1@d (expiresAt: 2026-01-01T00:50:00.000Z)");
  EXPECT_EQ(Leave({.group_id = "x", .domain = "d"}, "n").message(),
            "Group not found: x@d");
}

TEST_F(MeshServiceTest, FindsNoGroupWhoseNameIsTooLongForAKey) {
  const std::string id(5000, 'x');
  EXPECT_EQ(TypeOf(Leave({.group_id = id, .domain = "d"}, "n")),
            kGroupNotFound);
  EXPECT_EQ(TypeOf(Dissolve({.group_id = "g", .domain = id}, "n")),
            kGroupNotFound);
  EXPECT_EQ(store_.calls(), 0);
}

TEST_F(MeshServiceTest, LetsOnlyTheHostDissolve) {
  const Group group = MustCreate();
  store_.AddNode(group.key, "n", group.ttl);
  const absl::Status status = Dissolve(group.key, "n");
  EXPECT_EQ(TypeOf(status), kUnauthorized);
  EXPECT_EQ(status.message(), "Only the host can dissolve the group");
  EXPECT_THAT(store_.groups(), SizeIs(1));
  EXPECT_TRUE(Dissolve(group.key, "host").ok());
  EXPECT_THAT(store_.groups(), IsEmpty());
}

TEST_F(MeshServiceTest, DissolvesAGroupThatIsOverButStillThere) {
  const Group group = MustCreate();
  clock_.Advance(absl::Hours(1));
  EXPECT_EQ(TypeOf(Dissolve(group.key, "n")), kUnauthorized);
  EXPECT_TRUE(Dissolve(group.key, "host").ok());
  EXPECT_EQ(Dissolve(group.key, "host").message(), "Group not found: g1@d");
}

TEST_F(MeshServiceTest, ClosesAGroupBeforeItRemovesIt) {
  const Group group = MustCreate();
  // Found, closed, removed.
  store_.FailCall(3, absl::UnavailableError("no connection"));
  EXPECT_EQ(Dissolve(group.key, "host"),
            absl::UnavailableError("no connection"));
  EXPECT_EQ(Fire(group.key, "host").status().message(),
            "Group not found: g1@d (heartbeat expired)");
  EXPECT_TRUE(Dissolve(group.key, "host").ok());
  EXPECT_THAT(store_.groups(), IsEmpty());
}

TEST_F(MeshServiceTest, CreatesAnewAfterDissolving) {
  const Group group = MustCreate();
  ASSERT_TRUE(Dissolve(group.key, "host").ok());
  EXPECT_EQ(MustCreate().key.group_id, "g2");
}

TEST_F(MeshServiceTest, FiresEventsInTheirOrder) {
  const Group group = MustCreate();
  store_.AddNode(group.key, "n", kStart + 75);
  const absl::StatusOr<EventBatch> batch =
      Fire(group.key, "n",
           {{.name = "b", .payload = "{}", .fired_at = "2026-01-01T00:00:02Z"},
            {.name = "a", .payload = "", .fired_at = "2026-01-01T00:00:01Z"},
            {.name = "c", .fired_at = "2026-01-01T00:00:01Z"}});
  ASSERT_TRUE(batch.ok()) << batch.status();
  EXPECT_EQ(batch->fired_by_node_id, "n");
  EXPECT_EQ(batch->timestamp, "2026-01-01T00:00:00.007Z");
  EXPECT_THAT(
      batch->events,
      ElementsAre(
          Event{.id = "g2",
                .name = "b",
                .payload = "{}",
                .timestamp = "2026-01-01T00:00:02Z"},
          Event{.id = "g3", .name = "a", .timestamp = "2026-01-01T00:00:01Z"},
          Event{.id = "g4", .name = "c", .timestamp = "2026-01-01T00:00:01Z"}));
  EXPECT_THAT(store_.groups().at("g1@d").batches, SizeIs(1));
}

TEST_F(MeshServiceTest, TakesBackEventsIfTheGroupWasDissolvedMeanwhile) {
  const Group group = MustCreate();
  store_.AfterAddEvents([&] {
    // Later than the call's time, which the group was alive at.
    clock_.Advance(absl::Seconds(20));
    EXPECT_TRUE(Dissolve(group.key, "host").ok());
  });
  EXPECT_EQ(Fire(group.key, "host").status().message(),
            "Group not found: g1@d");
  ASSERT_THAT(store_.removed_events(), SizeIs(1));
  EXPECT_EQ(store_.removed_events()[0].events[0].id, "g2");
}

TEST_F(MeshServiceTest, TakesBackEventsIfTheGroupIsBeingDissolved) {
  const Group group = MustCreate();
  store_.AfterAddEvents([&] {
    clock_.Advance(absl::Seconds(20));
    // Found, closed, not removed.
    store_.FailCall(3, absl::UnavailableError("no connection"));
    EXPECT_FALSE(Dissolve(group.key, "host").ok());
  });
  EXPECT_EQ(Fire(group.key, "host").status().message(),
            "Group not found: g1@d (heartbeat expired)");
  EXPECT_THAT(store_.removed_events(), SizeIs(1));
}

TEST_F(MeshServiceTest, KeepsEventsThatItCouldNotConfirm) {
  const Group group = MustCreate();
  // Found, added, found again.
  store_.FailCall(3, absl::UnavailableError("no connection"));
  EXPECT_EQ(Fire(group.key, "host").status(),
            absl::UnavailableError("no connection"));
  EXPECT_THAT(store_.removed_events(), IsEmpty());
}

TEST_F(MeshServiceTest, LetsTheHostFireWithoutJoining) {
  const Group group = MustCreate();
  EXPECT_TRUE(Fire(group.key, "host").ok());
}

TEST_F(MeshServiceTest, LetsOnlyMembersFireWhileTheyAreAlive) {
  const Group group = MustCreate();
  store_.AddNode(group.key, "n", kStart + 75);
  EXPECT_EQ(TypeOf(Fire(group.key, "stranger").status()), kNodeNotFound);
  EXPECT_EQ(TypeOf(Fire(group.key, std::string(5000, 'x')).status()),
            kNodeNotFound);
  clock_.Advance(absl::Seconds(75));
  EXPECT_TRUE(Fire(group.key, "n").ok());
  clock_.Advance(absl::Seconds(1));
  const absl::Status status = Fire(group.key, "n").status();
  EXPECT_EQ(TypeOf(status), kNodeNotFound);
  EXPECT_EQ(status.message(), "Node not found");
}

TEST_F(MeshServiceTest, ChecksTheGroupBeforeTheMemberAndTheSize) {
  const Group group = MustCreate();
  const std::vector<FiredEvent> large = {
      {.name = std::string(300'000, 'x'), .fired_at = "t"}};
  EXPECT_EQ(TypeOf(Fire({.group_id = "x", .domain = "d"}, "n", large).status()),
            kGroupNotFound);
  EXPECT_EQ(TypeOf(Fire(group.key, "n", large).status()), kNodeNotFound);
  EXPECT_EQ(TypeOf(Fire(group.key, "host", large).status()), kValidationError);
}

TEST_F(MeshServiceTest, FiresUpToWhatCanBePublishedAtOnce) {
  const Group group = MustCreate();
  const auto sized = [&](std::size_t bytes) {
    return Fire(group.key, "host",
                {{.name = std::string(bytes, 'x'), .fired_at = "t"}});
  };
  const absl::StatusOr<EventBatch> small = sized(1);
  ASSERT_TRUE(small.ok());
  const std::size_t overhead = RealtimeBytes(*small) - 1;
  EXPECT_TRUE(sized(kMaxRealtimeBytes - overhead).ok());
  EXPECT_EQ(TypeOf(sized(kMaxRealtimeBytes - overhead + 1).status()),
            kValidationError);
  EXPECT_THAT(store_.groups().at("g1@d").batches, SizeIs(2));
}

TEST_F(MeshServiceTest, FiresNoEventsAtAll) {
  const Group group = MustCreate();
  const absl::StatusOr<EventBatch> batch = Fire(group.key, "host", {});
  ASSERT_TRUE(batch.ok());
  EXPECT_THAT(batch->events, IsEmpty());
}

}  // namespace
}  // namespace byoshin::mesh
