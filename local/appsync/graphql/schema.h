// A schema: types with their fields, and what AppSync's directives say of them.
//
//   ParsedSchema parsed = Schema::Parse(sdl);
//   if (parsed.schema == nullptr) return Refuse(parsed.errors);
//   const NamedType* query = parsed.schema->query_type();
//   if (const FieldDefinition* field = query->FindField("hero")) {
//     if (field->authorization.any()) ...
//   }
//
// AppSync's scalars and directives are there without being declared; declaring
// one of its directives again is harmless, custom scalars are refused.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_SCHEMA_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_SCHEMA_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"

namespace byoshin::local::appsync::graphql {

using ast::OperationType;
using ast::TypeKind;

enum class ScalarKind : uint8_t;
struct NamedType;

// A type with what is around it, such as [String!]!. A view: the schema or the
// document that it is from must outlive it.
struct Type {
  const NamedType* named = nullptr;
  // See ast::TypeReference.
  absl::string_view modifiers;

  bool is_non_null() const {
    return !modifiers.empty() && modifiers.back() == '!';
  }
  bool is_list() const { return !modifiers.empty() && modifiers.back() == '['; }
  // Without the outermost list or '!'. Requires that there is one.
  Type Inner() const {
    return {named, modifiers.substr(0, modifiers.size() - 1)};
  }
  Type Nullable() const { return is_non_null() ? Inner() : *this; }
  // "[String!]!"
  std::string ToString() const;

  friend bool operator==(const Type&, const Type&) = default;
};

// Who may see a type or a field, by the directives on it.
struct Authorization {
  bool api_key = false;             // @aws_api_key
  bool iam = false;                 // @aws_iam
  bool oidc = false;                // @aws_oidc
  bool lambda = false;              // @aws_lambda
  bool cognito_user_pools = false;  // @aws_cognito_user_pools
  // Its cognito_groups; std::nullopt is everybody.
  std::optional<std::vector<std::string>> cognito_groups;
  bool aws_auth = false;  // @aws_auth
  std::optional<std::vector<std::string>> aws_auth_groups;

  bool any() const {
    return api_key || iam || oidc || lambda || cognito_user_pools || aws_auth;
  }
};

// An argument, or a field of an input object.
struct InputValue {
  absl::string_view name;
  std::optional<absl::string_view> description;
  Type type;
  // Null if it has none.
  const ast::Value* default_value = nullptr;
  // The default value coerced to the type.
  Data default_data;
  absl::Span<const ast::Directive> directives;

  bool is_required() const {
    return type.is_non_null() && default_value == nullptr;
  }
};

struct FieldDefinition {
  absl::string_view name;
  std::optional<absl::string_view> description;
  std::vector<InputValue> arguments;
  Type type;
  std::optional<std::string> deprecation_reason;
  Authorization authorization;
  // The mutations of @aws_subscribe. Empty without the directive.
  std::vector<std::string> subscribes_to;
  absl::Span<const ast::Directive> directives;

  // Null if there is none.
  const InputValue* FindArgument(absl::string_view name) const;
};

struct EnumValue {
  absl::string_view name;
  std::optional<absl::string_view> description;
  std::optional<std::string> deprecation_reason;
  absl::Span<const ast::Directive> directives;
};

struct NamedType {
  TypeKind kind = TypeKind::kScalar;
  absl::string_view name;
  std::optional<absl::string_view> description;
  // Of a scalar.
  ScalarKind scalar = {};
  // Of objects and interfaces, in the order of the text.
  std::vector<FieldDefinition> fields;
  std::vector<const NamedType*> interfaces;
  // Of enums.
  std::vector<EnumValue> values;
  // Of input objects.
  std::vector<InputValue> input_fields;
  // The objects that a value of an interface or union may be; of an object,
  // itself. In the order of the text.
  std::vector<const NamedType*> possible_types;
  Authorization authorization;
  // Of the definition and its extensions.
  std::vector<const ast::Directive*> directives;
  // Whether it came with AppSync or GraphQL rather than in the text.
  bool built_in = false;

