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
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/url.h"
#include "core/json/value.h"
#include "core/json/writer.h"
#include "local/dashboard/answers.h"
#include "local/dashboard/guard.h"

namespace byoshin::local::dashboard {
namespace {

using http::ServerRequest;

// The last millisecond of the year 9999.
constexpr std::int64_t kLastMillis = 253402300799999;

struct Limits {
  std::int64_t least;
  std::int64_t most;
  // What holds if the parameter is not there; it must be if this is without.
  std::optional<std::int64_t> otherwise{};
};

absl::StatusOr<std::int64_t> IntParameter(const ServerRequest& request,
                                          absl::string_view name,
                                          const Limits& limits) {
  const absl::StatusOr<std::string> text = TextParameter(request, name);
  if (!text.ok()) return text.status();
  std::int64_t value = 0;
  if (text->empty() && limits.otherwise.has_value()) return *limits.otherwise;
  if (!absl::SimpleAtoi(*text, &value) || value < limits.least ||
      value > limits.most) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " must be a whole number from ", limits.least,
                     " to ", limits.most));
  }
  return value;
}

absl::StatusOr<TimeRange> RangeParameters(const ServerRequest& request) {
  const Limits limits{.least = 0, .most = kLastMillis};
  const absl::StatusOr<std::int64_t> from =
      IntParameter(request, "from", limits);
  if (!from.ok()) return from.status();
  const absl::StatusOr<std::int64_t> to = IntParameter(request, "to", limits);
  if (!to.ok()) return to.status();
  if (*from >= *to) {
    return absl::InvalidArgumentError("from must be before to");
  }
  return TimeRange{.from = absl::FromUnixMillis(*from),
                   .to = absl::FromUnixMillis(*to)};
}

absl::StatusOr<std::string> AnswerSeries(const ServerRequest& request,
                                         DashboardSource& source) {
  const absl::StatusOr<TimeRange> range = RangeParameters(request);
  if (!range.ok()) return range.status();
  const absl::StatusOr<std::int64_t> buckets = IntParameter(
      request, "buckets", {.least = 2, .most = 4000, .otherwise = 2000});
  if (!buckets.ok()) return buckets.status();
  SeriesBuilder builder({.range = *range,
                         .max_buckets = static_cast<int>(*buckets),
                         .expected = source.ExpectedSlots()});
  absl::Status visited =
      source.VisitRecords(builder.range(), [&](const SlotRecord& record) {
        builder.Add(record);
        return true;
      });
  if (!visited.ok()) return visited;
  visited = source.VisitSamples(
      builder.range(), [&](const QueueSample& sample) { builder.Add(sample); });
  if (!visited.ok()) return visited;
  return SeriesJson(std::move(builder).Build());
}

absl::StatusOr<std::string> AnswerRecords(const ServerRequest& request,
                                          DashboardSource& source) {
  const absl::StatusOr<TimeRange> range = RangeParameters(request);
  if (!range.ok()) return range.status();
  const absl::StatusOr<std::int64_t> limit = IntParameter(
      request, "limit", {.least = 1, .most = 10000, .otherwise = 5000});
  if (!limit.ok()) return limit.status();
  std::vector<SlotRecord> records;
  const absl::Status visited =
      source.VisitRecords(*range, [&](const SlotRecord& record) {
        records.push_back(record);
        return records.size() <= static_cast<std::size_t>(*limit);
      });
  if (!visited.ok()) return visited;
  return RecordsJson(records, static_cast<std::size_t>(*limit));
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
  const absl::StatusOr<std::int64_t> moved =
      source.Redrive(queue.asString(), ids);
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

absl::StatusOr<std::string> AnswerReset(const ServerRequest& request,
                                        DashboardSource& source) {
  const absl::StatusOr<Json::Value> body = BodyOf(request);
  if (!body.ok()) return body.status();
  const absl::StatusOr<ResetCounts> counts = source.Reset();
  if (!counts.ok()) return counts.status();
  json::Writer json;
  json.Open('{').Key("records").Int(counts->records);
  json.Key("messages").Int(counts->messages).Close('}');
  return json.text();
}

struct Endpoint {
  absl::string_view method;
  absl::string_view name;
  absl::StatusOr<std::string> (*answer)(const ServerRequest&, DashboardSource&);
};

constexpr Endpoint kEndpoints[] = {
    {"GET", "series", AnswerSeries},
    {"GET", "records", AnswerRecords},
    {"GET", "invocations", AnswerInvocations},
    {"GET", "dead-letters", AnswerDeadLetters},
    {"GET", "logs", AnswerLogs},
    {"POST", "redrive", AnswerRedrive},
    {"POST", "tick", AnswerTick},
    {"POST", "reset", AnswerReset},
    // Answered by the dashboard itself; here for the answer to a wrong method.
    {"GET", "status", nullptr},
    {"GET", "updates", nullptr},
};

}  // namespace

absl::StatusOr<std::string> TextParameter(const ServerRequest& request,
                                          absl::string_view name) {
  absl::StatusOr<std::vector<http::QueryParameter>> parameters =
      http::ParseQuery(request.query);
  if (!parameters.ok()) return parameters.status();
  for (http::QueryParameter& parameter : *parameters) {
    if (parameter.name == name) return std::move(parameter.value);
  }
  return std::string();
}

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
    default:
      return ErrorAnswer(500, status.message());
  }
}

http::ServerResponse AnswerEndpoint(absl::string_view name,
                                    const ServerRequest& request,
                                    DashboardSource& source) {
  const absl::string_view method =
      request.method == "HEAD" ? absl::string_view("GET") : request.method;
  for (const Endpoint& endpoint : kEndpoints) {
    if (endpoint.name != name) continue;
    if (endpoint.method != method) {
      http::ServerResponse answer =
          ErrorAnswer(405, absl::StrCat("this is for ", endpoint.method));
      answer.headers.push_back({"Allow", std::string(endpoint.method)});
      return answer;
    }
    absl::StatusOr<std::string> body = endpoint.answer(request, source);
    return body.ok() ? JsonAnswer(*std::move(body))
                     : ErrorAnswer(body.status());
  }
  return ErrorAnswer(404, "there is no such endpoint");
}

}  // namespace byoshin::local::dashboard
