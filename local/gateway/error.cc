#include "local/gateway/error.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"
#include "local/gateway/service.h"
#include "local/gateway/xml.h"

namespace byoshin::local {
namespace {

// The payload of a status that holds the error: the HTTP status and the lengths
// of the texts on one line, then the texts. Failed conditions are frequent, and
// this is cheaper to read than JSON.
constexpr char kPayload[] = "byoshin/local/error";

constexpr int kInternalFailureStatus = 500;

absl::StatusCode CodeOf(int http_status) {
  if (http_status >= 500) return absl::StatusCode::kUnavailable;
  if (http_status == 404) return absl::StatusCode::kNotFound;
  if (http_status == 403) return absl::StatusCode::kPermissionDenied;
  return absl::StatusCode::kInvalidArgument;
}

std::string Encode(const ErrorAnswer& error) {
  return absl::StrCat(error.http_status, " ", error.code.size(), " ",
                      error.query_code.size(), " ", error.message.size(), "\n",
                      absl::StrCat(error.code, error.query_code, error.message,
                                   error.json_members));
}

std::optional<ErrorAnswer> DecodeError(absl::string_view payload) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(payload, absl::MaxSplits('\n', 1));
  const std::vector<absl::string_view> numbers =
      absl::StrSplit(parts.first, ' ');
  ErrorAnswer error;
  if (numbers.size() != 4 ||
      !absl::SimpleAtoi(numbers[0], &error.http_status)) {
    return std::nullopt;
  }
  absl::string_view rest = parts.second;
  std::string* texts[] = {&error.code, &error.query_code, &error.message};
  for (std::size_t i = 0; i < 3; ++i) {
    std::size_t bytes = 0;
    if (!absl::SimpleAtoi(numbers[i + 1], &bytes) || bytes > rest.size()) {
      return std::nullopt;
    }
    *texts[i] = std::string(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
  error.json_members = std::string(rest);
  return error;
}

// Sender or Receiver, in the words of the Query protocol.
absl::string_view FaultOf(const ErrorAnswer& error) {
  return error.http_status >= 500 ? "Receiver" : "Sender";
}

}  // namespace

absl::Status ServiceError(const ErrorAnswer& error) {
  absl::Status status(CodeOf(error.http_status),
                      absl::StrCat(error.code, ": ", error.message));
  status.SetPayload(kPayload, absl::Cord(Encode(error)));
  return status;
}

ErrorAnswer ErrorAnswerOf(const absl::Status& status) {
  if (const auto payload = status.GetPayload(kPayload); payload.has_value()) {
    std::optional<ErrorAnswer> error = DecodeError(std::string(*payload));
    if (error.has_value()) return *std::move(error);
  }
  return {.code = "InternalFailure",
          .message =
              "The request processing has failed because of an unknown "
              "error, exception or failure.",
          .http_status = kInternalFailureStatus};
}

Answer JsonErrorAnswer(const absl::Status& status,
                       absl::string_view type_prefix,
                       absl::string_view message_member) {
  const ErrorAnswer error = ErrorAnswerOf(status);
  Answer answer{.status = error.http_status,
                .content_type = std::string(kJson10ContentType)};
  if (!error.query_code.empty()) {
    answer.headers.push_back(
        {"x-amzn-query-error",
         absl::StrCat(error.query_code, ";", FaultOf(error))});
  }
  answer.body = "{\"__type\":";
  json::AppendQuoted(absl::StrCat(type_prefix, error.code), answer.body);
  absl::StrAppend(&answer.body, ",\"", message_member, "\":");
  json::AppendQuoted(error.message, answer.body);
  if (!error.json_members.empty()) {
    absl::StrAppend(&answer.body, ",", error.json_members);
  }
  answer.body += "}";
  return answer;
}

Answer QueryErrorAnswer(const absl::Status& status,
                        absl::string_view request_id,
                        absl::string_view xml_namespace) {
  const ErrorAnswer error = ErrorAnswerOf(status);
  XmlWriter xml;
  xml.Open("ErrorResponse", xml_namespace);
  xml.Open("Error");
  xml.Element("Type", FaultOf(error));
  xml.Element("Code", error.query_code.empty() ? error.code : error.query_code);
  xml.Element("Message", error.message);
  xml.Element("Detail", "");
  xml.Close("Error");
  xml.Element("RequestId", request_id);
  xml.Close("ErrorResponse");
  return {.status = error.http_status,
          .content_type = std::string(kXmlContentType),
          .body = std::move(xml).Finish()};
}

}  // namespace byoshin::local
