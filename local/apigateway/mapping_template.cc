#include "local/apigateway/mapping_template.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/text.h"
#include "core/json/value.h"

namespace byoshin::local::apigateway {
namespace {

// The JSON without spaces between its tokens. Members keep their order.
absl::StatusOr<std::string> CompactJson(absl::string_view body) {
  // AWS reads a missing body as an empty object.
  if (absl::StripAsciiWhitespace(body).empty()) return "{}";
  if (const absl::Status valid = json::ParseValue(body).status(); !valid.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Could not parse request body into json: ", valid.message()));
  }
  std::string compact;
  bool in_string = false;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    if (!in_string && absl::ascii_isspace(c)) continue;
    if (c == '"') in_string = !in_string;
    compact += c;
    if (in_string && c == '\\') compact += body[++i];
  }
  return compact;
}

// Consumes one of `token`, with spaces around it.
bool ConsumeToken(absl::string_view& rest, absl::string_view token) {
  absl::string_view text = absl::StripLeadingAsciiWhitespace(rest);
  if (!absl::ConsumePrefix(&text, token)) return false;
  rest = absl::StripLeadingAsciiWhitespace(text);
  return true;
}

// Whether a reference that ends before `rest` goes on: a property, a method, an
// index or a longer name.
bool GoesOn(absl::string_view rest, bool after_name) {
  if (rest.empty()) return false;
  const char c = rest.front();
  if (c == '.') return rest.size() > 1 && absl::ascii_isalpha(rest[1]);
  if (c == '[') return true;
  return after_name &&
         (absl::ascii_isalnum(c) || c == '_' || c == '-' || c == '(');
}

// The length of the name at the start of `text`: letters, digits, "_" and "-",
// with dots between them.
std::size_t VariableNameLength(absl::string_view text) {
  std::size_t length = 0;
  while (length < text.size() &&
         (absl::ascii_isalnum(static_cast<unsigned char>(text[length])) ||
          absl::StrContains("._-", text.substr(length, 1)))) {
    ++length;
  }
  while (length > 0 && text[length - 1] == '.') --length;
  return length;
}

}  // namespace

class MappingTemplate::Parser {
 public:
  explicit Parser(absl::string_view rest) : rest_(rest) {}

  absl::StatusOr<std::vector<Part>> Parse() {
    std::vector<Part> parts;
    while (!rest_.empty()) {
      const std::size_t length =
          std::min(rest_.find_first_of("$#"), rest_.size());
      if (length == 0) {
        const absl::string_view at = rest_;
        std::optional<Part> reference = Reference();
        if (!reference.has_value()) return Unsupported(at);
        parts.push_back(*std::move(reference));
        continue;
      }
      // A backslash would escape what follows it.
      if (length < rest_.size() && rest_[length - 1] == '\\') {
        return Unsupported(rest_.substr(length - 1));
      }
      parts.push_back({.text = std::string(rest_.substr(0, length))});
      rest_.remove_prefix(length);
    }
    return parts;
  }

 private:
  static absl::Status Unsupported(absl::string_view text) {
    return absl::UnimplementedError(absl::StrCat(
        "the mapping template has ", json::Excerpt(text.substr(0, 40)),
        "; supported are text, $input.json('$'), $input.body, "
        "$input.params('NAME'), $context.NAME, $stageVariables.NAME and "
        "$util.escapeJavaScript() of these"));
  }

