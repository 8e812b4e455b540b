// Random sequences of operations and of time passing, beside a model that is
// too simple to be wrong: a list of messages, each with the time from which it
// can be received.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
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

// How many rapidcheck tries can be changed from outside; a property that was
// hardly tried must not pass.
constexpr int kMinCases = 100;

constexpr int kMaxReceives = 3;
constexpr absl::Duration kRetention = absl::Seconds(600);

struct ModelMessage {
  absl::Time sent_at{};
  absl::Time available_at{};
  int receives = 0;
  std::string handle{};  // the newest
};

// By body, which is different for each.
using Model = std::map<std::string, ModelMessage>;

class Comparison {
 public:
  Comparison() : clock_(kStart), store_(*OpenSqliteStore({})) {
    Reopen();
    RC_ASSERT(engine_->CreateQueue({.queue = kDead}).ok());
    RC_ASSERT(engine_
                  ->CreateQueue(
                      {.queue = kOrders,
                       .attributes = {{"MessageRetentionPeriod", "600"},
                                      {"RedrivePolicy",
                                       absl::StrCat(
                                           R"({"deadLetterTargetArn":")",
                                           kDeadArn, R"(","maxReceiveCount":)",
                                           kMaxReceives, "}")}}})
                  .ok());
    Commit();
  }

  void Reopen() {
    engine_ = std::make_unique<Engine>(*store_, clock_, EngineOptions{});
    RC_ASSERT(engine_->Load().ok());
    Commit();
  }

  void Send(int delay_seconds) {
    const std::string body = absl::StrCat("message ", next_++);
    RC_ASSERT(engine_
                  ->SendMessage({.queue = kOrders,
                                 .message = Prepared(
                                     {.body = body,
                                      .delay = absl::Seconds(delay_seconds)})})
                  .ok());
    Commit();
    model_[body] = {
        .sent_at = clock_.Now(),
        .available_at = clock_.Now() + absl::Seconds(delay_seconds)};
  }

  void Receive(int most, int timeout_seconds) {
    Expire();
    std::optional<ReceiveResult> result;
    engine_->ReceiveMessage(
        {.queue = kOrders,
         .max_messages = most,
         .visibility_timeout = absl::Seconds(timeout_seconds)},
        [&](const ReceiveResult& answer) { result = answer; });
    Commit();
    RC_ASSERT(result.has_value() && result->ok());
    int receivable = 0;
    for (const auto& [body, message] : model_) {
      if (message.available_at <= clock_.Now() &&
          message.receives < kMaxReceives) {
        ++receivable;
      }
    }
    RC_ASSERT((*result)->size() == std::min(most, receivable));
    for (const ReceivedMessage& received : **result) {
      const auto found = model_.find(received.message.content.body);
      RC_ASSERT(found != model_.end());
      ModelMessage& message = found->second;
      RC_ASSERT(message.available_at <= clock_.Now());
      RC_ASSERT(received.receives == ++message.receives);
      message.handle = received.receipt_handle;
      message.available_at = clock_.Now() + absl::Seconds(timeout_seconds);
    }
    // Dead letters may have been moved out of the way, wherever they were met.
    const absl::StatusOr<std::vector<PeekedMessage>> dead_letters =
        engine_->Peek(kDead, 10000);
    RC_ASSERT(dead_letters.ok());
    for (const PeekedMessage& dead : *dead_letters) {
      const std::string& body = dead.message.content.body;
      if (dead_.insert(body).second) {
        const auto found = model_.find(body);
        RC_ASSERT(found != model_.end());
        RC_ASSERT(found->second.receives == kMaxReceives);
        RC_ASSERT(found->second.available_at <= clock_.Now());
        model_.erase(found);
      }
    }
    Commit();
  }

  void Delete(int choice) {
    const auto message = Choose(choice);
    if (message == model_.end() || message->second.handle.empty()) return;
    RC_ASSERT(engine_->DeleteMessage(kOrders, message->second.handle).ok());
    Commit();
    model_.erase(message);
  }

  void ChangeVisibility(int choice, int timeout_seconds) {
    Expire();
    const auto message = Choose(choice);
    if (message == model_.end() || message->second.handle.empty()) return;
    const absl::Status status = engine_->ChangeMessageVisibility(
        kOrders, {.receipt_handle = message->second.handle,
                  .timeout = absl::Seconds(timeout_seconds)});
    Commit();
    RC_ASSERT(status.ok());
    message->second.available_at =
        clock_.Now() + absl::Seconds(timeout_seconds);
  }

  void Advance(int milliseconds) {
    const absl::Time end = clock_.Now() + absl::Milliseconds(milliseconds);
    while (engine_->NextDue() <= end) {
      clock_.AdvanceTo(engine_->NextDue());
      engine_->RunDue();
      Commit();
    }
    clock_.AdvanceTo(end);
  }

  void CheckDepth() {
    Expire();
    QueueDepth expected;
    for (const auto& [body, message] : model_) {
      ++(message.available_at <= clock_.Now() ? expected.visible
         : message.receives == 0              ? expected.delayed
                                              : expected.in_flight);
    }
    const absl::StatusOr<QueueDepth> depth = engine_->Depth(kOrders);
    Commit();
    RC_ASSERT(depth.ok());
    RC_ASSERT(*depth == expected);
  }

 private:
  void Commit() {
    const auto finish = engine_->Finish();
    const absl::Status committed = store_->Commit();
    RC_ASSERT(committed.ok());
    finish(committed);
  }

  void Expire() {
    for (auto message = model_.begin(); message != model_.end();) {
      const bool expired = message->second.sent_at + kRetention <= clock_.Now();
      message = expired ? model_.erase(message) : std::next(message);
    }
  }

  Model::iterator Choose(int choice) {
    if (model_.empty()) return model_.end();
    return std::next(model_.begin(), choice % model_.size());
  }

  time::SimulatedClock clock_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Engine> engine_;
  Model model_;
  std::set<std::string> dead_;
  int next_ = 0;
};

TEST(EngineProperty, LosesNoMessageAndShowsNoneTooEarly) {
  int cases = 0;
  const bool holds = rc::check([&cases] {
    ++cases;
    Comparison run;
    const auto steps = *rc::gen::container<std::vector<std::vector<int>>>(
        rc::gen::container<std::vector<int>>(3, rc::gen::inRange(0, 1000)));
    for (const std::vector<int>& step : steps) {
      const int a = step[1];
      const int b = step[2];
      switch (step[0] % 8) {
        case 0:
        case 1:
          run.Send(a % 2 == 0 ? 0 : b % 30);
          break;
        case 2:
        case 3:
          run.Receive(1 + a % 10, b % 40);
          break;
        case 4:
          run.Delete(a);
          break;
        case 5:
          run.ChangeVisibility(a, b % 40);
          break;
        case 6:
          run.Advance(a % 20 == 0 ? b * 700 : a * 20);
          break;
        default:
          run.Reopen();
          break;
      }
      run.CheckDepth();
    }
  });
  ASSERT_TRUE(holds) << "see the case above";
  EXPECT_GE(cases, kMinCases);
}

}  // namespace
}  // namespace byoshin::local::sqs
