#include "local/events/events.h"

#include <json/json.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/events/events_state.h"
#include "local/events/input.h"
#include "local/events/pattern.h"
#include "local/events/rule.h"
#include "local/events/rule_json.h"
#include "local/store/json_record.h"
#include "local/store/run_on_loop.h"

namespace byoshin::local::events {
namespace {

constexpr char kRulePrefix[] = "rule/";
constexpr char kEnabled[] = "enabled";
constexpr char kDisabled[] = "disabled";
// The member with the whole rule, of one that no template has.
constexpr char kMade[] = "rule";
// Real time and the clock may drift apart a little.
constexpr absl::Duration kClockTolerance = absl::Seconds(1);

}  // namespace

absl::StatusOr<std::unique_ptr<Events>> Events::Open(World world) {
  std::unique_ptr<Events> events(new Events(std::move(world)));
  absl::Status loaded;
  RunOnLoop(events->loop_, [&] { loaded = events->Load(); });
  if (!loaded.ok()) return loaded;
  return events;
}

Events::Events(World world)
    : world_(std::move(world)),
      loop_(world_.store, world_.clock,
            {.on_rollback = [this] { Load().IgnoreError(); }}),
      gate_(std::make_shared<LoopGate>(loop_)) {}

Events::~Events() {
  RunOnLoop(loop_, [this] {
    for (auto& [arn, state] : rules_) StopWaiting(*state);
  });
  gate_->Close();
  loop_.Stop();
}

// Also called after a rollback: rules are kept and get their state from the
// store.
absl::Status Events::Load() {
  ++epoch_;
  deliveries_.clear();
  // Rules of templates are not in the store.
  for (auto rule = rules_.begin(); rule != rules_.end();) {
    const bool is_stored = rule->second->rule.origin == Rule::Origin::kApi;
    if (is_stored) StopWaiting(*rule->second);
    rule = is_stored ? rules_.erase(rule) : std::next(rule);
  }
  absl::Status corrupt;
  absl::Status scanned = world_.store.Scan(
      PrefixRange(kRulePrefix), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view text) {
        const absl::Status loaded =
            LoadRule(absl::StripPrefix(key, kRulePrefix), text);
        if (loaded.ok()) return Store::Visit::kContinue;
        corrupt = absl::DataLossError(
            absl::StrCat("the record under ", key, " cannot be read"));
        return Store::Visit::kStop;
      });
  if (!scanned.ok()) return scanned;
  scanned = world_.store.Scan(
      PrefixRange(kDeliveryPrefix), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view text) {
        JsonRecord record(text);
        DeliveryId id = 0;
        if (!absl::SimpleAtoi(absl::StripPrefix(key, kDeliveryPrefix), &id)) {
          return Store::Visit::kContinue;
        }
        deliveries_[id] = {.rule_arn = record.Text("rule"),
                           .target_id = record.Text("target"),
                           .payload = record.Text("payload"),
                           .created = record.Time("created"),
                           .due = record.Time("due"),
                           .attempts = record.Int("attempts")};
        last_delivery_ = std::max(last_delivery_, id);
        if (record.ok()) return Store::Visit::kContinue;
        corrupt = absl::DataLossError(
            absl::StrCat("the record under ", key, " cannot be read"));
        return Store::Visit::kStop;
      });
  if (!scanned.ok()) return scanned;
  if (!corrupt.ok()) return corrupt;
  if (!begun_) return absl::OkStatus();
  for (const auto& [id, delivery] : deliveries_) Schedule(id);
  for (auto& [arn, state] : rules_) Wait(*state);
  UpdateMayMatch();
  return absl::OkStatus();
}

