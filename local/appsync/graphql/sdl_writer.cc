// Schema::ToSdl().
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/printer.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {
namespace {

class SdlWriter {
 public:
  explicit SdlWriter(Schema::Directives directives) : directives_(directives) {}

  void WriteSchema(const Schema& schema);
  void WriteDirective(const DirectiveDefinition& directive);
  void WriteType(const NamedType& type);
  std::string Take() { return std::move(out_); }

 private:
  void Describe(const std::optional<absl::string_view>& text,
                absl::string_view indent);
  void Use(const ast::Directive& directive);
  void Use(absl::Span<const ast::Directive> directives);
  void WriteArguments(absl::Span<const InputValue> arguments);
  void WriteInputValue(const InputValue& value);
  void WriteFields(const NamedType& type);
  void WriteInputFields(const NamedType& type);
  void WriteValues(const NamedType& type);

  const Schema::Directives directives_;
  std::string out_;
};

void SdlWriter::Describe(const std::optional<absl::string_view>& text,
                         absl::string_view indent) {
  if (text.has_value()) {
    absl::StrAppend(&out_, text->empty() ? absl::StrCat(indent, "\"\"\n")
                                         : PrintDescription(*text, indent));
  }
}

void SdlWriter::Use(const ast::Directive& directive) {
  // A deprecation is part of the schema's meaning.
  if (directives_ == Schema::Directives::kLeaveOut &&
      directive.name != "deprecated") {
    return;
  }
  absl::StrAppend(&out_, " ", PrintDirective(directive));
}

void SdlWriter::Use(absl::Span<const ast::Directive> directives) {
  for (const ast::Directive& directive : directives) Use(directive);
}

void SdlWriter::WriteInputValue(const InputValue& value) {
  absl::StrAppend(&out_, value.name, ": ", value.type.ToString());
  if (value.default_value != nullptr) {
    absl::StrAppend(&out_, " = ", PrintValue(*value.default_value));
  }
  Use(value.directives);
}

void SdlWriter::WriteArguments(absl::Span<const InputValue> arguments) {
  if (arguments.empty()) return;
  out_ += '(';
  for (const InputValue& argument : arguments) {
    if (&argument != &arguments.front()) out_ += ", ";
    if (argument.description.has_value()) {
      absl::StrAppend(&out_, PrintString(*argument.description), " ");
    }
    WriteInputValue(argument);
  }
  out_ += ')';
}

void SdlWriter::WriteSchema(const Schema& schema) {
  Describe(schema.description(), "");
  out_ += "schema {\n";
  for (const OperationType operation :
       {OperationType::kQuery, OperationType::kMutation,
        OperationType::kSubscription}) {
    const NamedType* type = schema.RootType(operation);
    if (type == nullptr) continue;
    absl::StrAppend(&out_, "  ", ast::OperationTypeName(operation), ": ",
                    type->name, "\n");
  }
  out_ += "}\n";
}

void SdlWriter::WriteDirective(const DirectiveDefinition& directive) {
  out_ += '\n';
  Describe(directive.description, "");
  absl::StrAppend(&out_, "directive @", directive.name);
  WriteArguments(directive.arguments);
  absl::StrAppend(&out_, directive.repeatable ? " repeatable" : "", " on ",
                  absl::StrJoin(directive.locations, " | "), "\n");
}

void SdlWriter::WriteFields(const NamedType& type) {
  out_ += " {\n";
  for (const FieldDefinition& field : type.fields) {
    Describe(field.description, "  ");
    absl::StrAppend(&out_, "  ", field.name);
    WriteArguments(field.arguments);
    absl::StrAppend(&out_, ": ", field.type.ToString());
    Use(field.directives);
    out_ += '\n';
  }
  out_ += "}\n";
}

void SdlWriter::WriteInputFields(const NamedType& type) {
  out_ += " {\n";
  for (const InputValue& field : type.input_fields) {
    Describe(field.description, "  ");
    out_ += "  ";
    WriteInputValue(field);
    out_ += '\n';
  }
  out_ += "}\n";
}

void SdlWriter::WriteValues(const NamedType& type) {
  out_ += " {\n";
  for (const EnumValue& value : type.values) {
    Describe(value.description, "  ");
    absl::StrAppend(&out_, "  ", value.name);
    Use(value.directives);
    out_ += '\n';
  }
  out_ += "}\n";
}

void SdlWriter::WriteType(const NamedType& type) {
  const auto name_of = [](std::string* out, const NamedType* other) {
    absl::StrAppend(out, other->name);
  };
  constexpr absl::string_view kKeywords[] = {"scalar", "type", "interface",
                                             "union",  "enum", "input"};
  out_ += '\n';
  Describe(type.description, "");
  absl::StrAppend(&out_, kKeywords[static_cast<int>(type.kind)], " ",
                  type.name);
  if (!type.interfaces.empty()) {
    absl::StrAppend(&out_, " implements ",
                    absl::StrJoin(type.interfaces, " & ", name_of));
  }
  for (const ast::Directive* directive : type.directives) Use(*directive);
  switch (type.kind) {
    case TypeKind::kScalar:
      out_ += '\n';
      return;
    case TypeKind::kObject:
    case TypeKind::kInterface:
      return WriteFields(type);
    case TypeKind::kUnion:
      absl::StrAppend(&out_, " = ",
                      absl::StrJoin(type.possible_types, " | ", name_of), "\n");
      return;
    case TypeKind::kEnum:
      return WriteValues(type);
    case TypeKind::kInputObject:
      return WriteInputFields(type);
  }
}

}  // namespace

std::string Schema::ToSdl(Directives directives) const {
  SdlWriter writer(directives);
  writer.WriteSchema(*this);
  if (directives == Directives::kInclude) {
    for (const DirectiveDefinition& directive : directives_) {
      if (!directive.built_in) writer.WriteDirective(directive);
    }
  }
  for (const NamedType* type : types_) {
    if (!type->built_in) writer.WriteType(*type);
  }
  return writer.Take();
}

}  // namespace byoshin::local::appsync::graphql
