#include "core/http/response_writer.h"

#include <json/json.h>

#include <algorithm>
#include <boost/beast/http/status.hpp>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/json/value.h"

namespace byoshin::http {
namespace {

// RFC 9110, section 5.6.2.
bool IsTokenCharacter(char c) {
  return absl::ascii_isalnum(c) ||
         absl::StrContains("!#$%&'*+-.^_`|~", absl::string_view(&c, 1));
}

bool IsFieldName(absl::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), IsTokenCharacter);
}

bool IsFieldValue(absl::string_view value) {
  return std::none_of(value.begin(), value.end(), [](char c) {
    return absl::ascii_iscntrl(c) && c != '\t';
  });
}

absl::string_view ReasonPhrase(int status) {
  const auto phrase = boost::beast::http::obsolete_reason(
      boost::beast::http::int_to_status(status));
  return absl::string_view(phrase.data(), phrase.size());
}

}  // namespace

absl::Status CheckResponse(const ServerResponse& response) {
  if (response.status < 200 || response.status > 599) {
    return absl::InvalidArgumentError(
        absl::StrCat("status ", response.status, " is not within 200 to 599"));
  }
  for (const Header& header : response.headers) {
    if (!IsFieldName(header.name)) {
      return absl::InvalidArgumentError(
          absl::StrCat("not a header name: ", json::Describe(header.name)));
    }
    if (!IsFieldValue(header.value)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the value of header ", header.name, " has control characters"));
    }
  }
  return absl::OkStatus();
}

// Formats the text only once a second.
const std::string& FormatDate(absl::Time date) {
  thread_local absl::Time second = absl::InfinitePast();
  thread_local std::string text;
  if (date < second || date >= second + absl::Seconds(1)) {
    second = absl::FromUnixSeconds(absl::ToUnixSeconds(date));
    text = absl::FormatTime("%a, %d %b %Y %H:%M:%S GMT", date,
                            absl::UTCTimeZone());
  }
  return text;
}

bool IsSetByServer(absl::string_view name) {
  return absl::EqualsIgnoreCase(name, "Connection") ||
         absl::EqualsIgnoreCase(name, "Content-Length") ||
         absl::EqualsIgnoreCase(name, "Transfer-Encoding");
}

bool WantsClose(const ServerResponse& response) {
  for (const Header& header : response.headers) {
    if (absl::EqualsIgnoreCase(header.name, "Connection") &&
        absl::EqualsIgnoreCase(header.value, "close")) {
      return true;
    }
  }
  return false;
}

bool HasBody(int status) { return status != 204 && status != 304; }

std::string FormatHead(const ServerResponse& response,
                       const HeadOptions& options) {
  std::string head = absl::StrCat("HTTP/1.1 ", response.status, " ",
                                  ReasonPhrase(response.status), "\r\n");
  bool dated = false;
  for (const Header& header : response.headers) {
    if (IsSetByServer(header.name)) continue;
    dated = dated || absl::EqualsIgnoreCase(header.name, "Date");
    absl::StrAppend(&head, header.name, ": ", header.value, "\r\n");
  }
  if (options.date.has_value() && !dated) {
    absl::StrAppend(&head, "Date: ", FormatDate(*options.date), "\r\n");
  }
  const bool has_body = HasBody(response.status);
  if (has_body && options.framing == Framing::kChunked) {
    absl::StrAppend(&head, "Transfer-Encoding: chunked\r\n");
  } else if (has_body && options.framing == Framing::kLength) {
    absl::StrAppend(&head, "Content-Length: ", response.body.size(), "\r\n");
  }
  if (options.persistence == Persistence::kClose) {
    absl::StrAppend(&head, "Connection: close\r\n");
  } else if (options.persistence == Persistence::kKeepOpenExplicitly) {
    absl::StrAppend(&head, "Connection: keep-alive\r\n");
  }
  absl::StrAppend(&head, "\r\n");
  return head;
}

ServerResponse ErrorResponse(int status, absl::string_view reason) {
  Json::Value body;
  body["error"] = std::string(reason);
  return {.status = status,
          .headers = {{"Content-Type", "application/json"}},
          .body = json::WriteValue(body)};
}

}  // namespace byoshin::http
