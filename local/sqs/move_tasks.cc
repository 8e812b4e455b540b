// StartMessageMoveTask, ListMessageMoveTasks, CancelMessageMoveTask.
#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/gateway/error.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/keys.h"
#include "local/sqs/limits.h"
#include "local/sqs/message.h"
#include "local/sqs/queue.h"
#include "local/sqs/record.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {
namespace {

// The number of messages that a task without a rate limit moves between other
// work.
constexpr int kMovesPerStep = 100;

// Members of a task's handle.
constexpr char kTaskId[] = "taskId";
constexpr char kSourceArn[] = "sourceArn";

constexpr char kUnknownSource[] = "CouldNotDetermineMessageSource";

absl::Status NoSuchResource(absl::string_view parameter) {
  return ResourceNotFound(
      absl::StrCat("The resource that you specified for the ", parameter,
                   " parameter doesn't exist."));
}

bool IsRunning(const MoveTask& task) {
  return task.status == MoveTask::Status::kRunning;
}

struct TaskName {
  std::string id{};
  std::string source_arn{};
};

// nullopt if Engine::TaskHandleOf() can't have written it.
std::optional<TaskName> ParseTaskHandle(absl::string_view handle) {
  std::string text;
  if (!absl::Base64Unescape(handle, &text)) return std::nullopt;
  const absl::StatusOr<Json::Value> json = json::ParseValue(text);
  if (!json.ok() || !json->isObject() || !(*json)[kTaskId].isString() ||
      !(*json)[kSourceArn].isString()) {
    return std::nullopt;
  }
  return TaskName{.id = (*json)[kTaskId].asString(),
                  .source_arn = (*json)[kSourceArn].asString()};
}

}  // namespace

absl::Status Engine::LoadMoveTasks() {
  absl::Status damage;
  absl::Status scanned = store_.Scan(
      PrefixRange(kTaskPrefix), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view value) {
        const uint64_t number =
            RecordReader(key.substr(kTaskPrefix.size())).Number();
        RecordReader reader(value);
        RunningTask running;
        MoveTask& task = running.task;
        running.source = reader.Number();
        task.id = std::string(reader.Text());
        task.status = static_cast<MoveTask::Status>(reader.Number());
        task.source_arn = std::string(reader.Text());
        task.destination_arn = std::string(reader.Text());
        const uint64_t rate = reader.Number();
        if (rate > 0) task.max_per_second = static_cast<int64_t>(rate);
        task.moved = static_cast<int64_t>(reader.Number());
        task.to_move = static_cast<int64_t>(reader.Number());
        task.failure_reason = std::string(reader.Text());
        task.started_at = reader.Time();
        if (!reader.ok() || queues_by_id_.count(running.source) == 0) {
          damage = absl::DataLossError("a task in the store is damaged");
          return Store::Visit::kStop;
        }
        if (IsRunning(task)) running.next_step = clock_.Now();
        tasks_[number] = std::move(running);
        next_task_ = std::max(next_task_, number + 1);
        return Store::Visit::kContinue;
      });
  return damage.ok() ? scanned : damage;
}

void Engine::PutTask(uint64_t number, const RunningTask& running) {
  const MoveTask& task = running.task;
  std::string record;
  AppendNumber(running.source, record);
  AppendText(task.id, record);
  AppendNumber(static_cast<uint64_t>(task.status), record);
  AppendText(task.source_arn, record);
  AppendText(task.destination_arn, record);
  AppendNumber(static_cast<uint64_t>(task.max_per_second.value_or(0)), record);
  AppendNumber(static_cast<uint64_t>(task.moved), record);
  AppendNumber(static_cast<uint64_t>(task.to_move), record);
  AppendText(task.failure_reason, record);
  AppendTime(task.started_at, record);
  store_.Put(Key(kTaskPrefix, number), record).IgnoreError();
}

