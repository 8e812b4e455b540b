// Random histories of hosts and nodes: the functions of Mesh v2 on the local
// cloud's DynamoDB beside a model of the domain. Nodes join and report as the
// resolvers write it.
#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/aws/dynamodb/json_client.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/json/value.h"
#include "core/lambda/error_type.h"
#include "core/mesh/constants.h"
#include "core/mesh/group.h"
#include "core/mesh/keys.h"
#include "core/mesh/service.h"
#include "core/mesh/table_store.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/dynamodb/testing/service.h"
#include "local/gateway/service.h"
#include "rapidcheck.h"
#include "tests/properties/check_property.h"

namespace byoshin::properties {
namespace {

using aws::dynamodb::Item;
using mesh::Group;
using mesh::GroupKey;

constexpr char kTable[] = "mesh";
constexpr char kCreateTable[] = R"({
  "TableName": "mesh", "BillingMode": "PAY_PER_REQUEST",
  "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
                           {"AttributeName": "sk", "AttributeType": "S"}],
  "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"}]})";

// The table, and the functions' code on it. What other calls do between two
// requests of one call can be put there.
class MeshTable {
 public:
  MeshTable() {
    service_.Ok("CreateTable", kCreateTable);
    http_.AlwaysAnswerBy(
        [this](const http::Request& request) { return Answer(request); });
  }

  time::SimulatedClock& clock() { return service_.clock(); }
  mesh::Service& functions() { return functions_; }
  mesh::CallTimes Times() { return {.now = clock().Now()}; }
  aws::dynamodb::JsonClient& client() { return client_; }

  // Called before each request, once set.
  void BeforeRequests(std::function<void()> action) {
    before_ = std::move(action);
  }

  // The keys of all items, "pk sk".
  std::set<std::string> Keys() {
    std::set<std::string> keys;
    const Json::Value page =
        json::ParseValue(service_.Ok("Scan", R"({"TableName":"mesh"})"))
            .value();
    for (const Json::Value& item : page["Items"]) {
      keys.insert(absl::StrCat(item["pk"]["S"].asString(), " ",
                               item["sk"]["S"].asString()));
    }
    return keys;
  }

  // As the resolvers do.
  void Join(const Group& group, const std::string& node_id, int64_t ttl) {
    Item item = mesh::NodeItemKey(group.key, node_id);
    item[mesh::kGroupIdAttribute] = group.key.group_id;
    item[mesh::kDomainAttribute] = group.key.domain;
    item[mesh::kTtlAttribute] = ttl;
    Put(item);
  }
  void Report(const Group& group, const std::string& node_id) {
    for (Item item : {mesh::LatestStatusItemKey(node_id),
                      mesh::GroupStatusItemKey(group.key, node_id)}) {
      item[mesh::kGroupIdAttribute] = group.key.group_id;
      item[mesh::kDomainAttribute] = group.key.domain;
      Put(item);
    }
  }

 private:
  absl::StatusOr<http::Response> Answer(const http::Request& request) {
    if (before_) {
      // Not for the requests of the action itself.
      std::function<void()> action = std::exchange(before_, nullptr);
      action();
      if (!before_) before_ = std::move(action);
    }
    constexpr absl::string_view kPrefix = "DynamoDB_20120810.";
    const std::string target = http::testing::HeaderOf(request, "x-amz-target");
    const local::Answer answer =
        service_.Handle(target.substr(kPrefix.size()), request.body);
    return http::Response{.status = answer.status, .body = answer.body};
  }

  void Put(const Item& item) {
    RC_ASSERT(client_
                  .PutItem({.table_name = kTable, .item = item},
                           absl::InfiniteFuture())
                  .ok());
  }

