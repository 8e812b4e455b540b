#include "core/generation/answer.h"

#include <json/json.h>

#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/generation/api_error.h"
#include "core/generation/failure.h"
#include "core/generation/message.h"
#include "core/generation/process.h"
#include "core/generation/process_store.h"
#include "core/generation/request.h"
#include "core/json/json.h"
#include "core/json/value.h"
#include "core/time/iso8601.h"
#include "google/protobuf/message.h"
#include "proto/api_gateway.pb.h"
#include "proto/generation.pb.h"

namespace byoshin::generation {
namespace {

ProcessData DataOf(const Process& process, Language language) {
  ProcessData data;
  data.set_process_id(process.id);
  data.set_status(std::string(NameOf(process.status)));
  data.set_type(std::string(NameOf(process.type)));
  data.set_progress(process.progress);
  data.set_retry_count(process.retry_count);
  if (!process.target_id.empty()) data.set_target_id(process.target_id);
  data.set_created_at(time::FormatIso8601(process.created_at));
  data.set_updated_at(time::FormatIso8601(process.updated_at));
  data.set_estimated_completion_time(
      time::FormatIso8601(EstimatedCompletionTime(process)));
  if (process.completed_at.has_value()) {
    data.set_completed_at(time::FormatIso8601(*process.completed_at));
  }
  if (CanRetry(process.status) && process.error.has_value()) {
    data.mutable_error()->set_code(process.error->code);
    data.mutable_error()->set_message(MessageOf(*process.error, language));
  }
  return data;
}

// Messages are written by the rules of core/json and read back as a tree.
Json::Value TreeOf(const google::protobuf::Message& message) {
  return json::ParseValue(json::ToJson(message)).value_or(Json::Value());
}

events::ApiGatewayResponse ResponseOf(int http_status, std::string body,
                                      absl::string_view origin) {
  events::ApiGatewayResponse response;
  response.set_status_code(http_status);
  for (auto& [name, value] : CorsHeaders(origin)) {
    (*response.mutable_headers())[name] = value;
  }
  (*response.mutable_headers())["Content-Type"] =
      "application/json; charset=utf-8";
  (*response.mutable_headers())["Cache-Control"] = "no-store";
  response.set_body(std::move(body));
  response.set_is_base64_encoded(false);
  return response;
}

}  // namespace

std::map<std::string, std::string> CorsHeaders(absl::string_view origin) {
  return {{"Access-Control-Allow-Origin", std::string(origin)},
          {"Access-Control-Allow-Headers", "Content-Type,Authorization"},
          {"Access-Control-Allow-Methods", "GET,POST,OPTIONS"}};
}

Json::Value ProcessJson(const Process& process, Language language) {
  Json::Value json = TreeOf(DataOf(process, language));
  if (process.status == ProcessStatus::kCompleted) {
    absl::StatusOr<Json::Value> result = json::ParseValue(process.result);
    if (result.ok()) json["result"] = *std::move(result);
  }
  return json;
}

Json::Value HistoryJson(const HistoryQuery& query, const HistoryPage& page,
                        Language language) {
  HistoryData data;
  for (const Process& process : page.processes) {
    *data.add_processes() = DataOf(process, language);
  }
  HistoryData::Pagination& pagination = *data.mutable_pagination();
  pagination.set_page(query.page);
  pagination.set_page_size(query.page_size);
  pagination.set_total(page.total);
  pagination.set_total_pages((page.total + query.page_size - 1) /
                             query.page_size);
  return TreeOf(data);
}

std::string SuccessAnswer(int http_status, const Json::Value& data,
                          absl::string_view origin) {
  Json::Value body(Json::objectValue);
  body["success"] = true;
  body["data"] = data;
  return json::ToJson(ResponseOf(http_status, json::WriteValue(body), origin));
}

std::string ErrorBody(const ApiError& error, Language language) {
  Json::Value body(Json::objectValue);
  body["success"] = false;
  Json::Value& json = body["error"];
  json["code"] = std::string(NameOf(error.code));
  json["message"] = std::string(MessageOf(error.code, language));
  json["retryable"] = error.retryable == Retryable::kYes;
  for (const FieldError& detail : error.details) {
    Json::Value entry(Json::objectValue);
    entry["field"] = detail.field;
    entry["message"] = detail.message.In(language);
    json["details"].append(entry);
  }
  return json::WriteValue(body);
}

std::string ErrorAnswer(const absl::Status& status, absl::string_view origin,
                        Language language) {
  const ApiError error = ApiErrorOf(status);
  events::ApiGatewayResponse response =
      ResponseOf(HttpStatusOf(error), ErrorBody(error, language), origin);
  (*response.mutable_headers())["Content-Language"] =
      std::string(NameOf(language));
  return json::ToJson(response);
}

}  // namespace byoshin::generation