absl::Status Events::LoadRule(absl::string_view arn, absl::string_view text) {
  JsonRecord record(text);
  std::unique_ptr<RuleState>& state = rules_[std::string(arn)];
  if (state == nullptr) {
    state = std::make_unique<RuleState>();
    state->rule.arn = std::string(arn);
    state->rule.schedule_expression = record.Text("schedule");
  }
  if (record.Has(kMade)) {
    absl::StatusOr<Rule> rule = ReadRule(record.Text(kMade));
    if (!rule.ok()) return rule.status();
    absl::StatusOr<ParsedRule> parsed = Parse(*std::move(rule));
    if (!parsed.ok()) return parsed.status();
    state->rule = std::move(parsed->rule);
    state->schedule = parsed->schedule;
    state->pattern = std::move(parsed->pattern);
    state->known = true;
  }
  if (record.Has("state")) {
    state->kept_state = record.Text("state") == kDisabled
                            ? Rule::State::kDisabled
                            : Rule::State::kEnabled;
    if (state->known) state->rule.state = *state->kept_state;
  }
  state->anchor = record.Time("anchor");
  state->first.reset();
  if (record.Has("first")) state->first = record.Time("first");
  state->last.reset();
  if (record.Has("last")) state->last = record.Time("last");
  return record.ok() ? absl::OkStatus() : absl::DataLossError("damaged");
}

void Events::UpdateMayMatch() {
  may_match_ = !begun_ ||
               std::any_of(rules_.begin(), rules_.end(), [](const auto& entry) {
                 const RuleState& state = *entry.second;
                 return state.known && state.pattern.has_value();
               });
}

void Events::Begin() {
  RunOnLoop(loop_, [this] {
    begun_ = true;
    for (const auto& [id, delivery] : deliveries_) Schedule(id);
    for (auto& [arn, state] : rules_) Wait(*state);
    UpdateMayMatch();
  });
}

absl::Status Events::PutRule(Rule rule) {
  return Put(std::move(rule), StateFrom::kRule);
}

absl::Status Events::RestoreRule(Rule rule) {
  return Put(std::move(rule), StateFrom::kStore);
}

absl::StatusOr<Events::ParsedRule> Events::Parse(Rule rule) {
  ParsedRule parsed;
  if (rule.schedule_expression.empty() && rule.event_pattern.empty()) {
    return absl::InvalidArgumentError(
        "Parameter(s) EventPattern or ScheduleExpression must be specified.");
  }
  if (!rule.schedule_expression.empty()) {
    absl::StatusOr<events::Schedule> schedule =
        events::Schedule::Parse(rule.schedule_expression);
    if (!schedule.ok()) return schedule.status();
    parsed.schedule = *std::move(schedule);
  }
  if (!rule.event_pattern.empty()) {
    absl::StatusOr<EventPattern> pattern =
        EventPattern::Parse(rule.event_pattern);
    if (!pattern.ok()) return pattern.status();
    parsed.pattern = *std::move(pattern);
  }
  for (const Target& target : rule.targets) {
    if (absl::Status input = CheckInput(target); !input.ok()) return input;
  }
  parsed.rule = std::move(rule);
  return parsed;
}

absl::Status Events::Put(Rule rule, StateFrom state_from) {
  absl::StatusOr<ParsedRule> parsed = Parse(std::move(rule));
  if (!parsed.ok()) return parsed.status();
  RunOnLoop(loop_, [&] { PutParsed(*std::move(parsed), state_from); });
  return absl::OkStatus();
}

void Events::PutParsed(ParsedRule parsed, StateFrom state_from) {
  Rule& rule = parsed.rule;
  std::unique_ptr<RuleState>& state = rules_[rule.arn];
  const bool fresh = state == nullptr;
  if (fresh) state = std::make_unique<RuleState>();
  // A rate counts from the time when it was set, in whole minutes.
  if (fresh || state->rule.schedule_expression != rule.schedule_expression) {
    state->anchor = absl::FromUnixSeconds(
        absl::ToUnixSeconds(world_.clock.Now()) / 60 * 60);
  }
  if (state_from == StateFrom::kStore && state->kept_state.has_value()) {
    rule.state = *state->kept_state;
  }
  state->rule = std::move(rule);
  state->schedule = parsed.schedule;
  state->pattern = std::move(parsed.pattern);
  state->known = true;
  SaveRule(*state);
  Wait(*state);
  UpdateMayMatch();
}

void Events::RemoveRule(const std::string& arn) {
  RunOnLoop(loop_, [&] { Erase(arn); });
}

void Events::Erase(const std::string& arn) {
  const auto found = rules_.find(arn);
  if (found == rules_.end()) return;
  StopWaiting(*found->second);
  rules_.erase(found);
  world_.store.Delete(absl::StrCat(kRulePrefix, arn)).IgnoreError();
  std::vector<DeliveryId> ids;
  for (const auto& [id, delivery] : deliveries_) {
    if (delivery.rule_arn == arn) ids.push_back(id);
  }
  for (DeliveryId id : ids) Remove(id);
  UpdateMayMatch();
}