  local::dynamodb::TestService service_;
  http::testing::FakeClient http_;
  std::function<void()> before_;
  aws::dynamodb::JsonClient client_{
      {.http = http_,
       .clock = service_.clock(),
       .environment = env::FromMap(
           {{"AWS_ACCESS_KEY_ID", "a"}, {"AWS_SECRET_ACCESS_KEY", "b"}}),
       .retry = {.max_attempts = 1},
       .random = [] { return 0.0; }}};
  mesh::TableStore store_{
      {.table = client_, .clock = service_.clock(), .table_name = kTable}};
  mesh::Service functions_{{.store = store_,
                            .clock = service_.clock(),
                            .config = {.table_name = kTable},
                            .random = [] { return 0.0; }}};
};

std::string TypeOf(const absl::Status& status) {
  return status.ok() ? ""
                     : lambda::ErrorTypeOf(status).value_or(status.ToString());
}

// What must be there, by the rules alone.
struct ModelGroup {
  Group group{};
  std::map<std::string, int64_t> nodes{};  // deadlines
  std::set<std::string> reported{};
  int events = 0;
};

// Hosts and nodes of two domains, whose names are the same in both.
class History {
 public:
  void Next() {
    table_.clock().AdvanceBy(absl::Seconds(*rc::gen::inRange(0, 40)));
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
        return Create();
      case 1:
        return Join();
      case 2:
        return Report();
      case 3:
        return Fire();
      case 4:
        return Leave();
      default:
        return Dissolve();
    }
  }

  // No item without a reason, and none missing. What DynamoDB removes by its
  // time to live is still there: the table has none.
  void CheckItems() {
    std::set<std::string> expected;
    std::map<std::string, int> events;
    for (const auto& [id, each] : groups_) {
      const std::string partition = mesh::GroupPartition(each.group.key);
      expected.insert(absl::StrCat("DOMAIN#", each.group.key.domain, " GROUP#",
                                   id, "#METADATA"));
      for (const auto& [node, ttl] : each.nodes) {
        expected.insert(absl::StrCat(partition, " NODE#", node));
      }
      for (const std::string& node : each.reported) {
        expected.insert(absl::StrCat(partition, " STATUS#", node));
      }
      if (each.events > 0) events[partition] = each.events;
    }
    for (const auto& [claim, id] : claims_) expected.insert(claim);
    for (const auto& [node, id] : latest_) {
      expected.insert(absl::StrCat("NODE#", node, " STATUS#LATEST"));
    }
    std::set<std::string> found;
    std::map<std::string, int> found_events;
    for (const std::string& key : table_.Keys()) {
      const std::size_t event = key.find(" EVENT#");
      if (event == std::string::npos) {
        found.insert(key);
      } else {
        ++found_events[key.substr(0, event)];
      }
    }
    RC_ASSERT(found == expected);
    RC_ASSERT(found_events == events);
  }

 private:
  absl::Time Now() { return table_.clock().Now(); }
  static std::string AnyName() {
    return *rc::gen::element<std::string>("a", "b", "c");
  }
  static std::string AnyDomain() {
    return *rc::gen::element<std::string>("d", "e");
  }

  static std::string ClaimOf(const Group& group) {
    return absl::StrCat("DOMAIN#", group.key.domain, " HOST#", group.host_id);
  }

  // A group that was created once, or one that never was; in its own domain or
  // in the other.
  GroupKey AnyGroup() {
    if (keys_.empty() || *rc::gen::inRange(0, 10) == 0) {
      return {.group_id = "none", .domain = AnyDomain()};
    }
    GroupKey key = *rc::gen::elementOf(keys_);
    if (*rc::gen::inRange(0, 10) == 0) key.domain = AnyDomain();
    return key;
  }

  // nullptr if there is none.
  ModelGroup* Find(const GroupKey& key) {
    const auto found = groups_.find(key.group_id);
    return found == groups_.end() || found->second.group.key != key
               ? nullptr
               : &found->second;
  }
  // What the checks before an operation say.
  std::string Checked(const GroupKey& key) {
    return TypeOf(mesh::CheckAlive(key,
                                   Find(key) == nullptr
                                       ? std::nullopt
                                       : std::optional<Group>(Find(key)->group),
                                   Now()));
  }
  bool IsAlive(const ModelGroup* group) {
    return group != nullptr && mesh::IsAlive(group->group, Now());
  }
  bool IsMember(const ModelGroup& group, const std::string& node) {
    const auto found = group.nodes.find(node);
    return node == group.group.host_id ||
           (found != group.nodes.end() && !mesh::IsOver(found->second, Now()));
  }

  void Create() {
    const std::string host = AnyName();
    const std::string domain = AnyDomain();
    const absl::StatusOr<mesh::CreatedGroup> created =
        table_.functions().CreateGroup({.host_id = host, .domain = domain},
                                       table_.Times());
    RC_ASSERT(created.ok());
    const Group& group = created->group;
    std::string& claim = claims_[ClaimOf(group)];
    if (IsAlive(claim.empty() ? nullptr : &groups_.at(claim))) {
      RC_ASSERT(group == groups_.at(claim).group);
      return;
    }
    RC_ASSERT(group.host_id == host && group.key.domain == domain);
    RC_ASSERT(!groups_.contains(group.key.group_id));
    claim = group.key.group_id;
    groups_[claim] = {.group = group};
    keys_.push_back(group.key);
  }

  void Join() {
    ModelGroup* const group = Find(AnyGroup());
    if (!IsAlive(group)) return;
    const std::string node = AnyName();
    group->nodes[node] =
        mesh::Deadline(Now(), mesh::kProductionIntervals.member_heartbeat);
    table_.Join(group->group, node, group->nodes[node]);
  }

  void Report() {
    ModelGroup* const group = Find(AnyGroup());
    const std::string node = AnyName();
    if (!IsAlive(group) || !IsMember(*group, node)) return;
    table_.Report(group->group, node);
    group->reported.insert(node);
    latest_[node] = group->group.key.group_id;
  }

  void Fire() {
    const GroupKey key = AnyGroup();
    const std::string node = AnyName();
    mesh::FireEventsRequest request = {.group = key, .node_id = node};
    const int count = *rc::gen::inRange(0, 60);
    for (int i = 0; i < count; ++i) {
      request.events.push_back(
          {.name = absl::StrCat(i), .fired_at = "2026-01-01T00:00:00Z"});
    }
    const absl::StatusOr<mesh::EventBatch> batch =
        table_.functions().FireEvents(request, table_.Times());
    std::string expected = Checked(key);
    if (expected.empty() && !IsMember(*Find(key), node)) {
      expected = mesh::kNodeNotFound;
    }
    RC_ASSERT(TypeOf(batch.status()) == expected);
    if (!batch.ok()) return;
    for (int i = 0; i < count; ++i) {
      RC_ASSERT(batch->events[i].name == absl::StrCat(i));
    }
    Find(key)->events += count;
  }

  void Forget(const std::string& node, const std::string& group_id) {
    const auto latest = latest_.find(node);
    if (latest != latest_.end() && latest->second == group_id) {
      latest_.erase(latest);
    }
  }

  void Leave() {
    const GroupKey key = AnyGroup();
    const std::string node = AnyName();
    const absl::Status status =
        table_.functions().LeaveGroup(key, node, table_.Times());
    RC_ASSERT(TypeOf(status) == Checked(key));
    if (!status.ok()) return;
    Find(key)->nodes.erase(node);
    Find(key)->reported.erase(node);
    Forget(node, key.group_id);
  }

  void Dissolve() {
    const GroupKey key = AnyGroup();
    const std::string host = AnyName();
    const absl::Status status =
        table_.functions().DissolveGroup(key, host, table_.Times()).status();
    const ModelGroup* const group = Find(key);
    RC_ASSERT(TypeOf(status) == (group == nullptr ? mesh::kGroupNotFound
                                 : group->group.host_id != host
                                     ? mesh::kUnauthorized
                                     : ""));
    if (!status.ok()) return;
    for (const std::string& node : group->reported) Forget(node, key.group_id);
    if (claims_[ClaimOf(group->group)] == key.group_id) {
      claims_.erase(ClaimOf(group->group));
    }
    groups_.erase(key.group_id);
  }

  MeshTable table_;
  std::map<std::string, ModelGroup> groups_;  // by id
  std::vector<GroupKey> keys_;
  // By the item's key, the id of the group.
  std::map<std::string, std::string> claims_;
  // By the node's id, the id of the group that it reported to last.
  std::map<std::string, std::string> latest_;
};

