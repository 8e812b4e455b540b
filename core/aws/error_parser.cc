#include "core/aws/error_parser.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/aws/error.h"
#include "core/http/client.h"
#include "core/json/value.h"

namespace byoshin::aws {
namespace {

constexpr char kTypeHeader[] = "x-amzn-errortype";
constexpr char kQueryErrorHeader[] = "x-amzn-query-error";
constexpr std::size_t kMaxNameBytes = 128;
constexpr std::size_t kMaxMessageBytes = 1024;
constexpr std::size_t kMaxQuotedBytes = 200;

// Letters, digits and AWS's separators.
bool IsName(absl::string_view text) {
  return !text.empty() && text.size() <= kMaxNameBytes &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                  c == '.' || c == '-' || c == '_' || c == '=' || c == '+' ||
                  c == '/';
         });
}

// "com.amazonaws.sqs#QueueDoesNotExist",
// "InvalidSignatureException:http://...",
// "AWS.SimpleQueueService.NonExistentQueue;Sender" without what surrounds the
// name; empty if the name is invalid.
std::string CodeIn(absl::string_view text) {
  text = text.substr(0, text.find_first_of(":,;"));
  if (const std::size_t hash = text.rfind('#');
      hash != absl::string_view::npos) {
    text.remove_prefix(hash + 1);
  }
  text = absl::StripAsciiWhitespace(text);
  return IsName(text) ? std::string(text) : "";
}

// The first line, truncated between two characters.
std::string Line(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  text = text.substr(0, text.find_first_of("\r\n"));
  if (text.size() <= kMaxMessageBytes) return std::string(text);
  std::size_t end = kMaxMessageBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
    --end;
  }
  return absl::StrCat(text.substr(0, end), "...");
}

// "; SQLState: 23505" if `text` ends like this; otherwise empty.
absl::string_view SqlStateIn(absl::string_view text) {
  constexpr std::size_t kSqlStateBytes = 5;
  constexpr std::size_t kBytes = sizeof(kSqlStatePrefix) - 1 + kSqlStateBytes;
  text = absl::StripAsciiWhitespace(text);
  if (text.size() < kBytes) return "";
  text.remove_prefix(text.size() - kBytes);
  return absl::StartsWith(text, kSqlStatePrefix) &&
                 IsName(text.substr(text.size() - kSqlStateBytes))
             ? text
             : "";
}

// The first line, and the SQLSTATE of a longer text.
std::string Message(absl::string_view text) {
  std::string line = Line(text);
  const absl::string_view sql_state = SqlStateIn(text);
  if (!absl::EndsWith(line, sql_state)) absl::StrAppend(&line, sql_state);
  return line;
}

// A string member of a JSON object, under one of its names.
std::string Member(const Json::Value& object,
                   std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const Json::Value& value = object[name];
    if (value.isString() && !value.asString().empty()) return value.asString();
  }
  return "";
}

// The text between the first <name> and its </name>.
absl::string_view Element(absl::string_view xml, absl::string_view name) {
  const std::string begin_tag = absl::StrCat("<", name, ">");
  const std::size_t begin = xml.find(begin_tag);
  if (begin == absl::string_view::npos) return "";
  xml.remove_prefix(begin + begin_tag.size());
  const std::size_t end = xml.find(absl::StrCat("</", name, ">"));
  return end == absl::string_view::npos ? "" : xml.substr(0, end);
}

std::string RequestId(const http::Response& response) {
  for (const char* name :
       {"x-amzn-requestid", "x-amz-request-id", "x-amzn-request-id"}) {
    const absl::string_view value = response.FindHeader(name);
    if (IsName(value)) return std::string(value);
  }
  return "";
}

// Each of these reads the code if there is none yet.
void ReadHeader(const http::Response& response, const char* name,
                Error& error) {
  if (error.code.empty()) error.code = CodeIn(response.FindHeader(name));
}

void ReadMember(const Json::Value& object, const char* name, Error& error) {
  if (error.code.empty()) error.code = CodeIn(Member(object, {name}));
}

void ReadJson(const http::Response& response, const Json::Value& object,
              Error& error) {
  ReadMember(object, "__type", error);
  ReadHeader(response, kTypeHeader, error);
  ReadMember(object, "code", error);
  ReadMember(object, "Code", error);
  ReadHeader(response, kQueryErrorHeader, error);
  error.message =
      Message(Member(object, {"message", "Message", "errorMessage"}));
}

void ReadXml(const http::Response& response, Error& error) {
  const absl::string_view xml = response.body;
  ReadHeader(response, kTypeHeader, error);
  ReadHeader(response, kQueryErrorHeader, error);
  if (error.code.empty()) error.code = CodeIn(Element(xml, "Code"));
  error.message = absl::CHexEscape(Line(Element(xml, "Message")));
  if (error.request_id.empty()) {
    const absl::string_view id = Element(xml, "RequestId");
    if (IsName(id)) error.request_id = std::string(id);
  }
}

std::string Quote(const http::Response& response) {
  const absl::string_view body = response.body;
  if (body.empty()) return "the answer has no body";
  return absl::StrCat("the answer is not an AWS error: \"",
                      absl::CHexEscape(body.substr(0, kMaxQuotedBytes)), "\"",
                      body.size() > kMaxQuotedBytes ? "..." : "");
}

}  // namespace

Error ParseError(const http::Response& response) {
  Error error{.http_status = response.status,
              .request_id = RequestId(response)};
  const absl::StatusOr<Json::Value> json = json::ParseValue(response.body);
  if (json.ok() && json->isObject()) {
    ReadJson(response, *json, error);
  } else {
    ReadXml(response, error);
  }
  if (error.message.empty() && error.code.empty()) {
    error.message = Quote(response);
  }
  if (error.code.empty()) error.code = kUnknownError;
  return error;
}

}  // namespace byoshin::aws
