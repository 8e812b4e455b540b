#include "local/lambda/event_source_mapping.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"
#include "local/lambda/environment.h"
#include "local/lambda/log_streams.h"
#include "local/lambda/sqs_event.h"
#include "local/queues/queues.h"

namespace byoshin::local::lambda {
namespace {

constexpr int kMaxMessagesAtOnce = 10;  // SQS's limit
constexpr absl::Duration kReceiveRetryPause = absl::Seconds(1);
constexpr int kMaxBatchSize = 10000;
constexpr int kMaxBatchSizeWithoutWindow = 10;
constexpr absl::Duration kMaxBatchingWindow = absl::Seconds(300);
constexpr int kMinMaxConcurrency = 2;
constexpr int kMaxMaxConcurrency = 1000;

absl::Status Invalid(absl::string_view message) {
  return ServiceError({.code = "InvalidParameterValueException",
                       .message = std::string(message),
                       .json_members = R"("Type":"User")"});
}

std::vector<std::string> ReceiptHandlesOf(
    const std::vector<queues::QueueMessage>& messages) {
  std::vector<std::string> handles;
  handles.reserve(messages.size());
  for (const queues::QueueMessage& message : messages) {
    handles.push_back(message.receipt_handle);
  }
  return handles;
}

}  // namespace

absl::Status CheckMapping(const MappingConfig& config) {
  if (config.batch_size < 1 || config.batch_size > kMaxBatchSize) {
    return Invalid(absl::StrCat("BatchSize must be from 1 to ", kMaxBatchSize,
                                ", and is ", config.batch_size));
  }
  if (config.batching_window < absl::ZeroDuration() ||
      config.batching_window > kMaxBatchingWindow) {
    return Invalid(
        "MaximumBatchingWindowInSeconds must be from 0 to 300 seconds");
  }
  if (queues::IsFifoQueue(config.queue_arn) &&
      config.batching_window > absl::ZeroDuration()) {
    return Invalid("Batching window is not supported for FIFO queues");
  }
  if (config.batch_size > kMaxBatchSizeWithoutWindow &&
      config.batching_window < absl::Seconds(1)) {
    return Invalid(
        "Maximum batch window in seconds must be greater than 0 if maximum "
        "batch size is greater than 10");
  }
  if (config.max_concurrency.has_value() &&
      (*config.max_concurrency < kMinMaxConcurrency ||
       *config.max_concurrency > kMaxMaxConcurrency)) {
    return Invalid("MaximumConcurrency must be from 2 to 1000");
  }
  return absl::OkStatus();
}

// One batch is gathered at a time; batches that are full or have waited long
// enough run concurrently.
class EventSourceMapping::Core : public std::enable_shared_from_this<Core> {
 public:
  Core(World world, MappingConfig config)
      : world_(std::move(world)), config_(std::move(config)) {}

  absl::Status Start() {
    if (config_.state == MappingConfig::State::kDisabled) {
      return absl::OkStatus();
    }
    absl::StatusOr<queues::QueueSource::WatchId> watch = world_.queues.Watch(
        config_.queue_arn, [gate = world_.gate, weak = weak_from_this()] {
          gate->Submit([weak]() -> AfterCommit {
            if (const std::shared_ptr<Core> core = weak.lock()) {
              core->available_ = true;
              core->Pump();
            }
            return nullptr;
          });
        });
    if (!watch.ok()) return watch.status();
    watch_ = *watch;
    return absl::OkStatus();
  }

  void Begin() {
    begun_ = true;
    Pump();
  }

  void Stop() {
    if (watch_ != 0) world_.queues.Unwatch(std::exchange(watch_, 0));
    stopped_ = true;
    world_.loop.Cancel(std::exchange(window_timer_, 0));
    // Messages that were received and not executed become visible again.
    if (!batch_.empty()) {
      GiveBack(ReceiptHandlesOf(std::exchange(batch_, {})), [] {});
    }
  }

  void GiveBackBatches(std::function<void()> done) {
    std::vector<std::string> handles;
    for (const auto& [number, batch] : under_way_) {
      handles.insert(handles.end(), batch.begin(), batch.end());
    }
    if (handles.empty()) return done();
    GiveBack(std::move(handles), std::move(done));
  }

  void Pump();
  bool receiving() const { return receiving_; }
  const MappingConfig& config() const { return config_; }

