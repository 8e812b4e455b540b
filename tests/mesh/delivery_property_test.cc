// Random histories of operations and subscribers on the deployed stack:
// subscribers are WebSockets, each with several subscriptions, that come and
// go.
#include <gtest/gtest.h>
#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/mesh/constants.h"
#include "core/time/simulated_clock.h"
#include "rapidcheck.h"
#include "tests/mesh/deployed_mesh.h"
#include "tests/mesh/mesh_caller.h"
#include "tests/mesh/mesh_history.h"
#include "tests/mesh/mesh_model.h"
#include "tests/mesh/mesh_subscriber.h"
#include "tests/properties/check_property.h"

namespace byoshin::mesh {
namespace {

constexpr int kMaxSubscribers = 3;
constexpr int kMaxSteps = 30;
// Groups that subscribers choose from.
constexpr int kRecent = 3;

// What a subscription may be to. It selects everything, or one field.
struct SubscriptionField {
  const char* name;
  const char* everything;
  const char* one;
};
constexpr SubscriptionField kFields[] = {
    {"onDataUpdateInGroup", kStatusSelection, "nodeId"},
    {"onBatchEventInGroup", kBatchSelection, "firedByNodeId"},
    {"onGroupDissolve", kDissolvedSelection, "message"}};

// A subscriber, with what it should have been sent. Not thread-safe.
class Watched {
 public:
  Watched(const DeployedMesh& mesh, const MeshModel& model)
      : model_(model),
        expected_until_(model.published().size()),
        subscriber_(mesh) {}

  struct Wanted {
    const SubscriptionField* field = nullptr;
    std::string group_id{};
    std::string domain{};
    bool everything = true;
  };

  void Subscribe(const Wanted& wanted) {
    Expect();
    const std::string selection =
        wanted.everything ? wanted.field->everything
                          : absl::StrCat("{ ", wanted.field->one, " }");
    const std::string id = subscriber_.Subscribe(
        {.kind = "subscription",
         .field = wanted.field->name,
         .arguments = {{"groupId", Quoted(wanted.group_id)},
                       {"domain", Quoted(wanted.domain)}},
         .selection = selection});
    subscriptions_[id] = wanted;
  }

  // One of those that there are, if any.
  void Unsubscribe(const MeshHistory::Choose& choose) {
    if (subscriptions_.empty()) return;
    Expect();
    const auto chosen =
        std::next(subscriptions_.begin(),
                  choose(static_cast<int>(subscriptions_.size())));
    subscriber_.Unsubscribe(chosen->first);
    subscriptions_.erase(chosen);
  }

  // Whether it was sent what it should have been, and nothing else.
  absl::Status Check() {
    Expect();
    subscriber_.CatchUp();
    std::vector<std::string> sent;
    for (const Delivery& delivery : subscriber_.deliveries()) {
      sent.push_back(Describe(delivery.id, delivery.data));
    }
    std::vector<std::string> expected;
    auto next = sent.begin();
    for (std::vector<std::string> together : expected_) {
      // Subscriptions to the same have no order among themselves.
      std::sort(together.begin(), together.end());
      const auto count = std::min<std::ptrdiff_t>(
          static_cast<std::ptrdiff_t>(together.size()), sent.end() - next);
      std::sort(next, next + count);
      next += count;
      expected.insert(expected.end(), together.begin(), together.end());
    }
    if (sent == expected) return absl::OkStatus();
    return Differs("delivered", absl::StrJoin(sent, "\n"),
                   absl::StrJoin(expected, "\n"));
  }

  int deliveries() const {
    return static_cast<int>(subscriber_.deliveries().size());
  }

 private:
  static std::string Describe(const std::string& id, const Json::Value& data) {
    return absl::StrCat(id, " ", json::WriteValue(data));
  }

  // Everything published since the last call was for the subscriptions that
  // there are.
  void Expect() {
    const std::vector<Published>& published = model_.published();
    for (; expected_until_ < published.size(); ++expected_until_) {
      const auto& [field, result] = published[expected_until_];
      std::vector<std::string> together;
      for (const auto& [id, wanted] : subscriptions_) {
        if (field != wanted.field->name ||
            result["groupId"] != wanted.group_id ||
            result["domain"] != wanted.domain) {
          continue;
        }
        Json::Value one(Json::objectValue);
        one[wanted.field->one] = result[wanted.field->one];
        together.push_back(Describe(id, wanted.everything ? result : one));
      }
      expected_.push_back(std::move(together));
    }
  }

