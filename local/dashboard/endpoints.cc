#include "local/dashboard/endpoints.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/value.h"
#include "core/json/writer.h"
#include "local/dashboard/answers.h"
#include "local/dashboard/guard.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/parameters.h"
#include "local/dashboard/queue_series.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::dashboard {
namespace {

using http::ServerRequest;

absl::StatusOr<std::string> AnswerQueueSeries(const ServerRequest& request,
                                              DashboardSource& source) {
  const absl::StatusOr<TimeRange> range = RangeParameters(request);
  if (!range.ok()) return range.status();
  const absl::StatusOr<std::int64_t> buckets = BucketsParameter(request);
  if (!buckets.ok()) return buckets.status();
  QueueSeries series(*range, static_cast<int>(*buckets));
  const absl::Status visited = source.VisitSamples(
      series.layout().range(),
      [&](const QueueSample& sample) { series.Add(sample); });
  if (!visited.ok()) return visited;
  return QueueSeriesJson(series);
}

absl::StatusOr<std::string> AnswerInvocations(const ServerRequest& request,
                                              DashboardSource& source) {
  const absl::StatusOr<TimeRange> range = RangeParameters(request);
  if (!range.ok()) return range.status();
  const absl::StatusOr<std::int64_t> limit = IntParameter(
      request, "limit", {.least = 1, .most = 5000, .otherwise = 2000});
  if (!limit.ok()) return limit.status();
  // One more, to know whether there is one.
  const absl::StatusOr<std::vector<Invocation>> invocations =
      source.Invocations(*range, static_cast<int>(*limit) + 1);
  if (!invocations.ok()) return invocations.status();
  return InvocationsJson(*invocations, static_cast<std::size_t>(*limit));
}

absl::StatusOr<std::string> AnswerDeadLetters(const ServerRequest& request,
                                              DashboardSource& source) {
  const absl::StatusOr<std::int64_t> limit = IntParameter(
      request, "limit", {.least = 1, .most = 200, .otherwise = 50});
  if (!limit.ok()) return limit.status();
  const absl::StatusOr<DeadLetters> letters =
      source.GetDeadLetters(static_cast<int>(*limit));
  if (!letters.ok()) return letters.status();
  return DeadLettersJson(*letters);
}

absl::StatusOr<std::string> AnswerLogs(const ServerRequest& request,
                                       DashboardSource& source) {
  const absl::StatusOr<std::int64_t> limit = IntParameter(
      request, "limit", {.least = 1, .most = 2000, .otherwise = 500});
  if (!limit.ok()) return limit.status();
  const absl::StatusOr<std::int64_t> after =
      IntParameter(request, "after",
                   {.least = 0,
                    .most = std::numeric_limits<std::int64_t>::max(),
                    .otherwise = -1});
  if (!after.ok()) return after.status();
  absl::StatusOr<std::string> function = TextParameter(request, "function");
  if (!function.ok()) return function.status();
  absl::StatusOr<std::string> text = TextParameter(request, "q");
  if (!text.ok()) return text.status();
  LogQuery query{.limit = static_cast<int>(*limit),
                 .function = *std::move(function),
                 .text = *std::move(text)};
  if (*after >= 0) query.after = *after;
  const absl::StatusOr<LogPage> page = source.Logs(query);
  if (!page.ok()) return page.status();
  return LogsJson(*page);
}

absl::StatusOr<Json::Value> BodyOf(const ServerRequest& request) {
  absl::StatusOr<Json::Value> body = json::ParseValue(request.body);
  if (!body.ok()) return body.status();
  if (!body->isObject()) {
    return absl::InvalidArgumentError("the body must be a JSON object");
  }
  return body;
}

absl::StatusOr<std::string> AnswerRedrive(const ServerRequest& request,
                                          DashboardSource& source) {
  const absl::StatusOr<Json::Value> body = BodyOf(request);
  if (!body.ok()) return body.status();
  const Json::Value& queue = (*body)["queue"];
  if (!queue.isString()) {
    return absl::InvalidArgumentError("\"queue\" must be a queue's name");
  }
  std::optional<std::vector<std::string>> ids;
  if (const Json::Value& list = (*body)["ids"]; !list.isNull()) {
    if (!list.isArray()) {
      return absl::InvalidArgumentError("\"ids\" must be a list of strings");
    }
    ids.emplace();
    for (const Json::Value& id : list) {
      if (!id.isString()) {
        return absl::InvalidArgumentError("\"ids\" must be a list of strings");
      }
      ids->push_back(id.asString());
    }
  }
  const Json::Value& stack = (*body)["stack"];
  if (!stack.isNull() && !stack.isString()) {
    return absl::InvalidArgumentError("\"stack\" must be a stack's name");
  }
  const absl::StatusOr<std::int64_t> moved = source.Redrive(
      {.stack = stack.isNull() ? std::string() : stack.asString(),
       .queue = queue.asString()},
      ids);
  if (!moved.ok()) return moved.status();
  return json::Writer().Open('{').Key("moved").Int(*moved).Close('}').text();
}

absl::StatusOr<std::string> AnswerTick(const ServerRequest& request,
                                       DashboardSource& source) {
  const absl::StatusOr<Json::Value> body = BodyOf(request);
  if (!body.ok()) return body.status();
  const Json::Value& rule = (*body)["rule"];
  if (!rule.isNull() && !rule.isString()) {
    return absl::InvalidArgumentError("\"rule\" must be a rule's name");
  }
  const absl::StatusOr<std::vector<std::string>> fired =
      source.Tick(rule.isNull() ? std::string() : rule.asString());
  if (!fired.ok()) return fired.status();
  json::Writer json;
  json.Open('{').Key("fired").Open('[');
  for (const std::string& name : *fired) json.String(name);
  json.Close(']').Close('}');
  return json.text();
}

absl::StatusOr<std::string> AnswerRemoveStack(const ServerRequest& request,
                                              DashboardSource& source) {
  const absl::StatusOr<Json::Value> body = BodyOf(request);
  if (!body.ok()) return body.status();
  const Json::Value& stack = (*body)["stack"];
  if (!stack.isString()) {
    return absl::InvalidArgumentError("\"stack\" must be a stack's name");
  }
  const absl::StatusOr<RemovedStack> removed = source.Remove(stack.asString());
  if (!removed.ok()) return removed.status();
  json::Writer json;
  json.Open('{').Key("removed").String(removed->name);
  json.Key("retained").Open('[');
  for (const RemovedStack::Resource& resource : removed->retained) {
    json.Open('{').Key("logicalId").String(resource.logical_id);
    json.Key("type").String(resource.type);
    json.Key("physicalId").String(resource.physical_id).Close('}');
  }
  json.Close(']').Close('}');
  return json.text();
}

absl::StatusOr<std::string> AnswerStacks(const ServerRequest&,
                                         DashboardSource& source) {
  return source.DescribeStacks();
}

// Messages first, so that no function stores anything for them afterwards.
absl::StatusOr<std::string> AnswerReset(const ServerRequest& request,
                                        const Sources& sources) {
  const absl::StatusOr<Json::Value> body = BodyOf(request);
  if (!body.ok()) return body.status();
  const absl::StatusOr<std::int64_t> messages = sources.source.Reset();
  if (!messages.ok()) return messages.status();
  std::int64_t items = 0;
  for (Panel* panel : sources.panels) {
    const absl::StatusOr<std::int64_t> deleted = panel->Reset();
    if (!deleted.ok()) return deleted.status();
    items += *deleted;
  }
  json::Writer json;
  json.Open('{').Key("items").Int(items);
  json.Key("messages").Int(*messages).Close('}');
  return json.text();
}

constexpr absl::string_view kReset = "reset";

bool HasMethod(const ServerRequest& request, absl::string_view method) {
  return request.method == method ||
         (request.method == "HEAD" && method == "GET");
}

http::ServerResponse WrongMethod(absl::string_view method) {
  http::ServerResponse answer =
      ErrorAnswer(405, absl::StrCat("this is for ", method));
  answer.headers.push_back({"Allow", std::string(method)});
  return answer;
}

http::ServerResponse AnswerOf(absl::StatusOr<std::string> body) {
  return body.ok() ? JsonAnswer(*std::move(body)) : ErrorAnswer(body.status());
}

struct Endpoint {
  absl::string_view method;
  absl::string_view name;
  absl::StatusOr<std::string> (*answer)(const ServerRequest&, DashboardSource&);
};

constexpr Endpoint kEndpoints[] = {
    {"GET", "stacks", AnswerStacks},
    {"GET", "queue-series", AnswerQueueSeries},
    {"GET", "invocations", AnswerInvocations},
    {"GET", "dead-letters", AnswerDeadLetters},
    {"GET", "logs", AnswerLogs},
    {"POST", "redrive", AnswerRedrive},
    {"POST", "tick", AnswerTick},
    {"POST", "remove-stack", AnswerRemoveStack},
    // Answered elsewhere; here for the answer to a wrong method.
    {"POST", kReset, nullptr},
    {"GET", "status", nullptr},
    {"GET", "updates", nullptr},
};

}  // namespace

