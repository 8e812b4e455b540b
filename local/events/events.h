// EventBridge of the local cloud: rules that fire by the clock, exactly on
// their boundaries, or for events that match their pattern, and the delivery to
// targets.
//
//   absl::StatusOr<std::unique_ptr<Events>> events = Events::Open(
//       {.store = store, .clock = clock, .targets = targets, .sink = sink});
//   absl::Status put = (*events)->PutRule(rule);
//   (*events)->Begin();   // once all that was deployed is there again
//
// A boundary fires once. Boundaries that pass while the cloud is not running
// are skipped: as on AWS, a rule continues with its next one. The same applies
// while the machine sleeps, except that a boundary not older than kMaxLateness
// fires late when the machine wakes. An event is stored before it is delivered
// and removed when the target has accepted it, so a crash can at worst repeat a
// delivery, with the same event id.
//
// An event on the bus goes to all enabled rules of its region and account whose
// pattern matches. It is stored with its deliveries, and dropped if no rule
// matches.
//
// The clock may be changed. If it is set forward, rules behave as if the
// machine had slept. If it is set back, boundaries that have fired do not fire
// again, unless it is set back by more than kMaxStepBack: then the old time is
// considered wrong, and rules follow the new time.
#ifndef BYOSHIN_LOCAL_EVENTS_EVENTS_H_
#define BYOSHIN_LOCAL_EVENTS_EVENTS_H_

#include <atomic>
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
#include "local/events/bus_event.h"
#include "local/events/rule.h"
#include "local/events/schedule.h"
#include "local/queues/queues.h"
#include "local/store/loop_gate.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::events {

// A boundary that is noticed later than this is skipped.
inline constexpr absl::Duration kMaxLateness = absl::Minutes(1);
inline constexpr absl::Duration kMaxStepBack = absl::Hours(1);
// The delay before a failed delivery is retried: doubled each time, up to the
// maximum.
inline constexpr absl::Duration kFirstRetryPause = absl::Seconds(1);
inline constexpr absl::Duration kLongestRetryPause = absl::Minutes(5);
// A missing permission is final, but the same deployment may be about to add
// it: the delivery is retried once.
inline constexpr absl::Duration kPermissionPause = absl::Seconds(5);

// Receives events. Thread-safe.
class Targets {
 public:
  virtual ~Targets() = default;

  // `done` is called once, on any thread, perhaps before this returns. NotFound
  // and PermissionDenied are final; other errors are tried again.
  virtual void Deliver(const Target& target, const std::string& rule_arn,
                       std::string payload,
                       std::function<void(absl::Status)> done) = 0;
};

struct RuleStatus {
  Rule rule{};
  // By the clock or Tick(), since the rule was put or ForgetFirst() was called.
  std::optional<absl::Time> first_fired{};
  std::optional<absl::Time> last_fired{};
  std::optional<absl::Time> next{};
  std::size_t pending_deliveries = 0;
};

// Thread-safe.
class Events {
 public:
  // All must outlive Events.
  struct World {
    Store& store;
    time::Clock& clock;
    Targets& targets;
    queues::QueueSink& sink;
    // Notices that the clock was set back while a rule waits for it.
    time::RealTimer& timer;
    // Whether the queue's policy lets the rule send to it. Called on an
    // internal thread; the callee reports a denial. If null, every rule may
    // send.
    std::function<absl::Status(const std::string& rule_arn,
                               const std::string& queue_arn)>
        authorize{};
  };

  static absl::StatusOr<std::unique_ptr<Events>> Open(World world);

  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  ~Events();

  // Nothing fires or is delivered before this is called.
  void Begin();

  // These block until they are done. Don't call them from callbacks.

  // Adds or replaces the rule. InvalidArgument if its schedule, its pattern or
  // the input of a target is invalid, or if it has neither schedule nor
  // pattern.
  absl::Status PutRule(Rule rule);
  // The same, for a rule of the previous run: if it was enabled or disabled by
  // a call, it stays so.
  absl::Status RestoreRule(Rule rule);
  // Events of the rule that have not been delivered are dropped.
  void RemoveRule(const std::string& arn);
  std::vector<RuleStatus> ListRules();
  // Disables all rules with a schedule until they are put again.
  void DisableRules();

  // Resets first_fired of all rules.
  void ForgetFirst();

  // Fires the rule now, whether it is enabled or not, with the current time as
  // the event's.
  absl::Status Tick(const std::string& arn);

  // These do not block. `done` is called on an internal thread and must not
  // block.

  // `done` is called once the events are stored for all rules that match; null
  // if nobody waits.
  void Publish(std::vector<BusEvent> events,
               std::function<void(absl::Status)> done);
  // Whether a rule may match events on the bus. Before Begin(), rules may be
  // missing, so it is true.
  bool MayMatch() const { return may_match_; }
  absl::Time now() const { return world_.clock.Now(); }
  // Changes, adds or removes a rule: `change` gets the current one, or null,
  // and returns the new one, or nothing to remove it. Called on an internal
  // thread; its errors, and those of PutRule(), are passed to `done`.
  using RuleChange =
      std::function<absl::StatusOr<std::optional<Rule>>(const Rule* current)>;
  void ChangeRule(const std::string& arn, RuleChange change,
                  std::function<void(absl::Status)> done);
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

  // Which state applies: the rule's own, or the stored one.
  enum class StateFrom { kRule, kStore };
  absl::Status Put(Rule rule, StateFrom state_from);
  // On the loop, with what the rule's texts mean.
  struct ParsedRule;
  static absl::StatusOr<ParsedRule> Parse(Rule rule);
  void PutParsed(ParsedRule parsed, StateFrom state_from);
  void Erase(const std::string& arn);
  absl::Status LoadRule(absl::string_view arn, absl::string_view text);
  void UpdateMayMatch();
  std::vector<RuleStatus> Statuses() const;
  absl::Status Load();
  void Wait(RuleState& state);
  void HandleTimer(const std::string& arn);
  void CheckClock(const std::string& arn);
  void StopWaiting(RuleState& state);
  void Fire(RuleState& state, absl::Time time);
  // Stores the event for each target of the rule, to be delivered.
  void Send(const RuleState& state, const std::string& event);
  void SendMatching(const BusEvent& event);
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
  std::atomic<bool> may_match_{true};
  std::map<std::string, std::unique_ptr<RuleState>> rules_;  // by ARN
  std::map<DeliveryId, Delivery> deliveries_;
  DeliveryId last_delivery_ = 0;
  // Timers that were set before a rollback must not change what was loaded
  // after it.
  std::uint64_t epoch_ = 0;
  WorkLoop loop_;
  const std::shared_ptr<LoopGate> gate_;
};

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_EVENTS_H_
