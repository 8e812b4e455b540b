#include "local/apigateway/access_log.h"

#include <cstddef>
#include <map>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"

namespace byoshin::local::apigateway {
namespace {

constexpr absl::string_view kPrefix = "$context.";

// The length of the variable name at the start of `text`: letters, with dots
// between them.
std::size_t NameLength(absl::string_view text) {
  std::size_t length = 0;
  while (length < text.size() &&
         (absl::ascii_isalnum(static_cast<unsigned char>(text[length])) ||
          text[length] == '.' || text[length] == '_' || text[length] == '-')) {
    ++length;
  }
  while (length > 0 && text[length - 1] == '.') --length;
  return length;
}

std::string Escaped(absl::string_view value) {
  std::string quoted;
  json::AppendQuoted(value, quoted);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

std::string FormatAccessLog(absl::string_view format,
                            const std::map<std::string, std::string>& values) {
  std::string line;
  while (!format.empty()) {
    const std::size_t at = format.find(kPrefix);
    absl::StrAppend(&line, format.substr(0, at));
    if (at == absl::string_view::npos) break;
    format.remove_prefix(at + kPrefix.size());
    const std::size_t length = NameLength(format);
    const auto value = values.find(std::string(format.substr(0, length)));
    const bool known = value != values.end() && !value->second.empty();
    absl::StrAppend(&line, known ? Escaped(value->second) : "-");
    format.remove_prefix(length);
  }
  return line;
}

}  // namespace byoshin::local::apigateway