void Events::ChangeRule(const std::string& arn, RuleChange change,
                        std::function<void(absl::Status)> done) {
  loop_.Submit([this, arn, change = std::move(change),
                done = std::move(done)]() -> AfterCommit {
    const auto found = rules_.find(arn);
    const bool exists = found != rules_.end() && found->second->known;
    absl::StatusOr<std::optional<Rule>> changed =
        change(exists ? &found->second->rule : nullptr);
    if (!changed.ok()) {
      done(changed.status());
      return nullptr;
    }
    if (!changed->has_value()) {
      Erase(arn);
      return done;
    }
    absl::StatusOr<ParsedRule> parsed = Parse(**std::move(changed));
    if (!parsed.ok()) {
      done(parsed.status());
      return nullptr;
    }
    PutParsed(*std::move(parsed), StateFrom::kRule);
    return done;
  });
}

void Events::Publish(std::vector<BusEvent> events,
                     std::function<void(absl::Status)> done) {
  loop_.Submit([this, events = std::move(events),
                done = std::move(done)]() -> AfterCommit {
    for (const BusEvent& event : events) SendMatching(event);
    return done;
  });
}

void Events::SendMatching(const BusEvent& event) {
  const std::string text = WriteEvent(event);
  const absl::StatusOr<Json::Value> json = json::ParseValue(text);
  if (!json.ok()) return;
  for (const auto& [arn, state] : rules_) {
    if (state->known && state->pattern.has_value() &&
        state->rule.state == Rule::State::kEnabled &&
        state->rule.region == event.region &&
        state->rule.account_id == event.account_id &&
        state->pattern->Matches(*json)) {
      Send(*state, text);
    }
  }
}

std::vector<RuleStatus> Events::ListRules() {
  std::vector<RuleStatus> statuses;
  RunOnLoop(loop_, [&] { statuses = Statuses(); });
  return statuses;
}

std::vector<RuleStatus> Events::Statuses() const {
  std::vector<RuleStatus> statuses;
  for (const auto& [arn, state] : rules_) {
    if (!state->known) continue;
    RuleStatus status{.rule = state->rule,
                      .first_fired = state->first,
                      .last_fired = state->last,
                      .next = state->next};
    for (const auto& [id, delivery] : deliveries_) {
      if (delivery.rule_arn == arn) ++status.pending_deliveries;
    }
    statuses.push_back(std::move(status));
  }
  return statuses;
}

void Events::Inspect(std::function<void(std::vector<RuleStatus>)> done) {
  loop_.Submit([this, done = std::move(done)]() -> AfterCommit {
    done(Statuses());
    return nullptr;
  });
}

void Events::SetRuleState(const std::string& arn, Rule::State state,
                          std::function<void(absl::Status)> done) {
  loop_.Submit([this, arn, state, done = std::move(done)]() -> AfterCommit {
    const auto found = rules_.find(arn);
    if (found == rules_.end() || !found->second->known) {
      done(absl::NotFoundError(absl::StrCat("there is no rule ", arn)));
      return nullptr;
    }
    found->second->rule.state = state;
    SaveRule(*found->second);
    Wait(*found->second);
    return done;
  });
}

void Events::DisableRules() {
  RunOnLoop(loop_, [this] {
    for (auto& [arn, state] : rules_) {
      if (!state->known || !state->schedule.has_value()) continue;
      state->rule.state = Rule::State::kDisabled;
      SaveRule(*state);
      Wait(*state);
    }
  });
}

void Events::ForgetFirst() {
  RunOnLoop(loop_, [this] {
    for (auto& [arn, state] : rules_) {
      state->first.reset();
      SaveRule(*state);
    }
  });
}

absl::Status Events::Tick(const std::string& arn) {
  absl::Status status;
  RunOnLoop(loop_, [&] {
    const auto found = rules_.find(arn);
    if (found == rules_.end() || !found->second->known) {
      status = absl::NotFoundError(absl::StrCat("there is no rule ", arn));
      return;
    }
    Fire(*found->second, world_.clock.Now());
  });
  return status;
}

