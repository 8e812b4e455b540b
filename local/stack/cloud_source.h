// What the dashboard and the commands are told about a StackCloud.
#ifndef BYOSHIN_LOCAL_STACK_CLOUD_SOURCE_H_
#define BYOSHIN_LOCAL_STACK_CLOUD_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "core/time/ticker.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/history.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/queue_series.h"
#include "local/dashboard/source.h"
#include "local/dashboard/time_range.h"
#include "local/events/events.h"
#include "local/lambda/counting_queues.h"
#include "local/lambda/lambda.h"
#include "local/logs/logs.h"
#include "local/sqs/sqs.h"
#include "local/stack/outcomes.h"
#include "local/stack/stack_view.h"

namespace byoshin::local::stack {

// Thread-safe. Asks the services and waits for them, so it must not be called
// from their threads.
class CloudSource final : public dashboard::DashboardSource {
 public:
  // All outlive it.
  struct World {
    time::Clock& clock;
    sqs::Sqs& sqs;
    lambda::Lambda& lambda;
    events::Events& events;
    const lambda::CountingQueues& queues;
    // Notified of every change.
    dashboard::Changes& changes;
    std::string region;
    // Where clients reach the cloud.
    std::function<std::string()> endpoint;
    // The value of the API key with this id.
    std::function<std::string(absl::string_view id)> key_value;
    std::function<absl::StatusOr<dashboard::RemovedStack>(
        const std::string& stack)>
        remove_stack;
    // As StackCloudOptions::on_outcome; may be null.
    OutcomeReader::OnOutcome on_outcome = nullptr;
  };
  explicit CloudSource(World world);
  // As Stop().
  ~CloudSource() override;

  // Stops sampling the services. To be called before they are destroyed.
  // Calling it again is harmless.
  void Stop();

  // Learns what a stack consists of that has been deployed, or deleted.
  void Load(const cloudformation::Stack& stack);

  std::uint64_t version() const override { return world_.changes.version(); }
  absl::StatusOr<dashboard::Status> GetStatus() override;
  absl::Status VisitSamples(
      const dashboard::TimeRange& range,
      absl::FunctionRef<void(const dashboard::QueueSample&)> visit) override;
  absl::StatusOr<std::vector<dashboard::Invocation>> Invocations(
      const dashboard::TimeRange& range, int limit) override;
  absl::StatusOr<dashboard::LogPage> Logs(
      const dashboard::LogQuery& query) override;
  absl::StatusOr<dashboard::DeadLetters> GetDeadLetters(int limit) override;
  absl::StatusOr<std::int64_t> Redrive(
      const dashboard::QueueName& name,
      const std::optional<std::vector<std::string>>& ids) override;
  absl::StatusOr<std::vector<std::string>> Tick(
      absl::string_view rule) override;
  absl::StatusOr<std::int64_t> Reset() override;
  absl::StatusOr<dashboard::RemovedStack> Remove(
      const std::string& stack) override {
    return world_.remove_stack(stack);
  }
  absl::StatusOr<std::string> DescribeStacks() override;

 private:
  using Queue = StackView::Queue;

  // More dead letters than this are counted, but not looked at.
  static constexpr std::size_t kMaxPeeked = 1000;

  struct DeadLetterQueue {
    Queue queue{};
    // Where its messages came from, if that was a queue.
    std::optional<Queue> source{};
  };

  // Of all stacks, in the order of their names.
  std::vector<Queue> Queues() const;
  // Those first whose messages can be moved back.
  std::vector<DeadLetterQueue> DeadLetterQueues() const;
  absl::StatusOr<DeadLetterQueue> FindDeadLetters(
      const dashboard::QueueName& name) const;
  std::vector<sqs::PeekedMessage> Peek(const std::string& arn,
                                       std::size_t limit);
  sqs::QueueDepth Depth(const std::string& arn);
  // In the same order.
  std::vector<sqs::QueueDepth> Depths(const std::vector<Queue>& queues);
  void AddQueues(dashboard::Status& status);
  void AddFunctions(dashboard::Status& status);
  // Looks at the queues.
  void TakeSample(absl::Time now);
  absl::StatusOr<std::int64_t> RedriveSome(const std::string& dead_arn,
                                           const std::string& source_arn,
                                           const std::vector<std::string>& ids);
  // The parts of Reset().
  absl::StatusOr<std::int64_t> DeleteMessages();
  void RemoveLogs();
  void AddLog(const logs::LogLine& line);
  void AddReport(const lambda::InvocationReport& report);

  const World world_;
  logs::Logs::SubscriptionId log_subscription_ = 0;
  lambda::Lambda::ReportSubscription report_subscription_ = 0;

  mutable sync::Mutex mutex_;
  struct Loaded {
    cloudformation::Stack stack{};
    StackView view{};
  };
  std::map<std::string, Loaded> stacks_ ABSL_GUARDED_BY(mutex_);  // by name
  dashboard::LogHistory logs_ ABSL_GUARDED_BY(mutex_){
      {.lines = 20'000, .bytes = std::size_t{8} << 20}};
  dashboard::InvocationHistory invocations_ ABSL_GUARDED_BY(mutex_){20000};
  dashboard::SampleHistory samples_ ABSL_GUARDED_BY(mutex_){200000};
  dashboard::QueueSample last_sample_ ABSL_GUARDED_BY(mutex_);
  std::int64_t sampled_retries_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;

  // Null without World::on_outcome.
  const std::unique_ptr<OutcomeReader> outcomes_;
  // Last, so that all it uses is there.
  std::unique_ptr<time::Ticker> sampler_;
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_CLOUD_SOURCE_H_
