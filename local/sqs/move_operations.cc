// The parameters and answers of the operations in move_tasks.cc, which names
// AWS's documentation of each.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/json_fields.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/operation.h"
#include "local/sqs/output.h"

namespace byoshin::local::sqs {
namespace {

absl::string_view NameOf(MoveTask::Status status) {
  switch (status) {
    case MoveTask::Status::kRunning:
      return "RUNNING";
    case MoveTask::Status::kCompleted:
      return "COMPLETED";
    case MoveTask::Status::kCancelled:
      return "CANCELLED";
    case MoveTask::Status::kFailed:
      break;
  }
  return "FAILED";
}

void WriteTask(const MoveTask& task, Output& out) {
  out.BeginItem();
  // Only a running task can be cancelled, which is what the handle is for.
  if (task.status == MoveTask::Status::kRunning) {
    out.Text("TaskHandle", Engine::TaskHandleOf(task));
  }
  out.Text("Status", NameOf(task.status));
  out.Text("SourceArn", task.source_arn);
  out.TextUnlessEmpty("DestinationArn", task.destination_arn);
  if (task.max_per_second.has_value()) {
    out.Integer("MaxNumberOfMessagesPerSecond", *task.max_per_second);
  }
  out.Integer("ApproximateNumberOfMessagesMoved", task.moved);
  out.Integer("ApproximateNumberOfMessagesToMove", task.to_move);
  out.TextUnlessEmpty("FailureReason", task.failure_reason);
  out.Integer("StartedTimestamp", absl::ToUnixMillis(task.started_at));
  out.EndItem();
}

}  // namespace

absl::StatusOr<Job> PrepareStartMessageMoveTask(JsonFields& fields,
                                                const RequestContext&) {
  StartMessageMoveTaskRequest request{
      .destination_arn = fields.Text("DestinationArn"),
      .max_per_second = fields.FindInteger("MaxNumberOfMessagesPerSecond")};
  absl::StatusOr<std::string> source = Required(fields, "SourceArn");
  if (!source.ok()) return source.status();
  request.source_arn = *std::move(source);
  return [request = std::move(request)](Engine& engine, Reply reply) {
    absl::StatusOr<std::string> handle = engine.StartMessageMoveTask(request);
    if (!handle.ok()) {
      return ReplyOnCommit(engine, std::move(reply), handle.status());
    }
    ReplyOnCommit(engine, std::move(reply),
                  WriteOutput([handle = *std::move(handle)](Output& out) {
                    out.Text("TaskHandle", handle);
                  }));
  };
}

absl::StatusOr<Job> PrepareListMessageMoveTasks(JsonFields& fields,
                                                const RequestContext&) {
  ListMessageMoveTasksRequest request{.max_results =
                                          fields.FindInteger("MaxResults")};
  absl::StatusOr<std::string> source = Required(fields, "SourceArn");
  if (!source.ok()) return source.status();
  request.source_arn = *std::move(source);
  return [request = std::move(request)](Engine& engine, Reply reply) {
    absl::StatusOr<std::vector<MoveTask>> tasks =
        engine.ListMessageMoveTasks(request);
    if (!tasks.ok()) {
      return ReplyOnCommit(engine, std::move(reply), tasks.status());
    }
    ReplyOnCommit(engine, std::move(reply),
                  WriteOutput([tasks = *std::move(tasks)](Output& out) {
                    out.BeginList("Results");
                    for (const MoveTask& task : tasks) WriteTask(task, out);
                    out.EndList();
                  }));
  };
}

absl::StatusOr<Job> PrepareCancelMessageMoveTask(JsonFields& fields,
                                                 const RequestContext&) {
  absl::StatusOr<std::string> handle = Required(fields, "TaskHandle");
  if (!handle.ok()) return handle.status();
  return [handle = *std::move(handle)](Engine& engine, Reply reply) {
    const absl::StatusOr<int64_t> moved = engine.CancelMessageMoveTask(handle);
    if (!moved.ok()) {
      return ReplyOnCommit(engine, std::move(reply), moved.status());
    }
    ReplyOnCommit(engine, std::move(reply),
                  WriteOutput([moved = *moved](Output& out) {
                    out.Integer("ApproximateNumberOfMessagesMoved", moved);
                  }));
  };
}

}  // namespace byoshin::local::sqs