std::vector<uint64_t> Engine::TasksOf(uint64_t source) const {
  std::vector<uint64_t> numbers;
  for (const auto& [number, running] : tasks_) {
    if (running.source == source) numbers.push_back(number);
  }
  return numbers;
}

bool Engine::IsDeadLetterQueue(const Queue& queue) const {
  const std::string arn = ArnOf(queue.address(), options_.account_id);
  return std::any_of(queues_.begin(), queues_.end(), [&](const auto& other) {
    const auto& redrive = other.second->settings().redrive;
    return redrive.has_value() && redrive->target_arn == arn;
  });
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_StartMessageMoveTask.html
absl::StatusOr<std::string> Engine::StartMessageMoveTask(
    const StartMessageMoveTaskRequest& request) {
  if (request.max_per_second.has_value() &&
      (*request.max_per_second < 1 || *request.max_per_second > kMaxMoveRate)) {
    return InvalidParameterValue(absl::StrCat(
        "Value for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: "
        "Must be between 1 and ",
        kMaxMoveRate, "."));
  }
  const Queue* source = FindByArn(request.source_arn);
  if (source == nullptr) return NoSuchResource("SourceArn");
  if (!IsDeadLetterQueue(*source)) {
    return InvalidParameterValue(
        "Source queue must be configured as a Dead Letter Queue.");
  }
  if (!request.destination_arn.empty()) {
    const Queue* destination = FindByArn(request.destination_arn);
    if (destination == nullptr) return NoSuchResource("DestinationArn");
    if (destination == source) {
      return InvalidParameterValue(
          "Source queue arn and destination queue arn can't be the same.");
    }
    if (destination->kind() != source->kind()) {
      return InvalidParameterValue(
          "Source queue and destination queue must be of the same type.");
    }
  }
  for (const uint64_t number : TasksOf(source->id())) {
    if (IsRunning(tasks_.at(number).task)) {
      return InvalidParameterValue(
          "There is already a task running. Only one active task is allowed "
          "for a source queue arn at a given time.");
    }
  }
  const absl::Time now = clock_.Now();
  const uint64_t number = next_task_++;
  RunningTask& running = tasks_[number];
  running = {.task = {.id = random::NewUuid(),
                      .source_arn = request.source_arn,
                      .destination_arn = request.destination_arn,
                      .max_per_second = request.max_per_second,
                      .to_move = source->visible(),
                      .started_at = now},
             .source = source->id(),
             .next_step = now};
  PutTask(number, running);
  ForgetOldTasks(source->id());
  return TaskHandleOf(running.task);
}

void Engine::ForgetOldTasks(uint64_t source) {
  const std::vector<uint64_t> numbers = TasksOf(source);
  for (std::size_t i = 0; i + kMaxMoveTasksListed < numbers.size(); ++i) {
    store_.Delete(Key(kTaskPrefix, numbers[i])).IgnoreError();
    tasks_.erase(numbers[i]);
  }
}

std::string Engine::TaskHandleOf(const MoveTask& task) {
  Json::Value json(Json::objectValue);
  json[kTaskId] = task.id;
  json[kSourceArn] = task.source_arn;
  return absl::Base64Escape(json::WriteValue(json));
}

std::optional<std::string> Engine::SourceArnIn(absl::string_view task_handle) {
  const std::optional<TaskName> name = ParseTaskHandle(task_handle);
  if (!name.has_value()) return std::nullopt;
  return name->source_arn;
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ListMessageMoveTasks.html
absl::StatusOr<std::vector<MoveTask>> Engine::ListMessageMoveTasks(
    const ListMessageMoveTasksRequest& request) {
  const int64_t limit = request.max_results.value_or(1);
  if (limit < 1 || limit > kMaxMoveTasksListed) {
    return InvalidParameterValue(
        absl::StrCat("Value for parameter MaxResults is invalid. Reason: Must "
                     "be between 1 and ",
                     kMaxMoveTasksListed, "."));
  }
  const Queue* source = FindByArn(request.source_arn);
  if (source == nullptr) return NoSuchResource("SourceArn");
  std::vector<MoveTask> tasks;
  const std::vector<uint64_t> numbers = TasksOf(source->id());
  for (auto number = numbers.rbegin();
       number != numbers.rend() && tasks.size() < limit; ++number) {
    tasks.push_back(tasks_.at(*number).task);
  }
  return tasks;
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CancelMessageMoveTask.html
absl::StatusOr<int64_t> Engine::CancelMessageMoveTask(
    absl::string_view task_handle) {
  const std::optional<TaskName> name = ParseTaskHandle(task_handle);
  if (!name.has_value()) {
    return InvalidParameterValue("Value for parameter TaskHandle is invalid.");
  }
  const Queue* source = FindByArn(name->source_arn);
  if (source == nullptr) return NoSuchResource("SourceArn");
  for (const uint64_t number : TasksOf(source->id())) {
    RunningTask& running = tasks_.at(number);
    if (running.task.id != name->id) continue;
    if (!IsRunning(running.task)) {
      return InvalidParameterValue("Only active tasks can be cancelled.");
    }
    running.task.status = MoveTask::Status::kCancelled;
    running.next_step = absl::InfiniteFuture();
    PutTask(number, running);
    return running.task.moved;
  }
  return ResourceNotFound("Task does not exist.");
}

void Engine::RunMoveTasks() {
  const absl::Time now = clock_.Now();
  for (auto& [number, running] : tasks_) {
    if (running.next_step <= now) Step(number, running);
  }
}

void Engine::Step(uint64_t number, RunningTask& running) {
  MoveTask& task = running.task;
  Queue& source = *queues_by_id_.at(running.source);
  touched_.push_back(&source);
  CatchUp(source);
  const int moves = task.max_per_second.has_value() ? 1 : kMovesPerStep;
  for (int i = 0; i < moves && IsRunning(task); ++i) {
    const absl::StatusOr<bool> moved = MoveBack(source, task);
    if (!moved.ok()) {
      task.status = MoveTask::Status::kFailed;
      const ErrorAnswer error = ErrorAnswerOf(moved.status());
      task.failure_reason =
          error.query_code.empty() ? error.code : error.query_code;
    } else if (*moved) {
      ++task.moved;
    } else {
      task.status = MoveTask::Status::kCompleted;
    }
  }
  if (!IsRunning(task)) {
    running.next_step = absl::InfiniteFuture();
  } else if (task.max_per_second.has_value()) {
    running.next_step += absl::Seconds(1) / *task.max_per_second;
  }
  PutTask(number, running);
}

// Moves the first message. False if there is none.
absl::StatusOr<bool> Engine::MoveBack(Queue& source, const MoveTask& task) {
  const std::optional<uint64_t> number = source.FirstReceivable();
  if (!number.has_value()) return false;
  const absl::StatusOr<std::string> record = ReadRecord(source, *number);
  if (!record.ok()) return record.status();
  absl::string_view content;
  absl::StatusOr<MessageHeader> header =
      DecodeHeader(*record, source.kind(), &content);
  if (!header.ok()) return header.status();
  const std::string& destination_arn = task.destination_arn.empty()
                                           ? header->dead_letter_source
                                           : task.destination_arn;
  if (destination_arn.empty()) {
    return ServiceError({.code = kUnknownSource,
                         .query_code = kUnknownSource,
                         .message = "The message was not a dead letter."});
  }
  Queue* destination = FindByArn(destination_arn);
  if (destination == nullptr) return QueueDoesNotExist();
  // On AWS, it is a new message, but without delay. It is moved even if its
  // deduplication ID was used again meanwhile: nothing should be lost.
  MessageHeader moved{.deduplication_id = header->deduplication_id};
  Enqueue(*destination,
          {.content = std::string(content),
           .group_id = std::string(GroupOf(content))},
          absl::ZeroDuration(), moved);
  Drop(source, *number);
  return true;
}

}  // namespace byoshin::local::sqs
