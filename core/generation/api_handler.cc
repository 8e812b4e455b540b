#include "core/generation/api_handler.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/stepfunctions/client.h"
#include "core/generation/answer.h"
#include "core/generation/api_error.h"
#include "core/generation/constants.h"
#include "core/generation/failure.h"
#include "core/generation/goal_store.h"
#include "core/generation/message.h"
#include "core/generation/metrics.h"
#include "core/generation/process.h"
#include "core/generation/process_store.h"
#include "core/generation/request.h"
#include "core/generation/state_service.h"
#include "core/generation/workflow.h"
#include "core/json/json.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "proto/api_gateway.pb.h"

namespace byoshin::generation {
namespace {

absl::StatusOr<std::string> BodyOf(const events::ApiGatewayRequest& event) {
  if (!event.is_base64_encoded()) return event.body();
  std::string body;
  if (absl::Base64Unescape(event.body(), &body)) return body;
  return ToStatus(
      {.code = ErrorCode::kValidationError, .details = NotAnObjectDetails()},
      "the body is not valid base64");
}

// Names of headers are in any case.
Language LanguageOf(const events::ApiGatewayRequest& event) {
  for (const auto& [name, value] : event.headers()) {
    if (absl::EqualsIgnoreCase(name, "Accept-Language")) {
      return PreferredLanguage(value);
    }
  }
  return Language::kJapanese;
}

absl::StatusOr<std::string> UserOf(const events::ApiGatewayRequest& event) {
  const auto& claims = event.request_context().authorizer().claims();
  const auto user = claims.find(kUserClaim);
  if (user != claims.end() && !user->second.empty()) return user->second;
  return ToStatus({.code = ErrorCode::kUnauthorized},
                  "the event has no claim \"sub\"; the method needs an "
                  "authorizer of a Cognito user pool");
}

// Nothing was generated yet that the process could work through.
absl::Status NothingToWorkOn(ProcessType type) {
  return ToStatus(
      {.code = ErrorCode::kValidationError,
       .details = {{.field = "params.goalId",
                    .message =
                        type == ProcessType::kActions
                            ? Message{"サブゴールがまだ生成されていません",
                                      "No sub-goals have been generated yet."}
                            : Message{"アクションがまだ生成されていません",
                                      "No actions have been generated yet."}}}},
      "the target has no parts to work on");
}

}  // namespace

ApiHandler::ApiHandler(ApiDependencies dependencies)
    : dependencies_(std::move(dependencies)) {}

absl::StatusOr<std::string> ApiHandler::Handle(
    const lambda::Invocation& invocation) {
  const absl::StatusOr<events::ApiGatewayRequest> event =
      json::FromJson<events::ApiGatewayRequest>(invocation.payload);
  if (!event.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("not an event of an API Gateway proxy integration: ",
                     event.status().message()));
  }
  const absl::StatusOr<Reply> reply =
      AnswerEvent(*event, invocation.deadline - kDeadlineMargin);
  const std::string& origin = dependencies_.config.allowed_origin;
  const int http_status = reply.ok() ? reply->http_status
                                     : HttpStatusOf(ApiErrorOf(reply.status()));
  std::vector<log::Field> fields = {{"method", event->http_method()},
                                    {"resource", event->resource()},
                                    {"status", http_status}};
  if (reply.ok()) {
    logger().Log(log::Level::kInfo, "request served", fields);
    return SuccessAnswer(http_status, reply->data, origin);
  }
  fields.push_back({"code", NameOf(ApiErrorOf(reply.status()).code)});
  fields.push_back({"error", absl::string_view(reply.status().message())});
  logger().Log(http_status >= 500 ? log::Level::kError : log::Level::kInfo,
               "request refused", fields);
  return ErrorAnswer(reply.status(), origin, LanguageOf(*event));
}

absl::StatusOr<ApiHandler::Reply> ApiHandler::AnswerEvent(
    const events::ApiGatewayRequest& event, absl::Time deadline) {
  absl::StatusOr<std::string> user_id = UserOf(event);
  if (!user_id.ok()) return user_id.status();
  return Answer({.user_id = *std::move(user_id),
                 .language = LanguageOf(event),
                 .event = event,
                 .deadline = deadline});
}

absl::StatusOr<std::string> ApiHandler::ProcessIdOf(const Call& call) {
  const auto& parameters = call.event.path_parameters();
  const auto id = parameters.find(kProcessIdParameter);
  return ParseProcessId(id == parameters.end() ? "" : id->second);
}

absl::Status ApiHandler::Start(const Process& process, Workflow& workflow,
                               absl::Time deadline) {
  const absl::Status started = workflow.Start(process, deadline);
  if (!started.ok() && !absl::IsAlreadyExists(started)) {
    // If the execution runs all the same, it finds that the process is over.
    const auto closed = states().Move(process.id, ProcessStatus::kFailed,
                                      ProcessErrorOf(""), deadline);
    if (!closed.ok()) {
      logger().Error("process not closed",
                     {{"processId", process.id},
                      {"error", absl::string_view(closed.status().message())}});
    }
    return AsWorkflowError(started);
  }
  std::vector<log::Metric> metrics = StartedMetrics();
  const absl::StatusOr<std::int64_t> pending = states().CountPending(deadline);
  if (pending.ok()) {
    const std::vector<log::Metric> queue = QueueMetrics(*pending);
    metrics.insert(metrics.end(), queue.begin(), queue.end());
  }
  logger().EmitMetrics(
      kMetricsNamespace, {}, metrics,
      {{"processId", process.id}, {"type", NameOf(process.type)}});
  return absl::OkStatus();
}