  const MeshModel& model_;
  // How much of what was published is in expected_.
  std::size_t expected_until_;
  MeshSubscriber subscriber_;
  std::map<std::string, Wanted> subscriptions_;
  // By what was published.
  std::vector<std::vector<std::string>> expected_;
};

void Assert(const absl::Status& status) {
  if (!status.ok()) RC_FAIL(std::string(status.message()));
}

// One history.
class DeliveryHistory {
 public:
  DeliveryHistory(DeployedMesh& mesh, time::SimulatedClock& clock,
                  const std::string& suffix)
      : mesh_(mesh),
        model_(mesh, clock, {.intervals = kDevelopmentIntervals}),
        history_(model_, choose_, suffix) {}

  // A group, and somebody who watches it.
  void Begin() {
    Assert(history_.Publish());
    Subscribe();
  }

  void Step() {
    const int kind = choose_(20);
    if (kind <= 2) {
      Subscribe();
    } else if (kind == 3) {
      Unsubscribe();
    } else if (kind == 4) {
      history_.PassTime();
    } else if (kind <= 7) {
      Assert(history_.Mutate());
    } else {
      Assert(history_.Publish());
    }
  }

  // Returns how much was delivered.
  int Finish() {
    for (const std::unique_ptr<Watched>& subscriber : subscribers_) {
      Check(*subscriber);
    }
    // For the next history.
    Assert(model_.CheckThatEverythingGoes());
    return deliveries_;
  }

 private:
  void Check(Watched& subscriber) {
    Assert(subscriber.Check());
    deliveries_ += subscriber.deliveries();
  }

  void Subscribe() {
    if (subscribers_.empty() ||
        (subscribers_.size() < kMaxSubscribers && choose_(2) == 0)) {
      subscribers_.push_back(std::make_unique<Watched>(mesh_, model_));
    }
    const ModelGroup& group = AnyGroup();
    Watched::Wanted wanted = {
        .group_id = group.id,
        // Its own, or another.
        .domain = choose_(2) == 0 ? history_.AnyDomain() : group.domain,
        .everything = choose_(3) > 0};
    Watched& subscriber = *AnySubscriber();
    // To all of them, as programs do, or to one.
    const int chosen = choose_(2 * std::size(kFields));
    for (int i = 0; i < static_cast<int>(std::size(kFields)); ++i) {
      if (chosen < static_cast<int>(std::size(kFields)) && chosen != i)
        continue;
      wanted.field = &kFields[i];
      subscriber.Subscribe(wanted);
    }
  }

  // One of the last.
  const ModelGroup& AnyGroup() {
    const std::deque<ModelGroup>& groups = model_.groups();
    const int recent = std::min(static_cast<int>(groups.size()), kRecent);
    return groups[groups.size() - 1 - choose_(recent)];
  }

  // From a subscription, or by hanging up.
  void Unsubscribe() {
    if (subscribers_.empty()) return;
    std::unique_ptr<Watched>& subscriber = AnySubscriber();
    if (choose_(4) > 0) return subscriber->Unsubscribe(choose_);
    Check(*subscriber);
    std::swap(subscriber, subscribers_.back());
    subscribers_.pop_back();
  }

  std::unique_ptr<Watched>& AnySubscriber() {
    return subscribers_[choose_(static_cast<int>(subscribers_.size()))];
  }

  // Evenly, also in the first cases, which rapidcheck would keep small.
  const MeshHistory::Choose choose_ = [](int count) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, count));
  };
  DeployedMesh& mesh_;
  MeshModel model_;
  MeshHistory history_;
  std::vector<std::unique_ptr<Watched>> subscribers_;
  int deliveries_ = 0;
};

// **Feature: mesh-v2, Property 6: What is delivered to a subscriber is exactly
// what was reported, fired and dissolved in its group while it was subscribed,
// in order, as it selects it; nothing of another group or domain, and nothing
// of an operation that failed.**
TEST(MeshDeliveryProperty, DeliversWhatHappensInTheGroupWhileSubscribed) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'764'670'980));
  DeployedMesh mesh = DeployMesh({.stage = kDevelopmentStage}, clock).value();
  int histories = 0;
  int deliveries = 0;
  properties::CheckProperty([&] {
    DeliveryHistory history(mesh, clock, absl::StrCat("-", ++histories));
    const int steps =
        *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(1, kMaxSteps));
    history.Begin();
    for (int i = 0; i < steps; ++i) history.Step();
    deliveries += history.Finish();
  });
  std::cout << deliveries << " deliveries in " << histories << " histories\n";
  if (HasFailure()) return;
  // Histories in which nothing is delivered would hold, too.
  EXPECT_GE(deliveries, histories);
  mesh.cloud->Stop();
}

}  // namespace
}  // namespace byoshin::mesh