// **Feature: mesh-v2, Property 1: After any history of operations, the table
// has exactly what belongs to the groups that are there: no operation leaves
// orphans, dissolving a group removes everything of it, and nothing that
// happens in one group or domain changes another.**
TEST(MeshProperty, LeavesExactlyWhatBelongsToTheGroups) {
  CheckProperty([] {
    History history;
    const int steps = *rc::gen::inRange(1, 40);
    for (int i = 0; i < steps; ++i) history.Next();
    history.CheckItems();
  });
}

// **Feature: mesh-v2, Property 2: However calls of createGroup by one host are
// interleaved, they return one group, and there is one.**
TEST(MeshProperty, CreatesOneGroupHoweverCallsAreInterleaved) {
  CheckProperty([] {
    MeshTable table;
    const auto create = [&table] {
      const absl::StatusOr<mesh::CreatedGroup> created =
          table.functions().CreateGroup({.host_id = "h", .domain = "d"},
                                        table.Times());
      RC_ASSERT(created.ok());
      return created->group;
    };
    if (*rc::gen::arbitrary<bool>()) {
      // One that is over is no reason to make two.
      create();
      table.clock().AdvanceBy(absl::Hours(1));
    }
    std::vector<Group> created;
    int requests_until_next = *rc::gen::inRange(0, 5);
    int calls = *rc::gen::inRange(1, 5);
    table.BeforeRequests([&] {
      if (requests_until_next-- > 0 || calls == 0) return;
      requests_until_next = *rc::gen::inRange(0, 5);
      --calls;
      created.push_back(create());
    });
    created.push_back(create());
    table.BeforeRequests(nullptr);
    for (const Group& group : created) RC_ASSERT(group == created[0]);
    RC_ASSERT(create() == created[0]);
  });
}

