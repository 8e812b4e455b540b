// What the dashboard and the commands are told about a StackCloud.
#ifndef BYOSHIN_LOCAL_STACK_CLOUD_SOURCE_H_
#define BYOSHIN_LOCAL_STACK_CLOUD_SOURCE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/history.h"
#include "local/dashboard/series.h"
#include "local/dashboard/source.h"
#include "local/dynamodb/dynamodb.h"
#include "local/events/events.h"
#include "local/lambda/counting_queues.h"
#include "local/lambda/lambda.h"
#include "local/sqs/sqs.h"
#include "local/stack/outcomes.h"
#include "local/stack/record_reader.h"
#include "local/stack/scheduler_parts.h"
#include "local/stack/slot_ticker.h"

namespace byoshin::local::stack {

// Thread-safe. Asks the services and waits for them, so it must not be called
// from their threads.
class CloudSource final : public dashboard::DashboardSource {
 public:
  // All outlive it.
  struct World {
    time::Clock& clock;
    sqs::Sqs& sqs;
    dynamodb::DynamoDb& dynamodb;
    lambda::Lambda& lambda;
    events::Events& events;
    const lambda::CountingQueues& queues;
    std::string region;
    // Where clients reach the cloud.
    std::function<std::string()> endpoint;
    // As StackCloudOptions::on_outcome; may be null.
    OutcomeReader::OnOutcome on_outcome = nullptr;
  };
  explicit CloudSource(World world);
  // As Stop().
  ~CloudSource() override;

  // `on_change` is called after each change, on any thread; it must not block,
  // nor call the source.
  void set_on_change(std::function<void()> on_change);

  // Asks the services no more by itself, and tells nobody of changes. To be
  // called while the services are still there. Calling it again is harmless.
  void Stop();

  // Ends the reading of records, and with an error whoever waits for them.
  void StopReading() { reader_.Stop(); }

  // Learns from a stack that was deployed which queues and functions there are,
  // and begins to read the records that its table holds. Until they are all
  // read, the status counts those that are; who asks for records waits.
  void Load(const cloudformation::Stack& stack);

  // A record has been stored. Does not block.
  void AddRecord(const dashboard::SlotRecord& record);

  // This slot and later ones are expected, before the schedule has fired.
  void ExpectSlotsFrom(absl::Time slot);

  // Of the deployed scheduler; zero if there is none.
  absl::Duration window_lag() const;

  std::uint64_t version() const override { return version_; }
  absl::StatusOr<dashboard::Status> GetStatus() override;
  dashboard::TimeRange ExpectedSlots() override;
  absl::Status VisitRecords(
      const dashboard::TimeRange& range,
      absl::FunctionRef<bool(const dashboard::SlotRecord&)> visit) override;
  absl::Status VisitSamples(
      const dashboard::TimeRange& range,
      absl::FunctionRef<void(const dashboard::QueueSample&)> visit) override;
  absl::StatusOr<std::vector<dashboard::Invocation>> Invocations(
      const dashboard::TimeRange& range, int limit) override;
  absl::StatusOr<dashboard::LogPage> Logs(
      const dashboard::LogQuery& query) override;
  absl::StatusOr<dashboard::DeadLetters> GetDeadLetters(int limit) override;
  absl::StatusOr<std::int64_t> Redrive(
      absl::string_view queue,
      const std::optional<std::vector<std::string>>& ids) override;
  absl::StatusOr<std::vector<std::string>> Tick(
      absl::string_view rule) override;
  absl::StatusOr<dashboard::ResetCounts> Reset() override;

 private:
  // More dead letters than this are counted, but not looked at.
  static constexpr std::size_t kMaxPeeked = 1000;

  struct Queue {
    std::string name{};
    std::string arn{};
    // Of its dead letters; empty if it has no such queue.
    std::string dead_letter_arn{};
    // What is in it has failed: in another queue, in a function that was
    // invoked asynchronously, or on its way from a rule.
    bool holds_dead_letters = false;
  };
  struct DeadLetterQueue {
    Queue queue{};
    // Where its messages came from, if that was a queue.
    std::optional<Queue> source{};
  };
  struct Function {
    std::string name{};
    std::string arn{};
  };
  struct Api {
    std::string name{};
    std::string id{};
    std::string stage{};
  };

  void Changed();
  std::vector<Queue> Queues() const;
  // Those first whose messages can be moved back.
  std::vector<DeadLetterQueue> DeadLetterQueues() const;
  std::vector<sqs::PeekedMessage> Peek(const std::string& arn,
                                       std::size_t limit);
  sqs::QueueDepth Depth(const std::string& arn);
  // In the same order.
  std::vector<sqs::QueueDepth> Depths(const std::vector<Queue>& queues);
  // When the scheduler's rule fired first; nothing if it has not.
  std::optional<absl::Time> FirstFired();
  // Looks at the queues.
  void TakeSample(absl::Time now);
  absl::StatusOr<std::int64_t> RedriveSome(const std::string& dead_arn,
                                           const std::string& source_arn,
                                           const std::vector<std::string>& ids);
  // The parts of Reset(); these answer how many there were.
  absl::StatusOr<std::int64_t> DeleteMessages();
  absl::StatusOr<std::int64_t> DeleteRecords();
  void RemoveLogs();
  void AddStored(const std::vector<dashboard::SlotRecord>& records);
  void AddLog(const logs::LogLine& line);
  void AddReport(const lambda::InvocationReport& report);

  const World world_;
  std::mutex on_change_mutex_;
  std::function<void()> on_change_;  // guarded by on_change_mutex_
  std::atomic<std::uint64_t> version_{1};
  logs::Logs::SubscriptionId log_subscription_ = 0;
  lambda::Lambda::ReportSubscription report_subscription_ = 0;

  mutable std::mutex mutex_;
  // All guarded by mutex_.
  std::vector<Queue> queues_;
  std::vector<Function> functions_;
  std::vector<Api> apis_;
  std::string table_;
  std::optional<SchedulerParts> scheduler_;
  std::optional<absl::Time> expected_from_;
  std::map<std::string, std::string> function_of_group_;
  // Of the functions and of the template.
  std::set<std::string> log_groups_;
  dashboard::RecordHistory records_;
  dashboard::LogHistory logs_{20000};
  dashboard::InvocationHistory invocations_{20000};
  dashboard::SampleHistory samples_{200000};
  dashboard::QueueSample last_sample_;
  std::int64_t sampled_retries_ = 0;
  bool stopping_ = false;

  // Null if nobody wants to hear of outcomes.
  const std::unique_ptr<OutcomeReader> outcomes_;
  // Last, so that all they use is there.
  RecordReader reader_;
  std::unique_ptr<SlotTicker> sampler_;
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_CLOUD_SOURCE_H_
