#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "infra/cloudformation/value.h"
#include "infra/cloudformation/writer.h"

namespace byoshin::infra::cloudformation {
namespace {

// Words that a YAML 1.1 parser, such as CloudFormation's, does not read as
// text.
bool IsYamlWord(absl::string_view text) {
  static constexpr std::array<absl::string_view, 9> kWords = {
      "y", "n", "yes", "no", "on", "off", "true", "false", "null"};
  const std::string lower = absl::AsciiStrToLower(text);
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

bool IsPlainCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
         absl::StrContains(" :/._-,;()+=", c);
}

// Whether `text` needs no quotes. A text that starts with a letter or a slash
// is not a number or a date.
bool IsPlain(absl::string_view text) {
  if (text.empty() || IsYamlWord(text)) return false;
  const unsigned char first = text.front();
  return (absl::ascii_isalpha(first) || first == '/') && text.back() != ' ' &&
         text.back() != ':' && !absl::StrContains(text, ": ") &&
         std::all_of(text.begin(), text.end(), IsPlainCharacter);
}

// A JSON string is a double-quoted YAML string.
std::string Scalar(const Value& value) {
  const auto* text = value.IfIs<std::string>();
  if (text != nullptr && IsPlain(*text)) return *text;
  return ToCompactJson(value);
}

bool IsBlock(const Value& value) {
  const auto* members = value.IfIs<Value::Members>();
  const auto* items = value.IfIs<Value::Items>();
  return (members != nullptr && !members->empty()) ||
         (items != nullptr && !items->empty());
}

// "A.B" for the [A, B] of GetAtt, whose short form takes one text; otherwise
// the argument itself.
Value ShortFormArgument(const Value::Function& function) {
  const Value& argument = function.argument.front();
  if (function.name != "Fn::GetAtt") return argument;
  const Value::Items& parts = argument.As<Value::Items>();
  return absl::StrCat(parts[0].As<std::string>(), ".",
                      parts[1].As<std::string>());
}

class YamlWriter {
 public:
  void WriteDocument(const Value& value) {
    if (!IsBlock(value)) {
      absl::StrAppend(&out_, Scalar(value), "\n");
      return;
    }
    WriteBlock(value, 0);
  }

  std::string Take() { return std::move(out_); }

 private:
  // The lines of a list or an object, each indented by `indent`, starting at
  // the beginning of a line.
  void WriteBlock(const Value& value, size_t indent) {
    WriteBlockItems(value, indent, /*first_indent=*/indent);
  }

  // `first_indent` is 0 where the first line continues a "- ".
  void WriteBlockItems(const Value& value, size_t indent, size_t first_indent) {
    size_t lead = first_indent;
    if (const auto* items = value.IfIs<Value::Items>()) {
      for (const Value& item : *items) {
        out_.append(lead, ' ');
        out_ += '-';
        WriteListItem(item, indent);
        lead = indent;
      }
      return;
    }
    for (const auto& [key, member] : value.As<Value::Members>()) {
      // An empty line between sections.
      if (indent == 0 && !out_.empty()) out_ += '\n';
      out_.append(lead, ' ');
      absl::StrAppend(&out_, Scalar(key), ":");
      WriteAfterMark(member, indent);
      lead = indent;
    }
  }

  void WriteListItem(const Value& item, size_t indent) {
    if (!item.Is<Value::Function>() && IsBlock(item)) {
      out_ += ' ';
      WriteBlockItems(item, indent + 2, /*first_indent=*/0);
    } else {
      WriteAfterMark(item, indent);
    }
  }

  // What follows "key:" or "-" on its line, and the lines that belong to it.
  void WriteAfterMark(const Value& value, size_t indent) {
    const auto* function = value.IfIs<Value::Function>();
    if (function == nullptr) {
      WriteContent(value, indent);
      return;
    }
    const absl::string_view name =
        absl::StripPrefix(absl::string_view(function->name), "Fn::");
    absl::StrAppend(&out_, " !", name);
    WriteContent(ShortFormArgument(*function), indent);
  }

  void WriteContent(const Value& value, size_t indent) {
    if (IsBlock(value)) {
      out_ += '\n';
      WriteBlock(value, indent + 2);
    } else {
      absl::StrAppend(&out_, " ", Scalar(value), "\n");
    }
  }

  std::string out_;
};

}  // namespace

std::string ToYaml(const Value& value) {
  YamlWriter writer;
  writer.WriteDocument(value);
  return writer.Take();
}

}  // namespace byoshin::infra::cloudformation
