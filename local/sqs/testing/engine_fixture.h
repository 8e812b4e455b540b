// An engine on a simulated clock and a store in memory.
//
//   class SendTest : public EngineFixture {};
//   TEST_F(SendTest, ...) {
//     Create(kOrders);
//     Send("hello", absl::Seconds(5));
//     Advance(absl::Seconds(5));
//     EXPECT_EQ(Receive().size(), 1);
//   }
#ifndef BYOSHIN_LOCAL_SQS_TESTING_ENGINE_FIXTURE_H_
#define BYOSHIN_LOCAL_SQS_TESTING_ENGINE_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/message.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {

inline const absl::Time kStart = absl::FromUnixSeconds(1764670980);
inline const QueueAddress kOrders{.region = "eu-west-1", .name = "orders"};
inline const QueueAddress kDead{.region = "eu-west-1", .name = "dead"};
inline constexpr char kOrdersArn[] =
    "arn:aws:sqs:eu-west-1:000000000000:orders";
inline constexpr char kDeadArn[] = "arn:aws:sqs:eu-west-1:000000000000:dead";

// "Code: message", or "OK".
std::string Describe(const absl::Status& status);

// A message that is known to be good.
PreparedMessage Prepared(const NewMessage& message);

class EngineFixture : public testing::Test {
 public:
  EngineFixture();

  // What the engine's owner does after each piece of work.
  void Commit();
  // Lets time pass, and everything due happen when it is.
  void Advance(absl::Duration duration);
  // As a process that ends and starts again.
  void Reopen();

  absl::Status TryCreate(const QueueAddress& queue, const StringMap& attributes,
                         const StringMap& tags = {});
  void Create(const QueueAddress& queue, const StringMap& attributes = {});
  absl::Status Set(const QueueAddress& queue, const StringMap& attributes);
  std::string Attribute(const QueueAddress& queue, const std::string& name);

  // To the queue kOrders unless said otherwise; returns the message's id.
  std::string Send(absl::string_view body,
                   std::optional<absl::Duration> delay = std::nullopt,
                   const QueueAddress& queue = kOrders);

  struct ReceiveOptions {
    QueueAddress queue = kOrders;
    int max_messages = 10;
    std::optional<absl::Duration> visibility_timeout{};
  };
  std::vector<ReceivedMessage> Receive(const ReceiveOptions& options);
  std::vector<ReceivedMessage> Receive() { return Receive({}); }
  // The bodies of what it receives.
  std::vector<std::string> ReceiveBodies(const ReceiveOptions& options);
  std::vector<std::string> ReceiveBodies() { return ReceiveBodies({}); }
  // The error that receiving gives.
  std::string ReceiveError(const ReceiveOptions& options);

  absl::Status Delete(absl::string_view handle,
                      const QueueAddress& queue = kOrders);
  absl::Status Change(const std::string& handle, absl::Duration timeout,
                      const QueueAddress& queue = kOrders);
  QueueDepth Depth(const QueueAddress& queue = kOrders);

  time::SimulatedClock clock;
  std::unique_ptr<Store> store;
  std::unique_ptr<Engine> engine;

 private:
  ReceiveResult TryReceive(const ReceiveOptions& options);
};

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_TESTING_ENGINE_FIXTURE_H_
