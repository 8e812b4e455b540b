// EventBridge of the local cloud: rules that fire by the clock, exactly on
// their boundaries, and the delivery of their events to targets.
//
//   absl::StatusOr<std::unique_ptr<Events>> events = Events::Open(
//       {.store = store, .clock = clock, .targets = targets, .sink = sink});
//   absl::Status put = (*events)->PutRule(rule);
//   (*events)->Begin();   // once all that was deployed is there again
//
// A boundary fires once. Those that pass while the cloud does not run are not
// made up for: as on AWS a rule goes on with its next one. While the machine
// sleeps neither, but for one that is not older than kMaxLateness when it
// wakes: that fires late. What has fired is in the store before it is
// delivered, and leaves it when the target has accepted it, so a crash repeats
// a delivery at worst, with the same event id.
//
// The clock may be set. Forward: as if the machine had slept.
// Back: boundaries that have fired do not fire again; if it is set back by more
// than kMaxStepBack, it was wrong before, and rules go by the new time.
#ifndef BYOSHIN_LOCAL_EVENTS_EVENTS_H_
#define BYOSHIN_LOCAL_EVENTS_EVENTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "core/time/real_timer.h"
#include "local/events/rule.h"
#include "local/events/schedule.h"
#include "local/queues/queues.h"
#include "local/store/loop_gate.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::events {

// A boundary that is noticed later than this has been missed.
inline constexpr absl::Duration kMaxLateness = absl::Minutes(1);
inline constexpr absl::Duration kMaxStepBack = absl::Hours(1);
// Before a delivery that failed is tried again: doubled each time, up to the
// longest.
inline constexpr absl::Duration kFirstRetryPause = absl::Seconds(1);
inline constexpr absl::Duration kLongestRetryPause = absl::Minutes(5);
// A missing permission is final, but may be on its way in the same deployment:
// it is waited for once.
inline constexpr absl::Duration kPermissionPause = absl::Seconds(5);

// Whom events are delivered to. Thread-safe.
class Targets {
 public:
  virtual ~Targets() = default;

  // `done` is called on any thread, not from within the call. NotFound and
  // PermissionDenied are final; other errors are tried again.
  virtual void Deliver(const std::string& target_arn,
                       const std::string& rule_arn, std::string payload,
                       std::function<void(absl::Status)> done) = 0;
};

struct RuleStatus {
  Rule rule{};
  // By the clock or by Tick(), since it was put or ForgetFirst() was called.
  std::optional<absl::Time> first_fired{};
  std::optional<absl::Time> last_fired{};
  std::optional<absl::Time> next{};
  std::size_t pending_deliveries = 0;
};

// Thread-safe.
class Events {
 public:
  // All outlive it.
  struct World {
    Store& store;
    time::Clock& clock;
    Targets& targets;
    queues::QueueSink& sink;
    // Notices that the clock was set back while a rule waits for it.
    time::RealTimer& timer;
    // Whether the rule may send to the queue, which its policy has to say.
    // Called on a thread of this; whoever refuses tells people. Null: it may.
    std::function<absl::Status(const std::string& rule_arn,
                               const std::string& queue_arn)>
        authorize{};
  };

  static absl::StatusOr<std::unique_ptr<Events>> Open(World world);

  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  ~Events();

  // Nothing fires, and nothing is delivered, before.
  void Begin();

  // These block until it is done; not to be called from callbacks.

  // Adds the rule, or replaces it. InvalidArgument if its schedule is wrong.
  absl::Status PutRule(Rule rule);
  // The same at the start of the cloud, for a rule of before: one that was
  // enabled or disabled meanwhile stays so.
  absl::Status RestoreRule(Rule rule);
  // What it has fired and was not delivered yet is dropped.
  void RemoveRule(const std::string& arn);
  std::vector<RuleStatus> ListRules();
  // All of them, until they are put again.
  void DisableRules();

  // Resets first_fired of all rules.
  void ForgetFirst();

  // Fires the rule now, whether it is enabled or not. The event's time is the
  // clock's.
  absl::Status Tick(const std::string& arn);

  // These do not block; `done` is called on a thread of this, and must not
  // either.
  void Inspect(std::function<void(std::vector<RuleStatus>)> done);
  // Enables or disables the rule, until it is put again. NotFound if there is
  // none.
  void SetRuleState(const std::string& arn, Rule::State state,
                    std::function<void(absl::Status)> done);

 private:
  using DeliveryId = std::uint64_t;
  struct RuleState;
  struct Delivery {
    std::string rule_arn{};
    std::string target_id{};
    std::string payload{};
    absl::Time created{};
    absl::Time due{};
    int attempts = 0;
    bool under_way = false;
  };

  explicit Events(World world);

  // Whose state counts: the rule's own, or what was kept.
  enum class StateFrom { kRule, kStore };
  absl::Status Put(Rule rule, StateFrom state_from);
  std::vector<RuleStatus> Statuses() const;
  absl::Status Load();
  void Wait(RuleState& state);
  void HandleTimer(const std::string& arn);
  void CheckClock(const std::string& arn);
  void StopWaiting(RuleState& state);
  // Puts an event for each target into the store, to be delivered.
  void Fire(RuleState& state, absl::Time time);
  void Schedule(DeliveryId id);
  void Attempt(DeliveryId id);
  void HandleDelivered(DeliveryId id, const absl::Status& status);
  void GiveUp(DeliveryId id, const absl::Status& status,
              absl::string_view condition);
  void Remove(DeliveryId id);
  void SaveRule(const RuleState& state);
  void SaveDelivery(DeliveryId id, const Delivery& delivery);

  const World world_;
  bool begun_ = false;
  std::map<std::string, std::unique_ptr<RuleState>> rules_;  // by ARN
  std::map<DeliveryId, Delivery> deliveries_;
  DeliveryId last_delivery_ = 0;
  // Timers of before a rollback are not to touch what was loaded after it.
  std::uint64_t epoch_ = 0;
  WorkLoop loop_;
  const std::shared_ptr<LoopGate> gate_;
};

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_EVENTS_H_