  bool is_leaf() const {
    return kind == TypeKind::kScalar || kind == TypeKind::kEnum;
  }
  bool is_composite() const {
    return kind == TypeKind::kObject || is_abstract();
  }
  bool is_abstract() const {
    return kind == TypeKind::kInterface || kind == TypeKind::kUnion;
  }
  bool is_input() const { return is_leaf() || kind == TypeKind::kInputObject; }
  bool is_output() const { return kind != TypeKind::kInputObject; }

  // Null if there is none. FindField() does not know __typename.
  const FieldDefinition* FindField(absl::string_view name) const;
  const InputValue* FindInputField(absl::string_view name) const;
  const EnumValue* FindValue(absl::string_view name) const;
  bool Implements(const NamedType& interface) const;
  // Whether a value of this type may be an `object`.
  bool MayBe(const NamedType& object) const;

  absl::flat_hash_map<absl::string_view, size_t> index;
};

struct DirectiveDefinition {
  absl::string_view name;
  std::optional<absl::string_view> description;
  std::vector<InputValue> arguments;
  bool repeatable = false;
  // "FIELD", "OBJECT", ...
  std::vector<absl::string_view> locations;
  bool built_in = false;

  const InputValue* FindArgument(absl::string_view name) const;
  bool AllowedOn(absl::string_view location) const;
};

class Schema;

struct ParsedSchema {
  // Null if there are errors.
  std::shared_ptr<const Schema> schema;
  // Each with a location where it has one.
  std::vector<Error> errors;
};

// Immutable, so thread-safe.
class Schema {
 public:
  static ParsedSchema Parse(absl::string_view sdl);

  Schema(const Schema&) = delete;
  Schema& operator=(const Schema&) = delete;

  // Never null.
  const NamedType* query_type() const { return query_; }
  // Null if there is none.
  const NamedType* mutation_type() const { return mutation_; }
  const NamedType* subscription_type() const { return subscription_; }
  const NamedType* RootType(OperationType operation) const;

  // Null if there is none.
  const NamedType* Find(absl::string_view name) const;
  // Type.field, for example Query.hero. Null if there is none.
  const FieldDefinition* FindField(absl::string_view type,
                                   absl::string_view field) const;
  const DirectiveDefinition* FindDirective(absl::string_view name) const;
  // All types, also of introspection, those of the text first.
  const std::vector<const NamedType*>& types() const { return types_; }
  const std::deque<DirectiveDefinition>& directives() const {
    return directives_;
  }
  std::optional<absl::string_view> description() const { return description_; }

  // __schema and __type, which the query type has besides its own fields, and
  // __typename, which every composite type has.
  const FieldDefinition* schema_field() const { return schema_field_; }
  const FieldDefinition* type_field() const { return type_field_; }
  const FieldDefinition* typename_field() const { return typename_field_; }

  // The type of a variable. Its `named` is null if there is no such type.
  Type Resolve(const ast::TypeReference& reference) const;

  enum class Directives { kLeaveOut, kInclude };
  // The definition language, without what is built in. GetIntrospectionSchema
  // leaves directives out unless it is asked for them.
  std::string ToSdl(Directives directives = Directives::kInclude) const;
  // The answer to the usual introspection query: {"data":{"__schema":...}}.
  std::string ToIntrospectionJson() const;

 private:
  friend class SchemaBuilder;
  Schema() = default;

  std::vector<std::shared_ptr<const ast::Document>> documents_;
  std::deque<NamedType> storage_;
  std::vector<const NamedType*> types_;
  absl::flat_hash_map<absl::string_view, NamedType*> by_name_;
  std::deque<DirectiveDefinition> directives_;
  std::optional<absl::string_view> description_;
  const NamedType* query_ = nullptr;
  const NamedType* mutation_ = nullptr;
  const NamedType* subscription_ = nullptr;
  const FieldDefinition* schema_field_ = nullptr;
  const FieldDefinition* type_field_ = nullptr;
  const FieldDefinition* typename_field_ = nullptr;
};

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_SCHEMA_H_
