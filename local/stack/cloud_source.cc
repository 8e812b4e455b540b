#include "local/stack/cloud_source.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/scheduler/constants.h"
#include "local/apigateway/front.h"
#include "local/cloudformation/properties.h"
#include "local/lambda/environment.h"
#include "local/logs/logs.h"

namespace byoshin::local::stack {
namespace {

// Looked at in one go: a slot that is being stored must not wait until somebody
// has looked at a month of them.
constexpr std::size_t kRecordsAtATime = 4096;
constexpr char kDeadLetterTarget[] = "RedrivePolicy.deadLetterTargetArn";

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

// Where the stack sends what has failed, as ARNs: dead letters of queues,
// asynchronous invocations that were given up, events that could not be
// delivered.
std::set<std::string> FailureDestinations(const cloudformation::Stack& stack) {
  std::set<std::string> arns;
  const auto add = [&](const Json::Value& properties, absl::string_view path) {
    arns.insert(cloudformation::TextProperty(properties, path).value_or(""));
  };
  for (const auto& [id, resource] : stack.resources) {
    if (resource.type == "AWS::SQS::Queue") {
      add(resource.properties, kDeadLetterTarget);
    } else if (resource.type == "AWS::Lambda::EventInvokeConfig") {
      add(resource.properties, "DestinationConfig.OnFailure.Destination");
    } else if (resource.type == "AWS::Events::Rule") {
      for (const Json::Value& target : resource.properties["Targets"]) {
        add(target, "DeadLetterConfig.Arn");
      }
    }
  }
  return arns;
}

// Whether it is a table with the keys of the scheduler's records: there may be
// others.
bool HoldsRecords(const cloudformation::StackResource& resource) {
  if (resource.type != "AWS::DynamoDB::Table") return false;
  std::set<std::string> keys;
  for (const Json::Value& key : resource.properties["KeySchema"]) {
    keys.insert(
        cloudformation::TextProperty(key, "AttributeName").value_or(""));
  }
  return keys == std::set<std::string>{scheduler::kMetricNameKey,
                                       scheduler::kSlotTimeKey};
}

}  // namespace

CloudSource::CloudSource(World world)
    : world_(std::move(world)),
      outcomes_(world_.on_outcome
                    ? std::make_unique<OutcomeReader>(world_.on_outcome)
                    : nullptr),
      reader_(world_.dynamodb, world_.region,
              [this](const std::vector<dashboard::SlotRecord>& records) {
                AddStored(records);
              }) {
  log_subscription_ = world_.lambda.logs().Subscribe(
      [this](const logs::LogLine& line) { AddLog(line); });
  report_subscription_ = world_.lambda.SubscribeReports(
      [this](const lambda::InvocationReport& report) { AddReport(report); });
  sampler_ = std::make_unique<SlotTicker>(
      world_.clock, [this](absl::Time now) { TakeSample(now); });
}

CloudSource::~CloudSource() { Stop(); }

void CloudSource::Stop() {
  StopReading();
  set_on_change(nullptr);
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(stopping_, true)) return;
  }
  sampler_.reset();
  world_.lambda.logs().Unsubscribe(log_subscription_);
  world_.lambda.UnsubscribeReports(report_subscription_);
}

void CloudSource::set_on_change(std::function<void()> on_change) {
  std::lock_guard lock(on_change_mutex_);
  on_change_ = std::move(on_change);
}

void CloudSource::Changed() {
  ++version_;
  std::lock_guard lock(on_change_mutex_);
  if (on_change_) on_change_();
}

void CloudSource::Load(const cloudformation::Stack& stack) {
  const std::set<std::string> failure_destinations = FailureDestinations(stack);
  std::vector<Queue> queues;
  std::vector<Function> functions;
  std::vector<Api> apis;
  std::map<std::string, std::string> groups;
  std::set<std::string> log_groups;
  std::string table;
  for (const auto& [id, resource] : stack.resources) {
    if (resource.type == "AWS::SQS::Queue") {
      const std::string arn = cloudformation::ArnAttribute(resource);
      queues.push_back(
          {.name = id,
           .arn = arn,
           .dead_letter_arn = cloudformation::TextProperty(resource.properties,
                                                           kDeadLetterTarget)
                                  .value_or(""),
           .holds_dead_letters = failure_destinations.contains(arn)});
    } else if (resource.type == "AWS::Lambda::Function") {
      functions.push_back({.name = resource.state.physical_id,
                           .arn = cloudformation::ArnAttribute(resource)});
      groups[lambda::LogGroupOf(
          {.name = resource.state.physical_id,
           .logging = {.group =
                           cloudformation::TextProperty(
                               resource.properties, "LoggingConfig.LogGroup")
                               .value_or("")}})] = resource.state.physical_id;
    } else if (resource.type == "AWS::Logs::LogGroup") {
      log_groups.insert(resource.state.physical_id);
    } else if (HoldsRecords(resource)) {
      table = resource.state.physical_id;
    } else if (resource.type == "AWS::ApiGateway::Stage") {
      apis.push_back(
          {.id = cloudformation::TextProperty(resource.properties, "RestApiId")
                     .value_or(""),
           .stage = resource.state.physical_id});
    }
  }
  for (Api& api : apis) {
    for (const auto& [id, resource] : stack.resources) {
      if (resource.type != "AWS::ApiGateway::RestApi" ||
          resource.state.physical_id != api.id) {
        continue;
      }
      api.name = cloudformation::TextProperty(resource.properties, "Name")
                     .value_or(id);
    }
  }
  for (const auto& [group, function] : groups) log_groups.insert(group);
  {
    std::lock_guard lock(mutex_);
    queues_ = std::move(queues);
    functions_ = std::move(functions);
    apis_ = std::move(apis);
    function_of_group_ = std::move(groups);
    log_groups_ = std::move(log_groups);
    table_ = table;
    scheduler_ = FindScheduler(stack);
  }
  if (!table.empty()) reader_.Start(table);
  Changed();
}