GenerateHandler::GenerateHandler(ApiDependencies dependencies, GoalStore& goals,
                                 const time::Clock& clock, Workflow& workflow)
    : ApiHandler(std::move(dependencies)),
      goals_(goals),
      clock_(clock),
      workflow_(workflow) {}

absl::Status GenerateHandler::CheckTarget(const Call& call,
                                          const GenerateRequest& request) {
  const absl::StatusOr<std::optional<Goal>> goal =
      goals_.GoalOf(request.target, call.deadline);
  if (!goal.ok()) return AsDatabaseError(goal.status());
  const bool is_new = !goal->has_value();
  // The sub-goals of a new goal may be generated; anything else must exist.
  if (is_new ? request.type != ProcessType::kSubGoals
             : (*goal)->user_id != call.user_id) {
    return ToStatus({.code = ErrorCode::kForbidden},
                    "the target does not exist or is another user's");
  }
  if (request.type == ProcessType::kSubGoals) return absl::OkStatus();
  // No series has this origin, and only the number of items matters.
  const absl::StatusOr<std::vector<WorkItem>> items = goals_.Items(
      request.type, request.target, request.target.id, call.deadline);
  if (!items.ok()) return AsDatabaseError(items.status());
  return items->empty() ? NothingToWorkOn(request.type) : absl::OkStatus();
}

absl::StatusOr<ApiHandler::Reply> GenerateHandler::Answer(const Call& call) {
  const absl::StatusOr<std::string> body = BodyOf(call.event);
  if (!body.ok()) return body.status();
  const absl::StatusOr<GenerateRequest> request =
      ParseGenerateRequest(*body, clock_.Now());
  if (!request.ok()) return request.status();
  if (absl::Status status = states().Admit(call.user_id, call.deadline);
      !status.ok()) {
    return status;
  }
  if (absl::Status status = CheckTarget(call, *request); !status.ok()) {
    return status;
  }
  const absl::StatusOr<Process> process =
      states().Create(call.user_id, *request, call.deadline);
  if (!process.ok()) return process.status();
  if (absl::Status status = Start(*process, workflow_, call.deadline);
      !status.ok()) {
    return status;
  }
  return Reply{.http_status = kHttpAccepted,
               .data = ProcessJson(*process, call.language)};
}

void StatusCheckHandler::StartAgain(const Process& process,
                                    absl::Time deadline) {
  const absl::Status started = workflow_.Start(process, deadline);
  if (started.ok()) {
    logger().Warning("execution of a pending process started",
                     {{"processId", process.id}});
    return;
  }
  logger().Warning("execution of a pending process not started",
                   {{"processId", process.id},
                    {"error", absl::string_view(started.message())}});
}

absl::StatusOr<ApiHandler::Reply> StatusCheckHandler::Answer(const Call& call) {
  const absl::StatusOr<std::string> id = ProcessIdOf(call);
  if (!id.ok()) return id.status();
  const absl::StatusOr<Process> process =
      states().Get(call.user_id, *id, call.deadline);
  if (!process.ok()) return process.status();
  if (states().IsUnstarted(*process)) StartAgain(*process, call.deadline);
  return Reply{.http_status = kHttpOk,
               .data = ProcessJson(*process, call.language)};
}

absl::StatusOr<ApiHandler::Reply> RetryHandler::Answer(const Call& call) {
  const absl::StatusOr<std::string> id = ProcessIdOf(call);
  if (!id.ok()) return id.status();
  if (absl::Status status = states().Admit(call.user_id, call.deadline);
      !status.ok()) {
    return status;
  }
  const absl::StatusOr<Process> process =
      states().Retry(call.user_id, *id, call.deadline);
  if (!process.ok()) return process.status();
  if (absl::Status status = Start(*process, workflow_, call.deadline);
      !status.ok()) {
    return status;
  }
  return Reply{.http_status = kHttpAccepted,
               .data = ProcessJson(*process, call.language)};
}

absl::StatusOr<ApiHandler::Reply> CancelHandler::Answer(const Call& call) {
  const absl::StatusOr<std::string> id = ProcessIdOf(call);
  if (!id.ok()) return id.status();
  const absl::StatusOr<Process> process =
      states().Cancel(call.user_id, *id, call.deadline);
  if (!process.ok()) return process.status();
  const absl::Status stopped = workflow_.StopExecution(
      {.execution_arn = process->execution_arn,
       .error = std::string(NameOf(ProcessStatus::kCancelled))},
      call.deadline);
  // The state is what counts: the workflow finds that the process is over. An
  // execution that was not started yet does not exist.
  if (!stopped.ok() && !absl::IsNotFound(stopped)) {
    logger().Warning("execution not stopped",
                     {{"processId", process->id},
                      {"error", absl::string_view(stopped.message())}});
  }
  return Reply{.http_status = kHttpOk,
               .data = ProcessJson(*process, call.language)};
}

absl::StatusOr<ApiHandler::Reply> HistoryHandler::Answer(const Call& call) {
  const auto& given = call.event.query_string_parameters();
  const absl::StatusOr<HistoryQuery> query = ParseHistoryQuery(
      std::map<std::string, std::string>(given.begin(), given.end()));
  if (!query.ok()) return query.status();
  const absl::StatusOr<HistoryPage> page =
      states().History(call.user_id, *query, call.deadline);
  if (!page.ok()) return page.status();
  return Reply{.http_status = kHttpOk,
               .data = HistoryJson(*query, *page, call.language)};
}

}  // namespace byoshin::generation