  std::optional<Part> Reference() {
    if (!absl::ConsumePrefix(&rest_, "$util.escapeJavaScript(")) {
      return Operand();
    }
    rest_ = absl::StripLeadingAsciiWhitespace(rest_);
    std::optional<Part> part = Operand();
    if (!part.has_value()) return std::nullopt;
    rest_ = absl::StripLeadingAsciiWhitespace(rest_);
    if (!absl::ConsumePrefix(&rest_, ")")) return std::nullopt;
    part->escape = Part::Escape::kJavaScript;
    if (absl::ConsumePrefix(&rest_, ".replaceAll(")) {
      // The regular expression \\' matches a backslash and an apostrophe.
      if (!ConsumeToken(rest_, R"("\\'")") || !ConsumeToken(rest_, ",") ||
          !ConsumeToken(rest_, R"("'")") || !absl::ConsumePrefix(&rest_, ")")) {
        return std::nullopt;
      }
      part->escape = Part::Escape::kJavaScriptExceptApostrophes;
    }
    if (GoesOn(rest_, /*after_name=*/false)) return std::nullopt;
    return part;
  }

  // What $util.escapeJavaScript() may be applied to.
  std::optional<Part> Operand() {
    if (absl::ConsumePrefix(&rest_, "$context.")) {
      return Variable(ParameterSource::Kind::kContext);
    }
    if (absl::ConsumePrefix(&rest_, "$stageVariables.")) {
      return Variable(ParameterSource::Kind::kStageVariable);
    }
    if (absl::ConsumePrefix(&rest_, "$input.params(")) return Parameter();
    return BodyReference();
  }

  std::optional<Part> Variable(ParameterSource::Kind kind) {
    const std::size_t length = VariableNameLength(rest_);
    if (length == 0) return std::nullopt;
    const absl::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (absl::StartsWith(rest_, "(") || absl::StartsWith(rest_, "[")) {
      return std::nullopt;
    }
    return Part{.kind = Part::Kind::kVariable,
                .source = {.kind = kind, .name = std::string(name)}};
  }

  // The rest of $input.params('name').
  std::optional<Part> Parameter() {
    rest_ = absl::StripLeadingAsciiWhitespace(rest_);
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) {
      return std::nullopt;
    }
    const char quote = rest_[0];
    const std::size_t end = rest_.find(quote, 1);
    if (end == absl::string_view::npos) return std::nullopt;
    const absl::string_view name = rest_.substr(1, end - 1);
    rest_ = absl::StripLeadingAsciiWhitespace(rest_.substr(end + 1));
    if (!absl::ConsumePrefix(&rest_, ")") ||
        GoesOn(rest_, /*after_name=*/false)) {
      return std::nullopt;
    }
    return Part{.kind = Part::Kind::kParameter, .text = std::string(name)};
  }

  std::optional<Part> BodyReference() {
    if (absl::ConsumePrefix(&rest_, "$input.body")) {
      if (GoesOn(rest_, /*after_name=*/true)) return std::nullopt;
      return Part{.kind = Part::Kind::kBody};
    }
    if (!absl::ConsumePrefix(&rest_, "$input.json(")) return std::nullopt;
    if (!ConsumeToken(rest_, "'$'") && !ConsumeToken(rest_, "\"$\"")) {
      return std::nullopt;
    }
    if (!absl::ConsumePrefix(&rest_, ")") ||
        GoesOn(rest_, /*after_name=*/false)) {
      return std::nullopt;
    }
    return Part{.kind = Part::Kind::kJson};
  }

  absl::string_view rest_;
};

absl::StatusOr<MappingTemplate> MappingTemplate::Parse(
    absl::string_view source) {
  absl::StatusOr<std::vector<Part>> parts = Parser(source).Parse();
  if (!parts.ok()) return parts.status();
  MappingTemplate parsed;
  parsed.source_ = std::string(source);
  parsed.parts_ = *std::move(parts);
  return parsed;
}

std::string MappingTemplate::Escaped(absl::string_view text,
                                     Part::Escape escape) {
  if (escape == Part::Escape::kNone) return std::string(text);
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '\n':
        escaped += "\\n";
        break;
      case '\r':
        escaped += "\\r";
        break;
      case '\t':
        escaped += "\\t";
        break;
      case '\b':
        escaped += "\\b";
        break;
      case '\f':
        escaped += "\\f";
        break;
      case '\'':
        escaped += escape == Part::Escape::kJavaScript ? "\\'" : "'";
        break;
      case '"':
      case '\\':
      case '/':
        escaped += {'\\', c};
        break;
      default:
        if (absl::ascii_iscntrl(c)) {
          absl::StrAppendFormat(&escaped, "\\u%04X", c);
        } else {
          escaped += c;
        }
    }
  }
  return escaped;
}

absl::StatusOr<std::string> MappingTemplate::ValueOfPart(
    const Part& part, const TemplateInput& input) {
  switch (part.kind) {
    case Part::Kind::kText:
      return part.text;
    case Part::Kind::kBody:
      return std::string(input.body);
    case Part::Kind::kJson:
      return CompactJson(input.body);
    case Part::Kind::kParameter:
      if (input.values == nullptr) return "";
      return AnyParameter(part.text, *input.values).value_or("");
    case Part::Kind::kVariable:
      if (input.values == nullptr) return "";
      return ValueOf(part.source, *input.values).value_or("");
  }
  return "";
}

absl::StatusOr<std::string> MappingTemplate::Render(
    const TemplateInput& input) const {
  std::string rendered;
  for (const Part& part : parts_) {
    absl::StatusOr<std::string> value = ValueOfPart(part, input);
    if (!value.ok()) return value.status();
    rendered += Escaped(*value, part.escape);
  }
  return rendered;
}

}  // namespace byoshin::local::apigateway
