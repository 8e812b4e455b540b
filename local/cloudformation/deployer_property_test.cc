// Random stacks without circles: deployed in order, changed only where they
// differ, and as before where something fails.

#include <cstddef>
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
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/testing/fake_provider.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"
#include "rapidcheck.h"
#include "rapidcheck/gtest.h"

namespace byoshin::local::cloudformation {
namespace {

using testing::FakeProvider;
using testing::FakeWorld;

struct Thing {
  int size = 0;   // can be changed
  int fixed = 0;  // can't
  std::set<std::size_t> needs{};
};

// By number: things need only those of lower rank, and rank is not the order of
// names.
using Things = std::map<std::size_t, Thing>;

constexpr std::size_t kMaxThings = 9;

std::string IdOf(std::size_t number) {
  // Names in another order than the ranks.
  return absl::StrCat("T", (number * 7) % kMaxThings);
}

Things AnyThings() {
  Things things;
  for (std::size_t i = 0; i < kMaxThings; ++i) {
    if (!things.empty() && *rc::gen::inRange(0, 4) == 0) continue;
    Thing thing{.size = *rc::gen::inRange(0, 2),
                .fixed = *rc::gen::inRange(0, 2)};
    for (const auto& [other, unused] : things) {
      if (*rc::gen::inRange(0, 3) == 0) thing.needs.insert(other);
    }
    things[i] = std::move(thing);
  }
  return things;
}

std::string TemplateOf(const Things& things) {
  std::string text = R"({"Resources": {)";
  std::string separator;
  for (const auto& [number, thing] : things) {
    absl::StrAppend(&text, separator, "\"", IdOf(number),
                    R"(": {"Type": "Test::Thing", "Properties": {"Size": )",
                    thing.size, R"(, "Fixed": )", thing.fixed,
                    R"(, "Links": [)");
    separator = ",\n";
    std::string comma;
    for (const std::size_t other : thing.needs) {
      absl::StrAppend(&text, comma, R"({"Ref": ")", IdOf(other), "\"}");
      comma = ",";
    }
    absl::StrAppend(&text, "]}}");
  }
  return absl::StrCat(text, "}}");
}

class Cloud {
 public:
  Cloud() : clock_(absl::FromUnixSeconds(0)) {
    registry_.Add(std::make_unique<FakeProvider>(
        "Test::Thing",
        ResourceSchema{.acted_on = {"Fixed", "Links[]", "Size"},
                       .create_only = {"Fixed"}},
        world));
    store_ = *OpenSqliteStore({});
    deployer_ = *Deployer::Open(*store_, clock_, registry_, {});
  }

  absl::StatusOr<DeployResult> Deploy(const Things& things) {
    world.calls.clear();
    return deployer_->Deploy(
        {.stack_name = "s", .template_text = TemplateOf(things)});
  }

  std::map<std::string, std::string> Resources() const {
    std::map<std::string, std::string> resources;
    const std::optional<Stack> stack = deployer_->Find("s");
    if (!stack.has_value()) return resources;
    for (const auto& [id, resource] : stack->resources) {
      // Not the time.
      StackResource timeless = resource;
      timeless.changed = absl::UnixEpoch();
      resources[id] = WriteStackResource(timeless);
    }
    return resources;
  }

  FakeWorld world;

 private:
  time::SimulatedClock clock_;
  ProviderRegistry registry_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Deployer> deployer_;
};

RC_GTEST_PROP(DeployerProperties, CreatesEverythingOnceAndInOrder, ()) {
  const Things things = AnyThings();
  Cloud cloud;
  const auto result = cloud.Deploy(things);
  RC_ASSERT(result.ok());
  RC_ASSERT(cloud.world.calls.size() == things.size());
  std::map<std::string, std::size_t> position;
  for (std::size_t i = 0; i < cloud.world.calls.size(); ++i) {
    position[cloud.world.calls[i]] = i;
  }
  for (const auto& [number, thing] : things) {
    const std::string create = absl::StrCat("create ", IdOf(number));
    RC_ASSERT(position.count(create) == 1u);
    for (const std::size_t other : thing.needs) {
      RC_ASSERT(position[absl::StrCat("create ", IdOf(other))] <
                position[create]);
    }
  }
}

RC_GTEST_PROP(DeployerProperties, TouchesExactlyWhatHasChanged, ()) {
  const Things before = AnyThings();
  const Things after = AnyThings();
  Cloud cloud;
  RC_ASSERT(cloud.Deploy(before).ok());
  RC_ASSERT(cloud.Deploy(after).ok());
  // What must happen, worked out without the deployer. A replacement changes
  // what those that refer to the thing say.
  std::multiset<std::string> expected;
  std::set<std::size_t> made;
  for (const auto& [number, thing] : after) {
    const auto old = before.find(number);
    const std::string id = IdOf(number);
    bool links_changed = false;
    for (const std::size_t other : thing.needs) {
      links_changed |= made.count(other) != 0;
    }
    if (old == before.end()) {
      expected.insert(absl::StrCat("create ", id));
      made.insert(number);
    } else if (old->second.fixed != thing.fixed) {
      expected.insert(absl::StrCat("create ", id));
      expected.insert(absl::StrCat("delete ", id));
      made.insert(number);
    } else if (links_changed || old->second.size != thing.size ||
               old->second.needs != thing.needs) {
      expected.insert(absl::StrCat("update ", id));
    }
  }
  for (const auto& [number, thing] : before) {
    if (after.count(number) == 0) {
      expected.insert(absl::StrCat("delete ", IdOf(number)));
    }
  }
  RC_ASSERT(std::multiset<std::string>(cloud.world.calls.begin(),
                                       cloud.world.calls.end()) == expected);
  RC_ASSERT(cloud.world.things.size() == after.size());
  const auto again = cloud.Deploy(after);
  RC_ASSERT(again.ok());
  RC_ASSERT(!again->changed);
  RC_ASSERT(cloud.world.calls.empty());
}

RC_GTEST_PROP(DeployerProperties, GoesBackToWhereItWasIfAnythingFails, ()) {
  const bool update = *rc::gen::arbitrary<bool>();
  const Things before = AnyThings();
  const Things after = AnyThings();
  Cloud cloud;
  if (update) RC_ASSERT(cloud.Deploy(before).ok());
  const auto things = cloud.world.things;
  const auto resources = cloud.Resources();
  const std::string victim =
      IdOf(*rc::gen::inRange<std::size_t>(0, kMaxThings));
  cloud.world.failures = {absl::StrCat("create ", victim)};
  const auto result = cloud.Deploy(after);
  RC_CLASSIFY(!result.ok(), "failed");
  if (result.ok()) return;
  RC_ASSERT(result.status().code() == absl::StatusCode::kAborted);
  RC_ASSERT(cloud.world.things == things);
  RC_ASSERT(cloud.Resources() == resources);
  cloud.world.failures.clear();
  RC_ASSERT(cloud.Deploy(after).ok());
  RC_ASSERT(cloud.world.things.size() == after.size());
}

}  // namespace
}  // namespace byoshin::local::cloudformation
