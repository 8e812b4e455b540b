// The syntax tree of a document: operations and fragments, or definitions of a
// schema.
//
// Names and numbers are views of the document's text, which the document owns.
// Everything else is owned as usual. Made by parser.h; immutable afterwards.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_DOCUMENT_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_DOCUMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/appsync/graphql/error.h"

namespace byoshin::local::appsync::graphql::ast {

struct ObjectField;

struct Value {
  enum class Kind {
    kVariable,
    kInt,
    kFloat,
    kString,
    kBoolean,
    kNull,
    kEnum,
    kList,
    kObject,
  };
  Kind kind = Kind::kNull;
  Location location;
  // The name of a variable or enum value, or a number as it is written.
  absl::string_view text;
  // The content of a string.
  std::string string;
  bool boolean = false;
  // Of a list.
  std::vector<Value> elements;
  // Of an object.
  std::vector<ObjectField> fields;
};

struct ObjectField {
  absl::string_view name;
  Location location;
  Value value;
};

struct Argument {
  absl::string_view name;
  Location location;
  Value value;
};

struct Directive {
  absl::string_view name;
  Location location;
  std::vector<Argument> arguments;

  // Null if there is none.
  const Argument* Find(absl::string_view argument) const;
};

// A named type with what is around it.
struct TypeReference {
  absl::string_view name;
  Location location;
  // From the inside to the outside: '[' for a list, '!' for what is never null.
  // [String!]! is "![!".
  std::string modifiers;

  // As in a document: "[String!]!".
  std::string ToString() const;
};

// A field, a fragment's name, or a fragment in place.
struct Selection {
  enum class Kind { kField, kFragmentSpread, kInlineFragment };
  Kind kind = Kind::kField;
  Location location;
  // Of a field; empty if there is none.
  absl::string_view alias;
  // Of a field or a fragment; the type of an inline fragment, or empty.
  absl::string_view name;
  // Of an inline fragment's type.
  Location name_location;
  std::vector<Argument> arguments;
  std::vector<Directive> directives;
  // Of a field or an inline fragment.
  std::vector<Selection> selections;

  absl::string_view response_key() const {
    return alias.empty() ? name : alias;
  }
};

struct VariableDefinition {
  absl::string_view name;
  Location location;
  TypeReference type;
  std::optional<Value> default_value;
  std::vector<Directive> directives;
};

enum class OperationType { kQuery, kMutation, kSubscription };

// "query", "mutation" or "subscription".
absl::string_view OperationTypeName(OperationType type);

struct Operation {
  OperationType type = OperationType::kQuery;
  Location location;
  // Empty if it has none.
  absl::string_view name;
  std::vector<VariableDefinition> variables;
  std::vector<Directive> directives;
  std::vector<Selection> selections;
};

struct Fragment {
  absl::string_view name;
  Location location;
  absl::string_view type;
  Location type_location;
  std::vector<Directive> directives;
  std::vector<Selection> selections;
};

// An argument, or a field of an input object.
struct InputValueDefinition {
  std::optional<std::string> description;
  absl::string_view name;
  Location location;
  TypeReference type;
  std::optional<Value> default_value;
  std::vector<Directive> directives;
};

struct FieldDefinition {
  std::optional<std::string> description;
  absl::string_view name;
  Location location;
  std::vector<InputValueDefinition> arguments;
  TypeReference type;
  std::vector<Directive> directives;
};

struct EnumValueDefinition {
  std::optional<std::string> description;
  absl::string_view name;
  Location location;
  std::vector<Directive> directives;
};

struct NamedReference {
  absl::string_view name;
  Location location;
};

enum class TypeKind {
  kScalar,
  kObject,
  kInterface,
  kUnion,
  kEnum,
  kInputObject,
};

// "OBJECT", as introspection and the locations of directives have it.
absl::string_view NameOf(TypeKind kind);

enum class Extends { kNo, kYes };

struct TypeDefinition {
  TypeKind kind = TypeKind::kScalar;
  Extends extends = Extends::kNo;
  std::optional<std::string> description;
  absl::string_view name;
  Location location;
  std::vector<Directive> directives;
  // Of objects and interfaces.
  std::vector<NamedReference> interfaces;
  std::vector<FieldDefinition> fields;
  // Of unions.
  std::vector<NamedReference> members;
  // Of enums.
  std::vector<EnumValueDefinition> values;
  // Of input objects.
  std::vector<InputValueDefinition> input_fields;
};

struct DirectiveDefinition {
  std::optional<std::string> description;
  absl::string_view name;
  Location location;
  std::vector<InputValueDefinition> arguments;
  bool repeatable = false;
  std::vector<NamedReference> locations;
};

struct RootOperation {
  OperationType operation = OperationType::kQuery;
  absl::string_view type;
  Location location;
};

// `schema { query: Query }`
struct SchemaDefinition {
  Extends extends = Extends::kNo;
  std::optional<std::string> description;
  Location location;
  std::vector<Directive> directives;
  std::vector<RootOperation> operations;
};

struct Document {
  // In the order of the text, per kind.
  std::vector<Operation> operations;
  std::vector<Fragment> fragments;
  std::vector<SchemaDefinition> schemas;
  std::vector<TypeDefinition> types;
  std::vector<DirectiveDefinition> directives;

  // What views point into.
  std::string text;
  // The number of tokens in it.
  size_t tokens = 0;

  Document() = default;
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;
};

}  // namespace byoshin::local::appsync::graphql::ast

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_DOCUMENT_H_
