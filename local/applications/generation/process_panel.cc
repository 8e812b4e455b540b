#include "local/applications/generation/process_panel.h"

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/generation/failure.h"
#include "core/generation/message.h"
#include "core/generation/process.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "core/json/writer.h"
#include "local/apigateway/address.h"
#include "local/applications/generation/demo_user.h"
#include "local/applications/generation/generation_parts.h"
#include "local/applications/generation/process_source.h"
#include "local/applications/generation/site.h"
#include "local/dashboard/answers.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/parameters.h"

namespace byoshin::local::applications {

// Defined by :embedded_page.
const std::vector<dashboard::Asset>& GenerationAssets();

namespace {

constexpr int kUsuallyListed = 50;

// Replaces the message of a process's error, which is stored in Japanese, by
// the English text of its code. That of an unknown code stays.
void Translate(Json::Value& error) {
  if (!error.isObject() || !error["code"].isString()) return;
  error["message"] =
      generation::MessageOf({.code = json::TextMember(error, "code"),
                             .message = json::TextMember(error, "message")},
                            generation::Language::kEnglish);
}

void TranslateErrors(Json::Value& processes) {
  for (Json::Value& process : processes) Translate(process["error"]);
}

void WriteModelUse(const ModelUse& use, json::Writer& json) {
  json.Open('{').Key("calls").Int(use.totals.calls);
  json.Key("inputTokens").Int(use.totals.usage.input_tokens);
  json.Key("outputTokens").Int(use.totals.usage.output_tokens);
  json.Key("errors").Open('{');
  for (const auto& [code, count] : use.totals.errors) {
    json.Key(code).Int(count);
  }
  json.Close('}').Key("durationMs");
  dashboard::WriteQuantiles(use.duration, json);
  json.Close('}');
}

// "FAILED,TIMEOUT"; empty for all.
absl::StatusOr<std::vector<std::string>> ReadStatuses(absl::string_view text) {
  std::vector<std::string> statuses =
      absl::StrSplit(text, ',', absl::SkipEmpty());
  for (const std::string& status : statuses) {
    if (generation::ProcessStatusOf(status).has_value()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "status: \"", status, "\" is invalid; use ",
        absl::StrJoin(generation::kProcessStatuses, ", ",
                      [](std::string* out, generation::ProcessStatus one) {
                        absl::StrAppend(out, generation::NameOf(one));
                      }),
        ", separated by commas"));
  }
  return statuses;
}

absl::StatusOr<std::string> AnswerProcesses(const http::ServerRequest& request,
                                            ProcessSource& source) {
  const absl::StatusOr<std::string> text =
      dashboard::TextParameter(request, "status");
  if (!text.ok()) return text.status();
  const absl::StatusOr<std::vector<std::string>> statuses = ReadStatuses(*text);
  if (!statuses.ok()) return statuses.status();
  const absl::StatusOr<std::int64_t> limit = dashboard::IntParameter(
      request, "limit",
      {.least = 1, .most = kMaxListedProcesses, .otherwise = kUsuallyListed});
  if (!limit.ok()) return limit.status();
  const absl::StatusOr<Json::Value> processes = source.Processes(
      {.statuses = *statuses, .limit = static_cast<int>(*limit)});
  if (!processes.ok()) return processes.status();
  Json::Value answer(Json::objectValue);
  answer["processes"] = *processes;
  TranslateErrors(answer["processes"]);
  return json::WriteValue(answer);
}

}  // namespace

void ProcessPanel::WriteStatus(json::Writer& json) {
  const GenerationParts parts = source_.parts().value_or(GenerationParts());
  json.Open('{');
  json.Key("stack").String(parts.stack_name);
  json.Key("page").String(kSitePath);
  json.Key("api").String(
      apigateway::StageUrl(endpoint_(), parts.api_id, parts.stage));
  json.Key("user").String(DemoUserName(parts));
  absl::StatusOr<Json::Value> summary = source_.Summary();
  if (summary.ok() && summary->isObject()) {
    for (Json::Value& failure : (*summary)["failures"]) Translate(failure);
    TranslateErrors((*summary)["recent"]);
  }
  json.Key("problem");
  summary.ok() ? json.Null() : json.String(summary.status().message());
  json.Key("processes");
  summary.ok() ? json.Json(json::WriteValue(*summary)) : json.Null();
  json.Key("model");
  WriteModelUse(source_.GetModelUse(), json);
  json.Close('}');
}

std::vector<dashboard::PanelEndpoint> ProcessPanel::endpoints() {
  return {{.method = "GET",
           .name = "processes",
           .answer = [this](const http::ServerRequest& request) {
             return AnswerProcesses(request, source_);
           }}};
}

const std::vector<dashboard::Asset>& ProcessPanel::assets() const {
  return GenerationAssets();
}

}  // namespace byoshin::local::applications
