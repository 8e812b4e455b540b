// Two operations at once on the deployed stack: one is stopped at each of its
// calls of DynamoDB in turn, the other runs from begin to end, then the first
// goes on. Whatever the order, nothing is left of a group that was dissolved.
#include <json/json.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/mesh/constants.h"
#include "core/sync/mutex.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/cloud/host.h"
#include "local/cloud/module.h"
#include "local/gateway/forwarding_service.h"
#include "local/gateway/service.h"
#include "tests/mesh/deployed_mesh.h"
#include "tests/mesh/mesh_caller.h"

namespace byoshin::mesh {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Stops one call of DynamoDB. Thread-safe.
class CallGate {
 public:
  // The call with this number, counted from 1, is held.
  void Hold(int number) {
    const sync::MutexLock lock(mutex_);
    until_held_ = number;
    finished_ = false;
  }
  // Whoever makes the calls has no more.
  void Finish() {
    const sync::MutexLock lock(mutex_);
    until_held_ = 0;
    finished_ = true;
    changed_.NotifyAll();
  }
  // False if there were fewer calls.
  bool AwaitHeld() {
    const sync::MutexLock lock(mutex_);
    while (held_ == nullptr && !finished_) changed_.Wait(mutex_);
    return held_ != nullptr;
  }
  void Release() {
    std::function<void()> held;
    {
      const sync::MutexLock lock(mutex_);
      held = std::exchange(held_, nullptr);
    }
    held();
  }

  void Pass(std::function<void()> call) {
    {
      const sync::MutexLock lock(mutex_);
      if (until_held_ > 0 && --until_held_ == 0) {
        held_ = std::move(call);
        changed_.NotifyAll();
        return;
      }
    }
    call();
  }

 private:
  sync::Mutex mutex_;
  sync::Condition changed_;
  int until_held_ ABSL_GUARDED_BY(mutex_) = 0;
  std::function<void()> held_ ABSL_GUARDED_BY(mutex_);
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

class GatedService final : public local::ForwardingService {
 public:
  GatedService(local::Service& service, CallGate& gate)
      : ForwardingService(service), gate_(gate) {}

  void Handle(local::Call call, local::AnswerFunction answer) override {
    auto shared = std::make_shared<local::Call>(std::move(call));
    gate_.Pass([this, shared, answer = std::move(answer)] {
      service().Handle(std::move(*shared), answer);
    });
  }

 private:
  CallGate& gate_;
};

class GateModule final : public local::cloud::Module {
 public:
  explicit GateModule(CallGate& gate) : gate_(gate) {}

  std::unique_ptr<local::Service> Watch(local::Service& service) override {
    if (service.name() != "dynamodb") return nullptr;
    return std::make_unique<GatedService>(service, gate_);
  }

 private:
  CallGate& gate_;
};

struct GatedMesh {
  static GatedMesh& Get() {
    static auto* const mesh = new GatedMesh();
    return *mesh;
  }

