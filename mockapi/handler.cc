#include "mockapi/handler.h"

#include <json/json.h>

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/http/url.h"
#include "core/json/json.h"
#include "core/json/value.h"
#include "core/scheduler/constants.h"
#include "core/time/iso8601.h"
#include "proto/scheduler.pb.h"

namespace byoshin::mockapi {
namespace {

constexpr char kAllowedMethods[] = "GET, HEAD";
constexpr int kCountCycle = 11;

http::ServerResponse JsonResponse(int status, std::string body) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json"}},
          .body = std::move(body)};
}

http::ServerResponse ErrorResponse(int status, absl::string_view reason) {
  Json::Value body;
  body["error"] = std::string(reason);
  return JsonResponse(status, json::WriteValue(body));
}

absl::Status ParameterError(absl::string_view name, absl::string_view problem) {
  return absl::InvalidArgumentError(
      absl::StrCat("query parameter \"", name, "\": ", problem));
}

// The one value of the parameter as a time, to the second.
absl::StatusOr<absl::Time> TimeParameter(const Request& request,
                                         absl::string_view name) {
  const http::QueryParameter* found = nullptr;
  for (const http::QueryParameter& parameter : request.parameters) {
    if (parameter.name != name) continue;
    if (found != nullptr) return ParameterError(name, "given more than once");
    found = &parameter;
  }
  if (found == nullptr) {
    return ParameterError(name,
                          "missing; give a time such as 2025-12-02T10:23:00Z");
  }
  const absl::StatusOr<absl::Time> time = time::ParseIso8601(found->value);
  if (time.ok()) return absl::FromUnixSeconds(absl::ToUnixSeconds(*time));
  std::string problem(time.status().message());
  if (absl::StrContains(found->value, ' ')) {
    absl::StrAppend(&problem, " (in a query, + stands for a space: write %2B)");
  }
  return ParameterError(name, problem);
}

absl::StatusOr<scheduler::ApiResponse> CountResponses(const Request& request) {
  const absl::StatusOr<absl::Time> from =
      TimeParameter(request, scheduler::kFromParameter);
  if (!from.ok()) return from.status();
  const absl::StatusOr<absl::Time> to =
      TimeParameter(request, scheduler::kToParameter);
  if (!to.ok()) return to.status();
  scheduler::ApiResponse response;
  response.set_from(time::FormatIso8601(*from));
  response.set_to(time::FormatIso8601(*to));
  if (*from >= *to) {
    return ParameterError(
        scheduler::kFromParameter,
        absl::StrCat("must be before \"", scheduler::kToParameter, "\", but ",
                     response.from(), " is not before ", response.to()));
  }
  response.set_count(CountAt(*to));
  return response;
}

http::ServerResponse AnswerResponseCount(const Request& request) {
  const absl::StatusOr<scheduler::ApiResponse> response =
      CountResponses(request);
  if (!response.ok()) return BadRequest(response.status().message());
  return JsonResponse(200, json::ToJson(*response));
}

http::ServerResponse AnswerHealth() {
  Json::Value body;
  body["status"] = "ok";
  return JsonResponse(200, json::WriteValue(body));
}

}  // namespace

http::ServerResponse Handle(const Request& request) {
  const bool is_count = request.path == scheduler::kResponseCountPath;
  if (!is_count && request.path != scheduler::kHealthPath) {
    return ErrorResponse(
        404, absl::StrCat("no such path: ", json::Describe(request.path),
                          "; there are ", scheduler::kResponseCountPath,
                          " and ", scheduler::kHealthPath));
  }
  if (request.method != "GET" && request.method != "HEAD") {
    http::ServerResponse response = ErrorResponse(
        405,
        absl::StrCat("method ", json::Describe(request.method),
                     " is not allowed here; allowed are ", kAllowedMethods));
    response.headers.push_back({"Allow", kAllowedMethods});
    return response;
  }
  return is_count ? AnswerResponseCount(request) : AnswerHealth();
}

http::ServerResponse BadRequest(absl::string_view reason) {
  return ErrorResponse(400, reason);
}

std::int64_t CountAt(absl::Time to) {
  return absl::ToCivilMinute(to, absl::UTCTimeZone()).minute() % kCountCycle;
}

}  // namespace byoshin::mockapi
