#include "local/gateway/in_process.h"

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/async/await.h"
#include "core/aws/error.h"
#include "core/http/client.h"
#include "core/json/value.h"
#include "core/turn/turn.h"
#include "local/gateway/permission.h"

namespace byoshin::local {
namespace {

constexpr int kHttpOk = 200;

// In the body, or in a header if the service speaks REST.
std::string ErrorTypeOf(const Answer& answer, const Json::Value& body) {
  for (const http::Header& header : answer.headers) {
    if (absl::EqualsIgnoreCase(header.name, "x-amzn-ErrorType")) {
      return header.value;
    }
  }
  return json::TextMember(body, "__type");
}

// "QueueDoesNotExist" from "com.amazonaws.sqs#QueueDoesNotExist".
std::string WithoutNamespace(const std::string& type) {
  return type.substr(type.find('#') + 1);
}

}  // namespace

absl::StatusOr<Json::Value> CallInProcess(Service& service, Call call,
                                          const Json::Value& request) {
  const std::string operation =
      absl::StrCat(service.name(), " ", call.operation);
  call.protocol = WireProtocol::kJson10;
  call.body = json::WriteValue(request);
  const turn::Pause pause;
  const Answer answer = async::Await<Answer>(
      [&](auto done) { service.Handle(std::move(call), std::move(done)); });
  Json::Value body(Json::objectValue);
  if (!answer.body.empty()) {
    absl::StatusOr<Json::Value> parsed = json::ParseValue(answer.body);
    if (!parsed.ok()) return absl::InternalError(parsed.status().message());
    body = *std::move(parsed);
  }
  if (answer.status == kHttpOk) return body;
  const bool is_capital = body.isMember("Message");
  return aws::ToStatus(
      {.code = WithoutNamespace(ErrorTypeOf(answer, body)),
       .message = json::TextMember(body, is_capital ? "Message" : "message"),
       .http_status = answer.status},
      operation);
}

}  // namespace byoshin::local
