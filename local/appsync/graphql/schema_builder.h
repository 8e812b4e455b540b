// Makes a Schema of its text. Only for schema_builder.cc, schema_checks.cc and
// schema_defaults.cc.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_SCHEMA_BUILDER_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_SCHEMA_BUILDER_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {

class SchemaBuilder {
 public:
  SchemaBuilder() : schema_(new Schema) {}

  ParsedSchema Build(absl::string_view sdl);

 private:
  enum class Origin { kBuiltIn, kText };
  enum class Position { kInput, kOutput };

  void Fail(const Location& location, std::string message);

  // schema_builder.cc: from syntax trees to types.
  void AddScalars();
  void DeclareTypes(const ast::Document& document, Origin origin);
  void DefineType(const ast::TypeDefinition& definition);
  void DefineFields(const ast::TypeDefinition& definition, NamedType& type);
  void DefineValues(const ast::TypeDefinition& definition, NamedType& type);
  void DefineReferences(const ast::TypeDefinition& definition, NamedType& type);
  void DefineDirectives(const ast::Document& document, Origin origin);
  void DefineRoots(const ast::Document& document);
  void DefineRoot(OperationType operation, const NamedType* type,
                  const Location& location);
  InputValue MakeInputValue(const ast::InputValueDefinition& definition,
                            absl::string_view where);
  std::vector<InputValue> MakeArguments(
      absl::Span<const ast::InputValueDefinition> definitions,
      const std::string& where);
  Type ResolveType(const ast::TypeReference& reference, Position position,
                   absl::string_view where);
  void FindPossibleTypes();
  void ReadDirectives();

  // schema_defaults.cc: default values.
  enum class DefaultState { kNew, kOpen, kDone };
  void CoerceDefaults();
  // `where` names it in messages.
  void CoerceDefault(InputValue& value, const std::string& where);
  // Coerces the defaults that `literal` leaves to the fields of input objects.
  void CoerceDefaultsWithin(const NamedType& type, const ast::Value& literal);
  void CoerceDefaultsOfFields(NamedType& object, const ast::Value& literal);

  // schema_checks.cc: what the specification asks of types.
  void CheckName(absl::string_view name, const Location& location);
  void CheckTypes();
  void CheckInterfaces(const NamedType& type);
  void CheckImplementation(const NamedType& type, const NamedType& interface);
  void CheckField(const NamedType& type, const NamedType& interface,
                  const FieldDefinition& expected);
  void CheckInputCycles();
  void CheckDirectiveUses(const ast::Document& document);
  void CheckUses(absl::Span<const ast::Directive> directives,
                 absl::string_view location);
  void CheckUse(const ast::Directive& directive, absl::string_view location);
  void CheckArgumentUses(absl::Span<const ast::InputValueDefinition> values,
                         absl::string_view location);
  void CheckSubscriptions();
  Location LocationOf(const NamedType& type) const;

  std::shared_ptr<Schema> schema_;
  absl::flat_hash_map<const NamedType*, Location> locations_;
  absl::flat_hash_map<const InputValue*, DefaultState> default_states_;
  // How deep CoerceDefaultsWithin() is in values, and in defaults of these.
  size_t default_depth_ = 0;
  size_t default_bytes_ = 0;
  std::vector<Error> errors_;
};

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_SCHEMA_BUILDER_H_
