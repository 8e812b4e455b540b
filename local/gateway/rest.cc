#include "local/gateway/rest.h"

#include <json/json.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/gateway/error.h"

namespace byoshin::local {

Answer RestAnswer(const Json::Value& value) {
  return {.content_type = kRestContentType, .body = json::WriteValue(value)};
}

Answer RestErrorAnswer(const absl::Status& status, MessageSpelling spelling) {
  const ErrorAnswer error = ErrorAnswerOf(status);
  Answer answer{.status = error.http_status, .content_type = kRestContentType};
  answer.headers.push_back({"x-amzn-ErrorType", error.code});
  answer.body = spelling == MessageSpelling::kUpperCase ? "{\"Message\":"
                                                        : "{\"message\":";
  json::AppendQuoted(error.message, answer.body);
  if (!error.json_members.empty()) {
    absl::StrAppend(&answer.body, ",", error.json_members);
  }
  answer.body += "}";
  return answer;
}

absl::string_view FindHeader(const Call& call, absl::string_view name) {
  for (const http::Header& header : call.headers) {
    if (absl::EqualsIgnoreCase(header.name, name)) return header.value;
  }
  return {};
}

std::string FindParameter(const Call& call, absl::string_view name) {
  for (absl::string_view pair : absl::StrSplit(call.query, '&')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(pair, absl::MaxSplits('=', 1));
    if (parts.first == name) return PercentDecoded(parts.second);
  }
  return "";
}

std::optional<char> HexByte(absl::string_view digits) {
  int value = 0;
  for (char digit : digits) {
    if (!absl::ascii_isxdigit(static_cast<unsigned char>(digit))) {
      return std::nullopt;
    }
    value = value * 16 +
            (absl::ascii_isdigit(static_cast<unsigned char>(digit))
                 ? digit - '0'
                 : absl::ascii_tolower(static_cast<unsigned char>(digit)) -
                       'a' + 10);
  }
  return static_cast<char>(value);
}

std::string PercentDecoded(absl::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::optional<char> byte;
    if (text[i] == '%' && i + 2 < text.size()) {
      byte = HexByte(text.substr(i + 1, 2));
    }
    decoded += byte.value_or(text[i]);
    if (byte.has_value()) i += 2;
  }
  return decoded;
}

std::optional<std::vector<std::string>> MatchPath(absl::string_view pattern,
                                                  absl::string_view path) {
  absl::ConsumeSuffix(&path, "/");
  const std::vector<absl::string_view> wanted = absl::StrSplit(pattern, '/');
  const std::vector<absl::string_view> parts = absl::StrSplit(path, '/');
  if (wanted.size() != parts.size()) return std::nullopt;
  std::vector<std::string> values;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (absl::StartsWith(wanted[i], "{")) {
      if (parts[i].empty()) return std::nullopt;
      values.push_back(PercentDecoded(parts[i]));
    } else if (wanted[i] != parts[i]) {
      return std::nullopt;
    }
  }
  return values;
}

}  // namespace byoshin::local
