// The deployed stack of Mesh v2 beside a model of its rules: every call is made
// on the stack, and its answer, and what the table then has, are compared with
// what the model says.
//
//   MeshModel model(deployed, clock, {.intervals = kProductionIntervals});
//   absl::Status created = model.Create({.host = "h", .domain = "d"});
//   model.Advance(151);
//   absl::Status joined = model.Join(&model.groups()[0], "n");
//   absl::Status stored = model.CheckStored();
//
// An error says what differs. The table must have nothing else than what the
// model has put there.
#ifndef BYOSHIN_TESTS_MESH_MESH_MODEL_H_
#define BYOSHIN_TESTS_MESH_MESH_MODEL_H_

#include <json/json.h>

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/mesh/constants.h"
#include "core/time/simulated_clock.h"
#include "tests/mesh/deployed_mesh.h"
#include "tests/mesh/mesh_caller.h"

namespace byoshin::mesh {

// When DynamoDB removes what has expired: at once, as the local one does, or
// later than anybody looks, as on AWS.
enum class Removal { kAtOnce, kLate };

struct ModelGroup {
  std::string id{};
  std::string domain{};
  std::string host{};
  int64_t expires_at = 0;
  int64_t ttl = 0;
  bool dissolved = false;
  // Deadlines by the ids of nodes that have joined and not left.
  std::map<std::string, int64_t> nodes{};
  // What each node reported last.
  std::map<std::string, std::string> statuses{};
  int events = 0;

  std::string FullId() const;
};

// The arguments groupId and domain; null for one that never was.
Arguments KeyOf(const ModelGroup* group);

// An error that says what differs.
absl::Status Differs(absl::string_view what, absl::string_view actual,
                     absl::string_view expected);

// All fields of what is published: the model's mutations select them, so that
// subscribers can.
inline constexpr char kStatusSelection[] =
    "{ nodeId groupId domain data { key value } timestamp }";
inline constexpr char kBatchSelection[] =
    "{ events { name firedByNodeId groupId domain payload timestamp } "
    "firedByNodeId groupId domain timestamp }";
inline constexpr char kDissolvedSelection[] = "{ groupId domain message }";

// What subscribers to the field get of the group that `result` names: the
// mutation's result.
struct Published {
  std::string field{};
  Json::Value result = Json::Value(Json::objectValue);
};

class MeshModel {
 public:
  struct Options {
    Intervals intervals{};
    Removal removal = Removal::kAtOnce;
  };
  struct NewGroup {
    std::string host{};
    std::string domain{};
    // The maximum if 0.
    int max_seconds = 0;
  };

  // Both must outlive the model. Sets the table's time to live as `removal`
  // wants it.
  MeshModel(DeployedMesh& mesh, time::SimulatedClock& clock, Options options);
  MeshModel(const MeshModel&) = delete;
  MeshModel& operator=(const MeshModel&) = delete;

  int64_t Now() const;
  void Advance(int64_t seconds);

  // All that ever were. References stay valid.
  std::deque<ModelGroup>& groups() { return groups_; }
  bool IsAlive(const ModelGroup& group) const;
  // By all mutations so far, in order.
  const std::vector<Published>& published() const { return published_; }

  // Mutations. The group is null for one that never was.
  absl::Status Create(const NewGroup& wanted);
  absl::Status Join(ModelGroup* group, const std::string& node);
  absl::Status Report(ModelGroup* group, const std::string& node,
                      const std::string& value);
  absl::Status Fire(ModelGroup* group, const std::string& node, int count);
  absl::Status Renew(ModelGroup* group, const std::string& host);
  absl::Status Beat(ModelGroup* group, const std::string& node);
  absl::Status Leave(ModelGroup* group, const std::string& node);
  absl::Status Dissolve(ModelGroup* group, const std::string& host);

  // What every query shows is what the model has.
  absl::Status CheckQueries();
  // The table has exactly the items that it should have.
  absl::Status CheckStored();
  // Removes what has expired at once from now on; once every deadline has
  // passed, the table is empty. The cloud has had nothing to complain about.
  absl::Status CheckThatEverythingGoes();

 private:
  struct Claim {
    std::string group_id{};
    int64_t ttl = 0;
  };
  struct LatestStatus {
    const ModelGroup* group = nullptr;
    std::string value{};
  };

  bool IsKept(int64_t ttl) const;
  bool IsMember(const ModelGroup& group, const std::string& node) const;
  // The first check that fails.
  CallError GroupError(const ModelGroup* group) const;
  CallError MemberError(const ModelGroup* group, const std::string& node) const;
  CallError HostError(const ModelGroup* group, const std::string& host,
                      absl::string_view message) const;
  // Makes the call, and compares its error.
  absl::Status Mutate(const Call& call, const CallError& expected,
                      Json::Value* answer = nullptr);
  // And its result; if there is one, it is published.
  absl::Status Publish(const Call& call, const CallError& expected,
                       Published published);
  absl::Status CheckDomain(const std::string& domain);
  absl::Status CheckGroup(const ModelGroup& group);
  absl::Status CheckStatuses(const ModelGroup& group);
  absl::Status CheckLatest(const std::string& node, const LatestStatus& latest);
  std::multiset<std::string> ExpectedItems() const;

  DeployedMesh& mesh_;
  time::SimulatedClock& clock_;
  const Options options_;
  Removal removal_;
  MeshCaller caller_;
  std::deque<ModelGroup> groups_;
  // By host and domain.
  std::map<std::pair<std::string, std::string>, Claim> claims_;
  // By the ids of nodes.
  std::map<std::string, LatestStatus> latest_;
  std::vector<Published> published_;
};

}  // namespace byoshin::mesh

#endif  // BYOSHIN_TESTS_MESH_MESH_MODEL_H_
