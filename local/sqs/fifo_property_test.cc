// Random histories of a FIFO queue, beside a model: a list of messages for each
// group, and the deduplication IDs that are known.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstddef>
#include <iterator>
#include <list>
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
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/testing/engine_fixture.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {
namespace {

const QueueAddress kModelled{.region = "eu-west-1", .name = "modelled.fifo"};
const QueueAddress kModelledDead{.region = "eu-west-1",
                                 .name = "modelled-dead.fifo"};
constexpr char kModelledDeadArn[] =
    "arn:aws:sqs:eu-west-1:000000000000:modelled-dead.fifo";

// How many rapidcheck tries can be changed from outside; a property that was
// hardly tried must not pass.
constexpr int kMinFifoCases = 100;
constexpr int kMaxFifoReceives = 3;
constexpr absl::Duration kFifoRetention = absl::Seconds(900);
constexpr absl::Duration kFifoInterval = absl::Minutes(5);

struct FifoModelMessage {
  int number = 0;
  std::string body{};
  absl::Time sent_at{};
  absl::Time available_at{};
  int receives = 0;
  std::string handle{};  // the newest
};

using FifoModelGroup = std::list<FifoModelMessage>;

struct KnownId {
  absl::Time sent_at{};
  SendMessageResult result{};
};

class FifoComparison {
 public:
  explicit FifoComparison(bool in_groups)
      : in_groups_(in_groups), clock_(kStart), store_(*OpenSqliteStore({})) {
    Reopen();
    RC_ASSERT(engine_
                  ->CreateQueue({.queue = kModelledDead,
                                 .attributes = {{"FifoQueue", "true"}}})
                  .ok());
    const std::string redrive =
        absl::StrCat(R"({"deadLetterTargetArn":")", kModelledDeadArn,
                     R"(","maxReceiveCount":)", kMaxFifoReceives, "}");
    RC_ASSERT(engine_
                  ->CreateQueue(
                      {.queue = kModelled,
                       .attributes = {{"FifoQueue", "true"},
                                      {"DeduplicationScope",
                                       in_groups ? "messageGroup" : "queue"},
                                      {"MessageRetentionPeriod", "900"},
                                      {"RedrivePolicy", redrive}}})
                  .ok());
    Commit();
  }

  void Reopen() {
    engine_ = std::make_unique<Engine>(*store_, clock_, EngineOptions{});
    RC_ASSERT(engine_->Load().ok());
    Commit();
  }

  void Send(int group, int id) {
    const std::string group_id = absl::StrCat("group", group);
    const std::string known_as =
        absl::StrCat(in_groups_ ? group_id : "", "/", id);
    const int number = next_++;
    const std::string body = absl::StrCat("message ", number);
    const absl::StatusOr<SendMessageResult> sent = engine_->SendMessage(
        {.queue = kModelled,
         .message = Prepared({.body = body,
                              .group_id = group_id,
                              .deduplication_id = absl::StrCat(id)})});
    Commit();
    RC_ASSERT(sent.ok());
    const auto known = known_.find(known_as);
    if (known != known_.end() &&
        clock_.Now() < known->second.sent_at + kFifoInterval) {
      RC_ASSERT(sent->message_id == known->second.result.message_id);
      RC_ASSERT(sent->sequence_number == known->second.result.sequence_number);
      return;
    }
    RC_ASSERT(sent->sequence_number > last_sequence_);
    last_sequence_ = sent->sequence_number;
    known_[known_as] = {.sent_at = clock_.Now(), .result = *sent};
    groups_[group_id].push_back({.number = number,
                                 .body = body,
                                 .sent_at = clock_.Now(),
                                 .available_at = clock_.Now()});
  }

  void Receive(std::size_t most, int timeout_seconds) {
    const absl::Duration timeout = absl::Seconds(timeout_seconds);
    std::optional<ReceiveResult> result;
    engine_->ReceiveMessage(
        {.queue = kModelled,
         .max_messages = static_cast<int>(most),
         .visibility_timeout = timeout},
        [&](const ReceiveResult& answer) { result = answer; });
    Commit();
    RC_ASSERT(result.has_value() && result->ok());
    const std::vector<FifoModelMessage*> expected = Take(most);
    RC_ASSERT((*result)->size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const ReceivedMessage& received = (**result)[i];
      FifoModelMessage& message = *expected[i];
      RC_ASSERT(received.message.content.body == message.body);
      RC_ASSERT(received.receives == ++message.receives);
      if (!message.handle.empty()) old_handles_.push_back(message.handle);
      message.handle = received.receipt_handle;
      message.available_at = clock_.Now() + timeout;
    }
  }

  void Delete(int choice) {
    const auto [group, message] = Choose(choice);
    if (group == nullptr || message->handle.empty()) return;
    const absl::Status status =
        engine_->DeleteMessage(kModelled, message->handle);
    Commit();
    RC_ASSERT(status.ok() == (message->available_at > clock_.Now()));
    if (status.ok()) group->erase(message);
    DropEmptyGroups();
  }

  // Never has an effect.
  void UseOldHandle(int choice) {
    if (old_handles_.empty()) return;
    const std::string& handle = old_handles_[choice % old_handles_.size()];
    engine_->DeleteMessage(kModelled, handle).IgnoreError();
    engine_
        ->ChangeMessageVisibility(kModelled, {.receipt_handle = handle,
                                              .timeout = absl::ZeroDuration()})
        .IgnoreError();
    Commit();
  }

  void ChangeVisibility(int choice, int timeout_seconds) {
    const auto [group, message] = Choose(choice);
    if (group == nullptr || message->handle.empty()) return;
    const bool in_flight = message->available_at > clock_.Now();
    const absl::Status status = engine_->ChangeMessageVisibility(
        kModelled, {.receipt_handle = message->handle,
                    .timeout = absl::Seconds(timeout_seconds)});
    Commit();
    RC_ASSERT(status.ok() == in_flight);
    if (in_flight) {
      message->available_at = clock_.Now() + absl::Seconds(timeout_seconds);
    }
  }

  void Advance(int milliseconds) {
    const absl::Time end = clock_.Now() + absl::Milliseconds(milliseconds);
    while (engine_->NextDue() <= end) {
      clock_.AdvanceTo(engine_->NextDue());
      engine_->RunDue();
      Commit();
    }
    clock_.AdvanceTo(end);
    for (auto& [id, group] : groups_) {
      group.remove_if([&](const FifoModelMessage& message) {
        return message.sent_at + kFifoRetention <= clock_.Now();
      });
    }
    DropEmptyGroups();
  }

  void Check() {
    QueueDepth expected;
    for (const auto& [id, group] : groups_) {
      for (const FifoModelMessage& message : group) {
        ++(message.available_at <= clock_.Now() ? expected.visible
                                                : expected.in_flight);
      }
    }
    const absl::StatusOr<QueueDepth> depth = engine_->Depth(kModelled);
    const absl::StatusOr<std::vector<PeekedMessage>> dead =
        engine_->Peek(kModelledDead, 10000);
    Commit();
    RC_ASSERT(depth.ok());
    RC_ASSERT(*depth == expected);
    RC_ASSERT(dead.ok());
    std::vector<std::string> bodies;
    for (const PeekedMessage& message : *dead) {
      bodies.push_back(message.message.content.body);
    }
    RC_ASSERT(bodies == dead_);
  }

 private:
  using Chosen = std::pair<FifoModelGroup*, FifoModelGroup::iterator>;

  void Commit() {
    const auto finish = engine_->Finish();
    const absl::Status committed = store_->Commit();
    RC_ASSERT(committed.ok());
    finish(committed);
  }

  bool IsVisible(const FifoModelMessage& message) const {
    return message.available_at <= clock_.Now();
  }

  // What is received next, in order; moves dead letters that are met.
  std::vector<FifoModelMessage*> Take(std::size_t most) {
    std::vector<FifoModelMessage*> taken;
    std::set<const FifoModelGroup*> visited;
    while (taken.size() < most) {
      FifoModelGroup* next = nullptr;
      for (auto& [id, group] : groups_) {
        if (group.empty() || visited.count(&group) > 0 ||
            !IsVisible(group.front())) {
          continue;
        }
        if (next == nullptr ||
            std::pair(group.front().available_at, group.front().number) <
                std::pair(next->front().available_at, next->front().number)) {
          next = &group;
        }
      }
      if (next == nullptr) break;
      visited.insert(next);
      auto message = next->begin();
      while (message != next->end() && IsVisible(*message) &&
             taken.size() < most) {
        if (message->receives < kMaxFifoReceives) {
          taken.push_back(&*message++);
        } else {
          dead_.push_back(message->body);
          message = next->erase(message);
        }
      }
    }
    DropEmptyGroups();
    return taken;
  }

  void DropEmptyGroups() {
    std::erase_if(groups_,
                  [](const auto& group) { return group.second.empty(); });
  }

  Chosen Choose(int choice) {
    std::vector<Chosen> all;
    for (auto& [id, group] : groups_) {
      for (auto message = group.begin(); message != group.end(); ++message) {
        all.emplace_back(&group, message);
      }
    }
    if (all.empty()) return {nullptr, {}};
    return all[choice % all.size()];
  }

  const bool in_groups_;
  time::SimulatedClock clock_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Engine> engine_;
  std::map<std::string, FifoModelGroup> groups_;
  std::map<std::string, KnownId> known_;
  std::vector<std::string> dead_;
  std::vector<std::string> old_handles_;
  std::string last_sequence_;
  int next_ = 0;
};