void CloudSource::AddStored(const std::vector<dashboard::SlotRecord>& records) {
  {
    std::lock_guard lock(mutex_);
    for (const dashboard::SlotRecord& record : records) records_.Add(record);
  }
  Changed();
}

void CloudSource::AddRecord(const dashboard::SlotRecord& record) {
  {
    std::lock_guard lock(mutex_);
    records_.Add(record);
  }
  Changed();
}

void CloudSource::AddLog(const logs::LogLine& line) {
  std::string function = line.group;
  {
    std::lock_guard lock(mutex_);
    const auto found = function_of_group_.find(line.group);
    if (found != function_of_group_.end()) function = found->second;
    logs_.Add(line.time, function, line.text);
  }
  if (outcomes_ != nullptr) outcomes_->AddLine(function, line);
  Changed();
}

void CloudSource::AddReport(const lambda::InvocationReport& report) {
  {
    std::lock_guard lock(mutex_);
    invocations_.Add({.start = report.started,
                      .function = report.function_name,
                      .request_id = report.request_id,
                      .duration = report.duration,
                      .init = report.init_duration,
                      .outcome = OutcomeOf(report.outcome)});
  }
  if (outcomes_ != nullptr) outcomes_->AddReport(world_.clock.Now(), report);
  Changed();
}

std::vector<CloudSource::Queue> CloudSource::Queues() const {
  std::lock_guard lock(mutex_);
  return queues_;
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
  const std::vector<Queue> queues = Queues();
  const std::vector<sqs::QueueDepth> depths = Depths(queues);
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const Queue& queue = queues[i];
    const sqs::QueueDepth& depth = depths[i];
    dashboard::QueueStatus& row = status.queues.emplace_back();
    row = {.name = queue.name,
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

  std::vector<Function> functions;
  status.expected = ExpectedSlots();
  status.window_lag = window_lag();
  const bool all_read = reader_.HasReadAll();
  {
    std::lock_guard lock(mutex_);
    functions = functions_;
    for (const Api& api : apis_) {
      status.apis.push_back(
          {.name = api.name,
           .url = apigateway::StageUrl(world_.endpoint(), api.id, api.stage)});
    }
    status.records = records_.status();
    if (all_read) {
      // No record is older than the first slot that is expected.
      status.records.missing =
          dashboard::CountSlots(status.expected) -
          (status.records.total - records_.CountFrom(status.expected.to));
    }
    status.last_log = logs_.last_id();
  }
  for (const Function& function : functions) {
    const lambda::FunctionStatistics statistics =
        world_.lambda.Statistics(function.arn);
    std::vector<absl::Duration> durations;
    std::vector<absl::Duration> inits;
    for (const lambda::InvocationReport& report : statistics.recent) {
      durations.push_back(report.duration);
      if (report.init_duration) inits.push_back(*report.init_duration);
    }
    status.functions.push_back(
        {.name = function.name,
         .invocations = statistics.invocations,
         .errors = statistics.errors - statistics.timeouts,
         .timeouts = statistics.timeouts,
         .throttles = statistics.throttles,
         .cold_starts = statistics.cold_starts,
         .idle = statistics.environments,
         .duration = dashboard::QuantilesOf(durations),
         .init = dashboard::QuantilesOf(inits)});
  }
  return status;
}

absl::Status CloudSource::VisitRecords(
    const dashboard::TimeRange& range,
    absl::FunctionRef<bool(const dashboard::SlotRecord&)> visit) {
  if (absl::Status read = reader_.AwaitSince(range.from); !read.ok()) {
    return read;
  }
  dashboard::TimeRange rest = range;
  std::vector<dashboard::SlotRecord> piece;
  do {
    piece.clear();
    {
      std::lock_guard lock(mutex_);
      records_.Visit(rest, [&](const dashboard::SlotRecord& record) {
        piece.push_back(record);
        return piece.size() < kRecordsAtATime;
      });
    }
    for (const dashboard::SlotRecord& record : piece) {
      if (!visit(record)) return absl::OkStatus();
      rest.from = record.slot + absl::Nanoseconds(1);
    }
  } while (piece.size() == kRecordsAtATime);
  return absl::OkStatus();
}

absl::Status CloudSource::VisitSamples(
    const dashboard::TimeRange& range,
    absl::FunctionRef<void(const dashboard::QueueSample&)> visit) {
  std::lock_guard lock(mutex_);
  for (const dashboard::QueueSample& sample : samples_.items()) {
    if (sample.time >= range.from && sample.time < range.to) visit(sample);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<dashboard::Invocation>> CloudSource::Invocations(
    const dashboard::TimeRange& range, int limit) {
  std::lock_guard lock(mutex_);
  return invocations_.Newest(range, limit);
}

absl::StatusOr<dashboard::LogPage> CloudSource::Logs(
    const dashboard::LogQuery& query) {
  std::lock_guard lock(mutex_);
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
      letters.messages.push_back({.queue = dead.name,
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