  CallGate gate{};
  time::SimulatedClock clock{absl::FromUnixSeconds(1'764'670'980)};
  DeployedMesh mesh =
      DeployMesh(
          {.modules =
               {{.name = "gate",
                 .open = [this](local::cloud::Host&)
                     -> absl::StatusOr<std::unique_ptr<local::cloud::Module>> {
                   return std::make_unique<GateModule>(gate);
                 }}}},
          clock)
          .value();
};

// A group with a member that has reported and fired.
struct Room {
  std::string group_id{};
  std::string host{};
  std::string node{};

  Call On(std::string field, std::map<std::string, std::string> more,
          std::string selection) const {
    more["groupId"] = Quoted(group_id);
    more["domain"] = Quoted("d");
    return {.kind = "mutation",
            .field = std::move(field),
            .arguments = std::move(more),
            .selection = std::move(selection)};
  }
  Call Create() const {
    return {.kind = "mutation",
            .field = "createGroup",
            .arguments = {{"name", Quoted("n")},
                          {"hostId", Quoted(host)},
                          {"domain", Quoted("d")}},
            .selection = "{ id }"};
  }
  Call Dissolve() const {
    return On("dissolveGroup", {{"hostId", Quoted(host)}}, "{ groupId }");
  }
  Call Join(const std::string& who) const {
    return On("joinGroup", {{"nodeId", Quoted(who)}}, "{ id }");
  }
  Call Leave() const {
    return On("leaveGroup", {{"nodeId", Quoted(node)}}, "{ peerId }");
  }
  Call Report(const std::string& who) const {
    return On(
        "reportDataByNode",
        {{"nodeId", Quoted(who)}, {"data", "[{key: \"k\", value: \"v\"}]"}},
        "{ nodeId }");
  }
  Call Fire() const {
    return On("fireEventsByNode",
              {{"nodeId", Quoted(host)},
               {"events",
                "[{eventName: \"a\", firedAt: \"2026-01-01T00:00:00Z\"}, "
                "{eventName: \"b\", firedAt: \"2026-01-01T00:00:00Z\"}]"}},
              "{ timestamp }");
  }
  Call Renew() const {
    return On("renewHeartbeat", {{"hostId", Quoted(host)}}, "{ expiresAt }");
  }
  Call Beat() const {
    return On("sendMemberHeartbeat", {{"nodeId", Quoted(node)}},
              "{ expiresAt }");
  }
};

class MeshInterleavingTest : public ::testing::Test {
 protected:
  // What is over stays, so that time to live can't hide what is left.
  MeshInterleavingTest() { EnableTimeToLive(mesh_.mesh, /*enabled=*/false); }

  void TearDown() override { EXPECT_THAT(mesh_.mesh.notes->all(), IsEmpty()); }

  Room NewRoom() {
    static int rooms = 0;
    Room room = {.host = absl::StrCat("host", ++rooms),
                 .node = absl::StrCat("node", rooms)};
    room.group_id = Must(room.Create())["id"].asString();
    Must(room.Join(room.node));
    Must(room.Report(room.node));
    Must(room.Fire());
    return room;
  }
  Json::Value Must(const Call& call) {
    CallResult result = caller_.Make(call);
    EXPECT_TRUE(result.error.ok())
        << call.field << ": " << result.error.ToString();
    return std::move(result.data);
  }

  // Makes `first` up to its call of DynamoDB with this number, then all of
  // `second`, then the rest of `first`. nullopt if there is no such call.
  struct Results {
    CallResult first{};
    CallResult second{};
  };
  std::optional<Results> Interleave(int number, const Call& first,
                                    const Call& second) {
    Results results;
    mesh_.gate.Hold(number);
    std::thread thread([&] {
      results.first = MeshCaller(mesh_.mesh).Make(first);
      mesh_.gate.Finish();
    });
    const bool held = mesh_.gate.AwaitHeld();
    if (held) {
      results.second = caller_.Make(second);
      mesh_.gate.Release();
    }
    thread.join();
    if (!held) return std::nullopt;
    return results;
  }

  std::multiset<std::string> Stored() { return StoredItems(mesh_.mesh); }

  // `operation` against dissolveGroup, each interrupted by the other.
  void CheckAgainstDissolving(
      const std::function<Call(const Room& room)>& operation) {
    const auto check = [&](const Room& room, const CallResult& result) {
      // The node may be gone, too, once the group was found.
      EXPECT_THAT(result.error.type, AnyOf("", kGroupNotFound, kNodeNotFound));
      // A group that was created instead, or once more.
      if (result.data.isObject() && result.data.isMember("id")) {
        Room next = room;
        next.group_id = result.data["id"].asString();
        caller_.Make(next.Dissolve());
      }
      EXPECT_THAT(Stored(), IsEmpty());
    };
    int interrupted = 0;
    for (int number = 1;; ++number) {
      SCOPED_TRACE(absl::StrCat("interrupted before its call ", number));
      const Room room = NewRoom();
      const std::optional<Results> results =
          Interleave(number, operation(room), room.Dissolve());
      if (!results.has_value()) {
        caller_.Make(room.Dissolve());
        break;
      }
      ++interrupted;
      EXPECT_TRUE(results->second.error.ok())
          << results->second.error.ToString();
      check(room, results->first);
    }
    EXPECT_GE(interrupted, 2);
    for (int number = 1;; ++number) {
      SCOPED_TRACE(absl::StrCat("interrupting call ", number));
      const Room room = NewRoom();
      const std::optional<Results> results =
          Interleave(number, room.Dissolve(), operation(room));
      if (!results.has_value()) break;
      ++interrupted;
      // Unless the other one has dissolved it, too.
      EXPECT_TRUE(results->first.error.ok() ||
                  results->second.data.isMember("groupId"))
          << results->first.error.ToString();
      check(room, results->second);
    }
    EXPECT_GE(interrupted, 8);
    EXPECT_THAT(Stored(), IsEmpty());
  }

  GatedMesh& mesh_ = GatedMesh::Get();
  MeshCaller caller_{mesh_.mesh};
};

TEST_F(MeshInterleavingTest, LeavesNothingOfANodeThatJoinsMeanwhile) {
  CheckAgainstDissolving([](const Room& room) { return room.Join("late"); });
}

TEST_F(MeshInterleavingTest, LeavesNothingOfAReportMeanwhile) {
  CheckAgainstDissolving(
      [](const Room& room) { return room.Report(room.node); });
}

TEST_F(MeshInterleavingTest, LeavesNothingOfAReportOfTheHostMeanwhile) {
  CheckAgainstDissolving(
      [](const Room& room) { return room.Report(room.host); });
}

TEST_F(MeshInterleavingTest, LeavesNothingOfEventsMeanwhile) {
  CheckAgainstDissolving([](const Room& room) { return room.Fire(); });
}

TEST_F(MeshInterleavingTest, LeavesNothingOfHeartbeatsMeanwhile) {
  CheckAgainstDissolving([](const Room& room) { return room.Renew(); });
}

TEST_F(MeshInterleavingTest, LeavesNothingOfANodeThatLeavesMeanwhile) {
  CheckAgainstDissolving([](const Room& room) { return room.Leave(); });
}

TEST_F(MeshInterleavingTest, LeavesNothingIfTwoDissolve) {
  CheckAgainstDissolving([](const Room& room) { return room.Dissolve(); });
}

TEST_F(MeshInterleavingTest, LeavesOneGroupIfItsHostCreatesMeanwhile) {
  CheckAgainstDissolving([](const Room& room) { return room.Create(); });
}

// A member's heartbeat finds no node instead, if the node went first.
TEST_F(MeshInterleavingTest, BringsBackNoNodeByAHeartbeat) {
  for (int number = 1;; ++number) {
    const Room room = NewRoom();
    const std::optional<Results> results =
        Interleave(number, room.Beat(), room.Dissolve());
    if (!results.has_value()) {
      EXPECT_EQ(number, 3);
      Must(room.Dissolve());
      break;
    }
    EXPECT_THAT(results->first.error.type,
                AnyOf(kGroupNotFound, kNodeNotFound));
    EXPECT_THAT(Stored(), IsEmpty());
  }
}

TEST_F(MeshInterleavingTest, LeavesNoStatusOfANodeThatLeavesMeanwhile) {
  for (const bool is_leaving_interrupted : {false, true}) {
    for (int number = 1;; ++number) {
      SCOPED_TRACE(absl::StrCat(is_leaving_interrupted ? "leave" : "report",
                                " interrupted before its call ", number));
      const Room room = NewRoom();
      const std::optional<Results> results =
          is_leaving_interrupted
              ? Interleave(number, room.Leave(), room.Report(room.node))
              : Interleave(number, room.Report(room.node), room.Leave());
      if (!results.has_value()) {
        EXPECT_GE(number, 4);
        Must(room.Dissolve());
        break;
      }
      const auto& [leaving, reporting] =
          is_leaving_interrupted ? std::tie(results->first, results->second)
                                 : std::tie(results->second, results->first);
      EXPECT_TRUE(leaving.error.ok()) << leaving.error.ToString();
      EXPECT_THAT(reporting.error.type, AnyOf("", kNodeNotFound));
      const std::string partition = absl::StrCat("GROUP#", room.group_id, "@d");
      EXPECT_THAT(Stored(),
                  ElementsAre(absl::StrCat("DOMAIN#d GROUP#", room.group_id,
                                           "#METADATA"),
                              absl::StrCat("DOMAIN#d HOST#", room.host),
                              absl::StrCat(partition, " EVENT#"),
                              absl::StrCat(partition, " EVENT#")));
      Must(room.Dissolve());
    }
  }
}

}  // namespace
}  // namespace byoshin::mesh