// **Feature: fifo-queues, Property 1: For any history of sends, receives,
// deletions, changes of visibility, passing time and restarts, every receive
// returns exactly the messages that the model returns, in its order: those of a
// group in the order in which they were sent, none while an earlier one is in
// flight; and a deduplication ID is accepted once in five minutes**
TEST(FifoProperty, BehavesAsTheModel) {
  int cases = 0;
  const bool holds = rc::check([&cases] {
    ++cases;
    FifoComparison run(*rc::gen::arbitrary<bool>());
    const auto steps = *rc::gen::container<std::vector<std::vector<int>>>(
        rc::gen::container<std::vector<int>>(3, rc::gen::inRange(0, 1000)));
    for (const std::vector<int>& step : steps) {
      const int a = step[1];
      const int b = step[2];
      switch (step[0] % 10) {
        case 0:
        case 1:
        case 2:
          run.Send(a % 4, b % 40);
          break;
        case 3:
        case 4:
          run.Receive(1 + a % 10, b % 40);
          break;
        case 5:
          run.Delete(a);
          break;
        case 6:
          run.ChangeVisibility(a, b % 40);
          break;
        case 7:
          run.Advance(a % 20 == 0 ? b * 700 : a * 20);
          break;
        case 8:
          run.UseOldHandle(a);
          break;
        default:
          run.Reopen();
          break;
      }
      run.Check();
    }
  });
  ASSERT_TRUE(holds) << "see the case above";
  EXPECT_GE(cases, kMinFifoCases);
}

}  // namespace
}  // namespace byoshin::local::sqs
