#include "local/appsync/graphql/printer.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/json/text.h"
#include "local/appsync/graphql/document.h"

namespace byoshin::local::appsync::graphql {
namespace {

void AppendValue(const ast::Value& value, std::string& out) {
  using Kind = ast::Value::Kind;
  switch (value.kind) {
    case Kind::kVariable:
      absl::StrAppend(&out, "$", value.text);
      return;
    case Kind::kString:
      json::AppendQuoted(value.string, out);
      return;
    case Kind::kList:
      out += '[';
      for (const ast::Value& element : value.elements) {
        if (&element != &value.elements.front()) out += ", ";
        AppendValue(element, out);
      }
      out += ']';
      return;
    case Kind::kObject:
      out += '{';
      for (const ast::ObjectField& field : value.fields) {
        if (&field != &value.fields.front()) out += ", ";
        absl::StrAppend(&out, field.name, ": ");
        AppendValue(field.value, out);
      }
      out += '}';
      return;
    case Kind::kInt:
    case Kind::kFloat:
    case Kind::kBoolean:
    case Kind::kNull:
    case Kind::kEnum:
      absl::StrAppend(&out, value.text);
      return;
  }
}

void AppendArguments(absl::Span<const ast::Argument> arguments,
                     std::string& out) {
  if (arguments.empty()) return;
  out += '(';
  for (const ast::Argument& argument : arguments) {
    if (&argument != &arguments.front()) out += ", ";
    absl::StrAppend(&out, argument.name, ": ");
    AppendValue(argument.value, out);
  }
  out += ')';
}

void AppendSelections(absl::Span<const ast::Selection> selections,
                      size_t indent, std::string& out);

void AppendSelection(const ast::Selection& selection, size_t indent,
                     std::string& out) {
  using Kind = ast::Selection::Kind;
  out.append(indent, ' ');
  switch (selection.kind) {
    case Kind::kField:
      if (!selection.alias.empty())
        absl::StrAppend(&out, selection.alias, ": ");
      absl::StrAppend(&out, selection.name);
      break;
    case Kind::kFragmentSpread:
      absl::StrAppend(&out, "...", selection.name);
      break;
    case Kind::kInlineFragment:
      out += "...";
      if (!selection.name.empty())
        absl::StrAppend(&out, " on ", selection.name);
      break;
  }
  AppendArguments(selection.arguments, out);
  for (const ast::Directive& directive : selection.directives) {
    absl::StrAppend(&out, " ", PrintDirective(directive));
  }
  if (!selection.selections.empty()) {
    out += ' ';
    AppendSelections(selection.selections, indent, out);
  }
  out += '\n';
}

void AppendSelections(absl::Span<const ast::Selection> selections,
                      size_t indent, std::string& out) {
  out += "{\n";
  for (const ast::Selection& selection : selections) {
    AppendSelection(selection, indent + 2, out);
  }
  out.append(indent, ' ');
  out += '}';
}

void AppendDescription(const ast::Value& value, std::string& out) {
  using Kind = ast::Value::Kind;
  switch (value.kind) {
    case Kind::kVariable:
      absl::StrAppend(&out, "VariableReference{name='", value.text, "'}");
      return;
    case Kind::kInt:
      absl::StrAppend(&out, "IntValue{value=", value.text, "}");
      return;
    case Kind::kFloat:
      absl::StrAppend(&out, "FloatValue{value=", value.text, "}");
      return;
    case Kind::kString:
      absl::StrAppend(&out, "StringValue{value='", value.string, "'}");
      return;
    case Kind::kBoolean:
      absl::StrAppend(&out, "BooleanValue{value=", value.text, "}");
      return;
    case Kind::kNull:
      out += "NullValue{}";
      return;
    case Kind::kEnum:
      absl::StrAppend(&out, "EnumValue{name='", value.text, "'}");
      return;
    case Kind::kList:
      out += "ArrayValue{values=[";
      for (const ast::Value& element : value.elements) {
        if (&element != &value.elements.front()) out += ", ";
        AppendDescription(element, out);
      }
      out += "]}";
      return;
    case Kind::kObject:
      out += "ObjectValue{objectFields=[";
      for (const ast::ObjectField& field : value.fields) {
        if (&field != &value.fields.front()) out += ", ";
        absl::StrAppend(&out, "ObjectField{name='", field.name, "', value=");
        AppendDescription(field.value, out);
        out += '}';
      }
      out += "]}";
      return;
  }
}

// Whether a block string keeps `text` as it is.
bool FitsBlock(absl::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\n' && c != '\t') return false;
  }
  const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  const auto blank = [](absl::string_view line) {
    return line.find_first_not_of(" \t") == absl::string_view::npos;
  };
  if (blank(lines.front()) || blank(lines.back())) return false;
  // Common indentation would be removed.
  return text.front() != ' ' && text.front() != '\t';
}

}  // namespace

std::string PrintString(absl::string_view text) {
  std::string out;
  json::AppendQuoted(text, out);
  return out;
}

std::string PrintValue(const ast::Value& value) {
  std::string out;
  AppendValue(value, out);
  return out;
}

std::string DescribeValue(const ast::Value& value) {
  std::string out;
  AppendDescription(value, out);
  return out;
}

std::string PrintDirective(const ast::Directive& directive) {
  std::string out = absl::StrCat("@", directive.name);
  AppendArguments(directive.arguments, out);
  return out;
}

std::string PrintSelections(absl::Span<const ast::Selection> selections) {
  std::string out;
  if (!selections.empty()) AppendSelections(selections, 0, out);
  return out;
}

std::string PrintDescription(absl::string_view text, absl::string_view indent) {
  if (!FitsBlock(text)) return absl::StrCat(indent, PrintString(text), "\n");
  std::string out = absl::StrCat(indent, "\"\"\"\n");
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!line.empty()) {
      absl::StrAppend(&out, indent,
                      absl::StrReplaceAll(line, {{"\"\"\"", "\\\"\"\""}}));
    }
    out += '\n';
  }
  absl::StrAppend(&out, indent, "\"\"\"\n");
  return out;
}

}  // namespace byoshin::local::appsync::graphql
