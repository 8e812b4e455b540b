#include "local/stack/cloud_source.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "core/time/ticker.h"
#include "local/apigateway/address.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/quantiles.h"
#include "local/dashboard/queue_series.h"
#include "local/logs/logs.h"
#include "local/stack/stack_view.h"

namespace byoshin::local::stack {
namespace {

dashboard::Outcome OutcomeOf(lambda::InvocationReport::Outcome outcome) {
  using Outcome = lambda::InvocationReport::Outcome;
  switch (outcome) {
    case Outcome::kSuccess:
      return dashboard::Outcome::kOk;
    case Outcome::kTimeout:
      return dashboard::Outcome::kTimeout;
    default:
      return dashboard::Outcome::kError;
  }
}

}  // namespace

CloudSource::CloudSource(World world)
    : world_(std::move(world)),
      outcomes_(world_.on_outcome
                    ? std::make_unique<OutcomeReader>(world_.on_outcome)
                    : nullptr) {
  log_subscription_ = world_.lambda.logs().Subscribe(
      [this](const logs::LogLine& line) { AddLog(line); });
  report_subscription_ = world_.lambda.SubscribeReports(
      [this](const lambda::InvocationReport& report) { AddReport(report); });
  sampler_ = std::make_unique<time::Ticker>(
      world_.clock, dashboard::kSampleInterval,
      [this](absl::Time now) { TakeSample(now); });
}

CloudSource::~CloudSource() { Stop(); }

void CloudSource::Stop() {
  {
    const sync::MutexLock lock(mutex_);
    if (std::exchange(stopping_, true)) return;
  }
  sampler_.reset();
  world_.lambda.logs().Unsubscribe(log_subscription_);
  world_.lambda.UnsubscribeReports(report_subscription_);
}

void CloudSource::Load(const cloudformation::Stack& stack) {
  Loaded loaded{.stack = stack, .view = ViewOf(stack)};
  {
    const sync::MutexLock lock(mutex_);
    if (stack.status == cloudformation::status::kDeleteComplete) {
      stacks_.erase(stack.name);
    } else {
      stacks_[stack.name] = std::move(loaded);
    }
  }
  world_.changes.Note();
}

void CloudSource::AddLog(const logs::LogLine& line) {
  std::string function = line.group;
  {
    const sync::MutexLock lock(mutex_);
    for (const auto& [name, stack] : stacks_) {
      const auto found = stack.view.function_of_log_group.find(line.group);
      if (found != stack.view.function_of_log_group.end()) {
        function = found->second;
      }
    }
    logs_.Add(line.time, function, line.text);
  }
  if (outcomes_ != nullptr) outcomes_->AddLine(function, line);
  world_.changes.Note();
}

void CloudSource::AddReport(const lambda::InvocationReport& report) {
  {
    const sync::MutexLock lock(mutex_);
    invocations_.Add({.start = report.started,
                      .function = report.function_name,
                      .request_id = report.request_id,
                      .duration = report.duration,
                      .init = report.init_duration,
                      .outcome = OutcomeOf(report.outcome)});
  }
  if (outcomes_ != nullptr) outcomes_->AddReport(world_.clock.Now(), report);
  world_.changes.Note();
}

std::vector<CloudSource::Queue> CloudSource::Queues() const {
  const sync::MutexLock lock(mutex_);
  std::vector<Queue> queues;
  for (const auto& [name, stack] : stacks_) {
    queues.insert(queues.end(), stack.view.queues.begin(),
                  stack.view.queues.end());
  }
  return queues;
}

std::vector<CloudSource::DeadLetterQueue> CloudSource::DeadLetterQueues()
    const {
  std::vector<DeadLetterQueue> all;
  const std::vector<Queue> queues = Queues();
  for (const Queue& dead : queues) {
    if (!dead.holds_dead_letters) continue;
    const auto source = std::find_if(
        queues.begin(), queues.end(),
        [&](const Queue& queue) { return queue.dead_letter_arn == dead.arn; });
    all.push_back({.queue = dead});
    if (source != queues.end()) all.back().source = *source;
  }
  std::stable_partition(
      all.begin(), all.end(),
      [](const DeadLetterQueue& dead) { return dead.source.has_value(); });
  return all;
}

sqs::QueueDepth CloudSource::Depth(const std::string& arn) {
  return async::Await<absl::StatusOr<sqs::QueueDepth>>(
             [&](auto done) { world_.sqs.Depth(arn, done); })
      .value_or(sqs::QueueDepth());
}

std::vector<sqs::PeekedMessage> CloudSource::Peek(const std::string& arn,
                                                  std::size_t limit) {
  return async::Await<absl::StatusOr<std::vector<sqs::PeekedMessage>>>(
             [&](auto done) { world_.sqs.Peek(arn, limit, done); })
      .value_or(std::vector<sqs::PeekedMessage>());
}

absl::StatusOr<dashboard::Status> CloudSource::GetStatus() {
  dashboard::Status status{.now = world_.clock.Now()};
  AddQueues(status);
  AddFunctions(status);
  const sync::MutexLock lock(mutex_);
  for (const auto& [name, stack] : stacks_) {
    status.stacks.push_back({.name = name,
                             .description = stack.view.description,
                             .status = stack.view.status});
    for (const StackView::Api& api : stack.view.apis) {
      status.apis.push_back(
          {.stack = name,
           .name = api.name,
           .url = apigateway::StageUrl(world_.endpoint(), api.id, api.stage)});
    }
  }
  status.last_log = logs_.last_id();
  return status;
}

void CloudSource::AddQueues(dashboard::Status& status) {
  const std::vector<Queue> queues = Queues();
  const std::vector<sqs::QueueDepth> depths = Depths(queues);
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const Queue& queue = queues[i];
    const sqs::QueueDepth& depth = depths[i];
    dashboard::QueueStatus& row = status.queues.emplace_back();
    row = {.stack = queue.stack,
           .name = queue.name,
           .visible = depth.visible,
           .delayed = depth.delayed,
           .in_flight = depth.in_flight,
           .retries = world_.queues.retries(queue.arn),
           .holds_dead_letters = queue.holds_dead_letters};
    const std::vector<sqs::PeekedMessage> oldest = Peek(queue.arn, 1);
    if (!oldest.empty()) row.oldest = oldest.front().message.header.sent_at;
    for (const Queue& dead : queues) {
      if (dead.arn == queue.dead_letter_arn) row.dead_letter_queue = dead.name;
    }
    if (queue.holds_dead_letters) {
      status.dead_letters += depth.visible + depth.delayed + depth.in_flight;
    }
  }
}