http::ServerResponse JsonAnswer(std::string body) {
  http::ServerResponse answer{.headers = SecurityHeaders(),
                              .body = std::move(body)};
  answer.headers.push_back({"Content-Type", "application/json"});
  answer.headers.push_back({"Cache-Control", "no-store"});
  return answer;
}

http::ServerResponse ErrorAnswer(int status, absl::string_view message) {
  http::ServerResponse answer = JsonAnswer(ErrorJson(message));
  answer.status = status;
  return answer;
}

http::ServerResponse ErrorAnswer(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
      return ErrorAnswer(400, status.message());
    case absl::StatusCode::kNotFound:
      return ErrorAnswer(404, status.message());
    case absl::StatusCode::kFailedPrecondition:
      return ErrorAnswer(409, status.message());
    case absl::StatusCode::kUnavailable:
      return ErrorAnswer(503, status.message());
    default:
      return ErrorAnswer(500, status.message());
  }
}

http::ServerResponse AnswerEndpoint(absl::string_view name,
                                    const ServerRequest& request,
                                    const Sources& sources) {
  for (const Endpoint& endpoint : kEndpoints) {
    if (endpoint.name != name) continue;
    if (!HasMethod(request, endpoint.method)) {
      return WrongMethod(endpoint.method);
    }
    return AnswerOf(name == kReset ? AnswerReset(request, sources)
                                   : endpoint.answer(request, sources.source));
  }
  for (Panel* panel : sources.panels) {
    absl::string_view rest = name;
    if (!absl::ConsumePrefix(&rest, panel->name()) ||
        !absl::ConsumePrefix(&rest, "/")) {
      continue;
    }
    for (const PanelEndpoint& endpoint : panel->endpoints()) {
      if (endpoint.name != rest) continue;
      return HasMethod(request, endpoint.method)
                 ? AnswerOf(endpoint.answer(request))
                 : WrongMethod(endpoint.method);
    }
  }
  return ErrorAnswer(404, "there is no such endpoint");
}

}  // namespace byoshin::local::dashboard