// Sets the timer for the next boundary that has not fired.
void Events::Wait(RuleState& state) {
  StopWaiting(state);
  if (!begun_ || !state.known || !state.schedule.has_value() ||
      state.rule.state == Rule::State::kDisabled) {
    return;
  }
  const absl::Time now = world_.clock.Now();
  absl::Time after = now;
  if (state.last.has_value() && *state.last > now &&
      *state.last - now <= kMaxStepBack) {
    after = *state.last;
  }
  // A boundary at this very moment is not over yet.
  state.next = state.schedule->Next(
      after == now && state.last != now ? now - absl::Nanoseconds(1) : after,
      state.anchor);
  if (!state.next.has_value()) return;
  const std::string arn = state.rule.arn;
  state.timer = loop_.At(*state.next, [this, arn]() -> AfterCommit {
    HandleTimer(arn);
    return nullptr;
  });
  // If the clock is set back, this timer would be late; a timer in real time is
  // not.
  state.clock_check = world_.timer.After(
      *state.next - now + kClockTolerance, [this, arn, gate = gate_] {
        gate->Submit([this, arn]() -> AfterCommit {
          CheckClock(arn);
          return nullptr;
        });
      });
}

void Events::StopWaiting(RuleState& state) {
  loop_.Cancel(std::exchange(state.timer, 0));
  if (state.clock_check != 0) {
    world_.timer.Cancel(std::exchange(state.clock_check, 0));
  }
  state.next.reset();
}

void Events::HandleTimer(const std::string& arn) {
  const auto found = rules_.find(arn);
  if (found == rules_.end() || !found->second->next.has_value()) return;
  RuleState& state = *found->second;
  state.timer = 0;
  const absl::Time now = world_.clock.Now();
  std::optional<absl::Time> boundary = state.next;
  if (now - *boundary > kMaxLateness) {
    // Of the boundaries that were skipped, the last may still be recent enough.
    boundary = state.schedule->Next(now - kMaxLateness - absl::Nanoseconds(1),
                                    state.anchor);
    if (boundary.has_value() && *boundary > now) boundary.reset();
  }
  if (boundary.has_value()) {
    state.last = boundary;
    Fire(state, *boundary);
  }
  Wait(state);
}

void Events::CheckClock(const std::string& arn) {
  const auto found = rules_.find(arn);
  if (found == rules_.end() || !found->second->next.has_value()) return;
  RuleState& state = *found->second;
  state.clock_check = 0;
  if (world_.clock.Now() < *state.next) Wait(state);
}

void Events::Fire(RuleState& state, absl::Time time) {
  if (!state.first.has_value()) state.first = time;
  SaveRule(state);
  Send(state, ScheduledEvent(state.rule, random::NewUuid(), time));
}

void Events::Send(const RuleState& state, const std::string& event) {
  const absl::Time now = world_.clock.Now();
  for (const Target& target : state.rule.targets) {
    absl::StatusOr<std::string> payload =
        InputOf(target, event, {.rule = state.rule, .ingestion_time = now});
    if (!payload.ok()) continue;  // PutRule() has rejected it
    const DeliveryId id = ++last_delivery_;
    Delivery& delivery = deliveries_[id];
    delivery = {.rule_arn = state.rule.arn,
                .target_id = target.id,
                .payload = *std::move(payload),
                .created = now,
                .due = now};
    SaveDelivery(id, delivery);
    if (begun_) Schedule(id);
  }
}

void Events::SaveRule(const RuleState& state) {
  Json::Value value(Json::objectValue);
  value["schedule"] = state.rule.schedule_expression;
  value["anchor"] = ToJson(state.anchor);
  // Until a rule is put, its state is only in the store.
  const std::optional<Rule::State> rule_state =
      state.known ? state.rule.state : state.kept_state;
  if (rule_state.has_value()) {
    value["state"] =
        *rule_state == Rule::State::kEnabled ? kEnabled : kDisabled;
  }
  if (state.known && state.rule.origin == Rule::Origin::kApi) {
    value[kMade] = WriteRule(state.rule);
  }
  if (state.first.has_value()) value["first"] = ToJson(*state.first);
  if (state.last.has_value()) value["last"] = ToJson(*state.last);
  world_.store
      .Put(absl::StrCat(kRulePrefix, state.rule.arn), json::WriteValue(value))
      .IgnoreError();
}

}  // namespace byoshin::local::events