void CloudSource::AddFunctions(dashboard::Status& status) {
  std::vector<StackView::Function> functions;
  {
    const sync::MutexLock lock(mutex_);
    for (const auto& [name, stack] : stacks_) {
      functions.insert(functions.end(), stack.view.functions.begin(),
                       stack.view.functions.end());
    }
  }
  for (const StackView::Function& function : functions) {
    const lambda::FunctionStatistics statistics =
        world_.lambda.Statistics(function.arn);
    std::vector<absl::Duration> durations;
    std::vector<absl::Duration> inits;
    for (const lambda::InvocationReport& report : statistics.recent) {
      durations.push_back(report.duration);
      if (report.init_duration) inits.push_back(*report.init_duration);
    }
    status.functions.push_back(
        {.stack = function.stack,
         .name = function.name,
         .invocations = statistics.invocations,
         .errors = statistics.errors - statistics.timeouts,
         .timeouts = statistics.timeouts,
         .partial_failures = statistics.partial_failures,
         .throttles = statistics.throttles,
         .cold_starts = statistics.cold_starts,
         .environments = statistics.environments,
         .duration = dashboard::QuantilesOf(durations),
         .init = dashboard::QuantilesOf(inits)});
  }
}

absl::StatusOr<std::string> CloudSource::DescribeStacks() {
  Json::Value answer;
  answer["stacks"] = Json::arrayValue;
  const DescribeWorld world{.endpoint = world_.endpoint(),
                            .key_value = world_.key_value};
  const sync::MutexLock lock(mutex_);
  for (const auto& [name, loaded] : stacks_) {
    answer["stacks"].append(DescribeStack(loaded.stack, world));
  }
  return json::WriteValue(answer);
}

absl::Status CloudSource::VisitSamples(
    const dashboard::TimeRange& range,
    absl::FunctionRef<void(const dashboard::QueueSample&)> visit) {
  const sync::MutexLock lock(mutex_);
  for (const dashboard::QueueSample& sample : samples_.items()) {
    if (sample.time >= range.from && sample.time < range.to) visit(sample);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<dashboard::Invocation>> CloudSource::Invocations(
    const dashboard::TimeRange& range, int limit) {
  const sync::MutexLock lock(mutex_);
  return invocations_.Newest(range, limit);
}

absl::StatusOr<dashboard::LogPage> CloudSource::Logs(
    const dashboard::LogQuery& query) {
  const sync::MutexLock lock(mutex_);
  return logs_.Find(query);
}

absl::StatusOr<dashboard::DeadLetters> CloudSource::GetDeadLetters(int limit) {
  dashboard::DeadLetters letters;
  for (const auto& [dead, source] : DeadLetterQueues()) {
    const sqs::QueueDepth depth = Depth(dead.arn);
    const std::int64_t held = depth.visible + depth.delayed + depth.in_flight;
    letters.total += held;
    if (source.has_value()) letters.redrivable += held;
    const std::size_t room = limit - letters.messages.size();
    for (const sqs::PeekedMessage& peeked :
         Peek(dead.arn, std::min(room, kMaxPeeked))) {
      letters.messages.push_back({.stack = dead.stack,
                                  .queue = dead.name,
                                  .source = source ? source->name : "",
                                  .id = peeked.message.header.id,
                                  .sent = peeked.message.header.sent_at,
                                  .receives = peeked.receives,
                                  .body = peeked.message.content.body});
    }
  }
  return letters;
}

}  // namespace byoshin::local::stack