 private:
  bool MayReceive();
  void HandleReceived(
      absl::StatusOr<std::vector<queues::QueueMessage>> messages);
  void EndReceiving();
  void RetryLater();
  void Execute();
  void HandleResult(const std::vector<queues::QueueMessage>& batch,
                    const absl::StatusOr<InvokeResult>& result);
  void Delete(std::vector<std::string> receipt_handles);
  void GiveBack(std::vector<std::string> receipt_handles,
                std::function<void()> done);
  void Log(absl::string_view text);

  const World world_;
  const MappingConfig config_;
  queues::QueueSource::WatchId watch_ = 0;
  bool may_receive_ = true;
  bool begun_ = false;
  bool stopped_ = false;
  bool available_ = false;  // there may be messages
  bool receiving_ = false;
  // Receipt handles of the batches that are executed, by the batch's number.
  std::map<std::int64_t, std::vector<std::string>> under_way_;
  std::int64_t last_batch_ = 0;
  std::vector<queues::QueueMessage> batch_;  // being gathered
  WorkLoop::TimerId window_timer_ = 0;
  bool window_over_ = false;
};

void EventSourceMapping::Core::Pump() {
  if (!begun_ || stopped_ || receiving_) return;
  const bool may_run = world_.executor.FreeCapacity(config_.function_arn) > 0 &&
                       static_cast<int>(under_way_.size()) <
                           config_.max_concurrency.value_or(kMaxMaxConcurrency);
  if (!may_run) return;
  const int room = config_.batch_size - static_cast<int>(batch_.size());
  if (!batch_.empty() && (room == 0 || window_over_)) return Execute();
  if (!available_) return;
  if (!MayReceive()) return RetryLater();
  receiving_ = true;
  available_ = false;
  world_.queues.Receive(
      config_.queue_arn, std::min(room, kMaxMessagesAtOnce),
      [gate = world_.gate, core = shared_from_this()](
          absl::StatusOr<std::vector<queues::QueueMessage>> messages) {
        gate->Submit([core, messages = std::move(messages)]() -> AfterCommit {
          core->HandleReceived(messages);
          return nullptr;
        });
      });
}

// The queue's policy may have changed since the mapping was made.
bool EventSourceMapping::Core::MayReceive() {
  const absl::Status allowed =
      world_.may_receive ? world_.may_receive() : absl::OkStatus();
  if (!allowed.ok() && may_receive_) {
    Log(absl::StrCat("may not receive from ", config_.queue_arn, ": ",
                     allowed.message()));
  }
  may_receive_ = allowed.ok();
  return may_receive_;
}

void EventSourceMapping::Core::HandleReceived(
    absl::StatusOr<std::vector<queues::QueueMessage>> messages) {
  if (stopped_) {
    if (!messages.ok() || messages->empty()) return EndReceiving();
    // They would otherwise stay invisible until their visibility timeout.
    return GiveBack(ReceiptHandlesOf(*messages),
                    [gate = world_.gate, core = shared_from_this()] {
                      gate->Submit([core]() -> AfterCommit {
                        core->EndReceiving();
                        return nullptr;
                      });
                    });
  }
  receiving_ = false;
  if (!messages.ok()) {
    Log(absl::StrCat("could not receive from ", config_.queue_arn, ": ",
                     messages.status().message()));
    RetryLater();
    return;
  }
  if (messages->empty()) return Pump();  // in case there was news meanwhile
  // Where some were, there may be more.
  available_ = true;
  if (batch_.empty() && config_.batching_window > absl::ZeroDuration()) {
    window_timer_ =
        world_.loop.At(world_.clock.Now() + config_.batching_window,
                       [weak = weak_from_this()]() -> AfterCommit {
                         if (const std::shared_ptr<Core> core = weak.lock()) {
                           core->window_timer_ = 0;
                           core->window_over_ = true;
                           core->Pump();
                         }
                         return nullptr;
                       });
  }
  for (queues::QueueMessage& message : *messages)
    batch_.push_back(std::move(message));
  if (config_.batching_window == absl::ZeroDuration()) window_over_ = true;
  Pump();
}

// After Stop().
void EventSourceMapping::Core::EndReceiving() {
  receiving_ = false;
  if (world_.on_idle) world_.on_idle();
}

// Messages that are already visible cause no further call.
void EventSourceMapping::Core::RetryLater() {
  world_.loop.At(world_.clock.Now() + kReceiveRetryPause,
                 [weak = weak_from_this()]() -> AfterCommit {
                   if (const std::shared_ptr<Core> core = weak.lock()) {
                     core->available_ = true;
                     core->Pump();
                   }
                   return nullptr;
                 });
}

void EventSourceMapping::Core::Execute() {
  world_.loop.Cancel(std::exchange(window_timer_, 0));
  window_over_ = false;
  const std::int64_t number = ++last_batch_;
  under_way_.emplace(number, ReceiptHandlesOf(batch_));
  InvokeRequest request{.payload = SqsEvent(batch_, config_.queue_arn)};
  world_.executor.Invoke(
      config_.function_arn, std::move(request),
      [core = shared_from_this(), number, batch = std::exchange(batch_, {})](
          const absl::StatusOr<InvokeResult>& result) {
        core->under_way_.erase(number);
        core->HandleResult(batch, result);
      });
  Pump();
}

void EventSourceMapping::Core::HandleResult(
    const std::vector<queues::QueueMessage>& batch,
    const absl::StatusOr<InvokeResult>& result) {
  if (!result.ok()) {
    Log(absl::StrCat("a batch of ", batch.size(),
                     " was not executed: ", result.status().message()));
    return Pump();
  }
  // A function error: the whole batch becomes visible after the timeout.
  if (result->function_error.empty()) {
    BatchOutcome outcome;
    if (config_.responses == MappingConfig::Responses::kIgnored) {
      outcome.succeeded = ReceiptHandlesOf(batch);
    } else {
      outcome = ReadBatchResponse(result->payload, batch);
    }
    if (!outcome.malformed.empty()) {
      Log(absl::StrCat(
          "RequestId: ", result->request_id,
          " the whole batch counts as failed: ", outcome.malformed));
    }
    if (outcome.succeeded.size() < batch.size() && world_.on_partial_failure) {
      world_.on_partial_failure();
    }
    if (!outcome.succeeded.empty()) Delete(std::move(outcome.succeeded));
  }
  Pump();
}

void EventSourceMapping::Core::Delete(
    std::vector<std::string> receipt_handles) {
  world_.queues.Delete(config_.queue_arn, std::move(receipt_handles),
                       [gate = world_.gate,
                        core = shared_from_this()](const absl::Status& status) {
                         if (status.ok()) return;
                         gate->Submit([core, status]() -> AfterCommit {
                           core->Log(absl::StrCat(
                               "executed messages could not be deleted and "
                               "will be received again: ",
                               status.message()));
                           return nullptr;
                         });
                       });
}

void EventSourceMapping::Core::GiveBack(
    std::vector<std::string> receipt_handles, std::function<void()> done) {
  // If that fails, they become visible after the queue's visibility timeout.
  world_.queues.GiveBack(
      config_.queue_arn, std::move(receipt_handles),
      [done = std::move(done)](const absl::Status&) { done(); });
}

// Into the function's log, where users look if messages are repeated.
void EventSourceMapping::Core::Log(absl::string_view text) {
  const FunctionConfig* function = world_.executor.Find(config_.function_arn);
  if (function == nullptr) return;
  world_.logs.Write(
      {.time = {},
       .group = LogGroupOf(*function),
       .stream = absl::StrCat(kEventSourceStream, config_.uuid),
       .text = absl::StrCat("EVENT SOURCE ", config_.queue_arn, ": ", text)});
}

EventSourceMapping::EventSourceMapping(std::shared_ptr<Core> core)
    : core_(std::move(core)) {}

absl::StatusOr<std::unique_ptr<EventSourceMapping>> EventSourceMapping::Start(
    World world, MappingConfig config) {
  if (absl::Status good = CheckMapping(config); !good.ok()) return good;
  auto core = std::make_shared<Core>(std::move(world), std::move(config));
  if (absl::Status started = core->Start(); !started.ok()) return started;
  return std::unique_ptr<EventSourceMapping>(
      new EventSourceMapping(std::move(core)));
}

EventSourceMapping::~EventSourceMapping() { core_->Stop(); }

void EventSourceMapping::Begin() { core_->Begin(); }

void EventSourceMapping::Stop() { core_->Stop(); }

void EventSourceMapping::GiveBackBatches(std::function<void()> done) {
  core_->GiveBackBatches(std::move(done));
}

bool EventSourceMapping::receiving() const { return core_->receiving(); }

const MappingConfig& EventSourceMapping::config() const {
  return core_->config();
}

void EventSourceMapping::Pump() { core_->Pump(); }

}  // namespace byoshin::local::lambda