// **Feature: mesh-v2, Property 3: A group is over at the second after its
// deadline and not before, whatever the time it was created at and the time
// that its host asked for.**
TEST(MeshProperty, EndsAtTheSecondItShould) {
  CheckProperty([] {
    MeshTable table;
    table.clock().AdvanceBy(
        absl::Milliseconds(*rc::gen::inRange(0, 1'000'000)));
    const int64_t seconds = *rc::gen::inRange<int64_t>(1, 3001);
    const absl::StatusOr<mesh::CreatedGroup> created =
        table.functions().CreateGroup(
            {.host_id = "h", .domain = "d", .max_connection_seconds = seconds},
            table.Times());
    RC_ASSERT(created.ok());
    const int64_t lifetime = std::min<int64_t>(seconds, 150);
    const absl::Time last =
        absl::FromUnixSeconds(mesh::SecondsOf(table.clock().Now()) + lifetime +
                              1) -
        absl::Nanoseconds(1);
    const auto leave = [&] {
      return TypeOf(
          table.functions().LeaveGroup(created->group.key, "n", table.Times()));
    };
    table.clock().AdvanceTo(last);
    RC_ASSERT(leave() == "");
    table.clock().AdvanceBy(absl::Nanoseconds(1));
    RC_ASSERT(leave() == mesh::kGroupNotFound);
  });
}

}  // namespace
}  // namespace byoshin::properties
