#include "local/appsync/graphql/schema_builder.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/graphql/built_in.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/parser.h"
#include "local/appsync/graphql/scalars.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {
namespace {

// Further errors are not reported.
constexpr size_t kMaxSchemaErrors = 50;

const std::shared_ptr<const ast::Document>& BuiltInDocument() {
  static const auto* const document = new std::shared_ptr<const ast::Document>(
      ParseDocument(kBuiltInDefinitions, kSchemaLimits).document);
  return *document;
}

std::optional<absl::string_view> View(const std::optional<std::string>& text) {
  if (!text.has_value()) return std::nullopt;
  return absl::string_view(*text);
}

absl::string_view KindName(TypeKind kind) {
  switch (kind) {
    case TypeKind::kScalar:
      return "scalar";
    case TypeKind::kObject:
      return "object";
    case TypeKind::kInterface:
      return "interface";
    case TypeKind::kUnion:
      return "union";
    case TypeKind::kEnum:
      return "enum";
    case TypeKind::kInputObject:
      return "input object";
  }
  return "";
}

// The texts of a list argument, such as cognito_groups. std::nullopt if it is
// not given.
std::optional<std::vector<std::string>> TextsOf(const ast::Directive& directive,
                                                absl::string_view name) {
  const ast::Argument* argument = directive.Find(name);
  if (argument == nullptr || argument->value.kind == ast::Value::Kind::kNull) {
    return std::nullopt;
  }
  std::vector<std::string> texts;
  if (argument->value.kind == ast::Value::Kind::kString) {
    texts.push_back(argument->value.string);
  }
  for (const ast::Value& element : argument->value.elements) {
    texts.push_back(element.string);
  }
  return texts;
}

void ReadAuthorization(const ast::Directive& directive,
                       Authorization& authorization) {
  if (directive.name == "aws_api_key") authorization.api_key = true;
  if (directive.name == "aws_iam") authorization.iam = true;
  if (directive.name == "aws_oidc") authorization.oidc = true;
  if (directive.name == "aws_lambda") authorization.lambda = true;
  if (directive.name == "aws_cognito_user_pools") {
    authorization.cognito_user_pools = true;
    authorization.cognito_groups = TextsOf(directive, "cognito_groups");
  }
  if (directive.name == "aws_auth") {
    authorization.aws_auth = true;
    authorization.aws_auth_groups = TextsOf(directive, "cognito_groups");
  }
}

std::optional<std::string> DeprecationReason(
    absl::Span<const ast::Directive> directives) {
  for (const ast::Directive& directive : directives) {
    if (directive.name != "deprecated") continue;
    const ast::Argument* reason = directive.Find("reason");
    if (reason == nullptr) return "No longer supported";
    if (reason->value.kind == ast::Value::Kind::kNull) return std::nullopt;
    return reason->value.string;
  }
  return std::nullopt;
}

void ReadField(FieldDefinition& field) {
  field.deprecation_reason = DeprecationReason(field.directives);
  for (const ast::Directive& directive : field.directives) {
    ReadAuthorization(directive, field.authorization);
    if (directive.name == "aws_subscribe") {
      field.subscribes_to =
          TextsOf(directive, "mutations").value_or(std::vector<std::string>());
    }
  }
}

}  // namespace

ParsedSchema Schema::Parse(absl::string_view sdl) {
  return SchemaBuilder().Build(sdl);
}

void SchemaBuilder::Fail(const Location& location, std::string message) {
  if (errors_.size() >= kMaxSchemaErrors) return;
  Error error;
  error.message = std::move(message);
  if (location.line != 0) error.locations = {{location}};
  errors_.push_back(std::move(error));
}

ParsedSchema SchemaBuilder::Build(absl::string_view sdl) {
  ParsedDocument parsed = ParseDocument(sdl, kSchemaLimits);
  if (parsed.document == nullptr) {
    return {.schema = nullptr, .errors = {std::move(parsed.error)}};
  }
  const ast::Document& document = *parsed.document;
  for (const ast::Operation& operation : document.operations) {
    Fail(operation.location, "A schema has no operations.");
  }
  for (const ast::Fragment& fragment : document.fragments) {
    Fail(fragment.location, "A schema has no fragments.");
  }
  const ast::Document& built_in = *BuiltInDocument();
  schema_->documents_ = {parsed.document, BuiltInDocument()};
  DeclareTypes(document, Origin::kText);
  AddScalars();
  DeclareTypes(built_in, Origin::kBuiltIn);
  for (const ast::TypeDefinition& type : document.types) DefineType(type);
  for (const ast::TypeDefinition& type : built_in.types) DefineType(type);
  DefineDirectives(built_in, Origin::kBuiltIn);
  DefineDirectives(document, Origin::kText);
  DefineRoots(document);
  if (errors_.empty()) {
    FindPossibleTypes();
    CheckTypes();
    CheckInputCycles();
    CheckDirectiveUses(document);
  }
  // Literals can be coerced only for types that are right.
  if (errors_.empty()) CoerceDefaults();
  if (errors_.empty()) {
    ReadDirectives();
    CheckSubscriptions();
  }
  if (!errors_.empty()) {
    return {.schema = nullptr, .errors = std::move(errors_)};
  }
  return {.schema = std::move(schema_), .errors = {}};
}

void SchemaBuilder::AddScalars() {
  for (int i = 0; i <= static_cast<int>(ScalarKind::kAWSIPAddress); ++i) {
    const auto kind = static_cast<ScalarKind>(i);
    NamedType& type = schema_->storage_.emplace_back();
    type.name = ScalarName(kind);
    type.scalar = kind;
    type.built_in = true;
    if (schema_->by_name_.emplace(type.name, &type).second) {
      schema_->types_.push_back(&type);
    }
  }
}

void SchemaBuilder::DeclareTypes(const ast::Document& document, Origin origin) {
  for (const ast::TypeDefinition& definition : document.types) {
    if (definition.extends == ast::Extends::kYes) continue;
    if (origin == Origin::kText) {
      CheckName(definition.name, definition.location);
      const bool known = FindScalar(definition.name).has_value();
      if (!known && definition.kind != TypeKind::kScalar &&
          absl::StartsWith(definition.name, "AWS")) {
        Fail(definition.location,
             absl::StrCat("Type name '", definition.name,
                          "' must not begin with 'AWS', which is reserved for "
                          "the types of AppSync."));
        continue;
      }
      if (definition.kind == TypeKind::kScalar) {
        // Declaring one of AppSync's own is harmless.
        if (!known) {
          Fail(definition.location,
               absl::StrCat("Custom scalar '", definition.name,
                            "' is not supported. Use a scalar of AppSync, such "
                            "as String or AWSJSON."));
        }
        continue;
      }
      if (known) {
        Fail(definition.location, absl::StrCat("There is already a scalar '",
                                               definition.name, "'."));
        continue;
      }
    }
    NamedType& type = schema_->storage_.emplace_back();
    type.kind = definition.kind;
    type.name = definition.name;
    type.description = View(definition.description);
    type.built_in = origin == Origin::kBuiltIn;
    locations_[&type] = definition.location;
    if (!schema_->by_name_.emplace(type.name, &type).second) {
      Fail(definition.location,
           absl::StrCat("There can be only one type named '", type.name, "'."));
    } else if (type.name != kMetaFieldsType) {
      schema_->types_.push_back(&type);
    }
  }
}

Type SchemaBuilder::ResolveType(const ast::TypeReference& reference,
                                Position position, absl::string_view where) {
  const Type type = schema_->Resolve(reference);
  if (type.named == nullptr || type.named->name == kMetaFieldsType) {
    Fail(reference.location,
         absl::StrCat("Unknown type '", reference.name, "' of ", where, "."));
    return {};
  }
  if (position == Position::kInput && !type.named->is_input()) {
    Fail(reference.location,
         absl::StrCat("The type of ", where, " must be an input type, not '",
                      reference.ToString(), "'."));
  }
  if (position == Position::kOutput && !type.named->is_output()) {
    Fail(reference.location,
         absl::StrCat("The type of ", where, " must be an output type, not '",
                      reference.ToString(), "'."));
  }
  return type;
}

InputValue SchemaBuilder::MakeInputValue(
    const ast::InputValueDefinition& definition, absl::string_view where) {
  CheckName(definition.name, definition.location);
  InputValue value;
  value.name = definition.name;
  value.description = View(definition.description);
  value.type = ResolveType(definition.type, Position::kInput, where);
  if (definition.default_value.has_value()) {
    value.default_value = &*definition.default_value;
  }
  value.directives = definition.directives;
  return value;
}

std::vector<InputValue> SchemaBuilder::MakeArguments(
    absl::Span<const ast::InputValueDefinition> definitions,
    const std::string& where) {
  std::vector<InputValue> arguments;
  absl::flat_hash_set<absl::string_view> names;
  for (const ast::InputValueDefinition& definition : definitions) {
    if (!names.insert(definition.name).second) {
      Fail(definition.location,
           absl::StrCat("There can be only one argument named '",
                        definition.name, "' of ", where, "."));
      continue;
    }
    arguments.push_back(MakeInputValue(
        definition,
        absl::StrCat("argument '", definition.name, "' of ", where)));
  }
  return arguments;
}

void SchemaBuilder::DefineType(const ast::TypeDefinition& definition) {
  const auto found = schema_->by_name_.find(definition.name);
  if (found == schema_->by_name_.end()) {
    if (definition.extends == ast::Extends::kYes) {
      Fail(definition.location,
           absl::StrCat("Cannot extend type '", definition.name,
                        "', which is not defined."));
    }
    return;
  }
  NamedType& type = *found->second;
  if (type.kind != definition.kind) {
    if (definition.extends == ast::Extends::kYes) {
      Fail(definition.location,
           absl::StrCat("Cannot extend '", type.name, "' as ",
                        KindName(definition.kind), ": it is defined as ",
                        KindName(type.kind), "."));
    }
    return;
  }
  for (const ast::Directive& directive : definition.directives) {
    type.directives.push_back(&directive);
  }
  DefineReferences(definition, type);
  DefineFields(definition, type);
  DefineValues(definition, type);
}

void SchemaBuilder::DefineReferences(const ast::TypeDefinition& definition,
                                     NamedType& type) {
  for (const ast::NamedReference& reference : definition.interfaces) {
    const NamedType* interface = schema_->Find(reference.name);
    if (interface == nullptr || interface->kind != TypeKind::kInterface) {
      Fail(reference.location, absl::StrCat("Type '", type.name,
                                            "' can only implement interfaces, "
                                            "and '",
                                            reference.name, "' is not one."));
    } else if (interface == &type) {
      Fail(reference.location, absl::StrCat("Interface '", type.name,
                                            "' cannot implement itself."));
    } else if (type.Implements(*interface)) {
      Fail(reference.location,
           absl::StrCat("Type '", type.name, "' can implement '",
                        reference.name, "' only once."));
    } else {
      type.interfaces.push_back(interface);
    }
  }
  for (const ast::NamedReference& reference : definition.members) {
    const NamedType* member = schema_->Find(reference.name);
    if (member == nullptr || member->kind != TypeKind::kObject) {
      Fail(reference.location, absl::StrCat("Union '", type.name,
                                            "' can only include object types,"
                                            " and '",
                                            reference.name, "' is not one."));
    } else if (type.MayBe(*member)) {
      Fail(reference.location,
           absl::StrCat("Union '", type.name, "' can include '", reference.name,
                        "' only once."));
    } else {
      type.possible_types.push_back(member);
    }
  }
}

void SchemaBuilder::DefineFields(const ast::TypeDefinition& definition,
                                 NamedType& type) {
  for (const ast::FieldDefinition& field : definition.fields) {
    if (!type.index.emplace(field.name, type.fields.size()).second) {
      Fail(field.location, absl::StrCat("Field '", type.name, ".", field.name,
                                        "' can only be defined once."));
      continue;
    }
    if (!type.built_in) CheckName(field.name, field.location);
    const std::string where =
        absl::StrCat("'", type.name, ".", field.name, "'");
    FieldDefinition& made = type.fields.emplace_back();
    made.name = field.name;
    made.description = View(field.description);
    made.type = ResolveType(field.type, Position::kOutput, where);
    made.arguments = MakeArguments(field.arguments, where);
    made.directives = field.directives;
  }
  for (const ast::InputValueDefinition& field : definition.input_fields) {
    if (!type.index.emplace(field.name, type.input_fields.size()).second) {
      Fail(field.location, absl::StrCat("Field '", type.name, ".", field.name,
                                        "' can only be defined once."));
      continue;
    }
    type.input_fields.push_back(MakeInputValue(
        field, absl::StrCat("'", type.name, ".", field.name, "'")));
  }
}

void SchemaBuilder::DefineValues(const ast::TypeDefinition& definition,
                                 NamedType& type) {
  for (const ast::EnumValueDefinition& value : definition.values) {
    CheckName(value.name, value.location);
    if (!type.index.emplace(value.name, type.values.size()).second) {
      Fail(value.location,
           absl::StrCat("Enum value '", type.name, ".", value.name,
                        "' can only be defined once."));
      continue;
    }
    EnumValue& made = type.values.emplace_back();
    made.name = value.name;
    made.description = View(value.description);
    made.deprecation_reason = DeprecationReason(value.directives);
    made.directives = value.directives;
  }
}

void SchemaBuilder::DefineDirectives(const ast::Document& document,
                                     Origin origin) {
  absl::flat_hash_set<absl::string_view> names;
  for (const ast::DirectiveDefinition& definition : document.directives) {
    CheckName(definition.name, definition.location);
    const DirectiveDefinition* known = schema_->FindDirective(definition.name);
    if (!names.insert(definition.name).second) {
      Fail(definition.location,
           absl::StrCat("There can be only one directive named '@",
                        definition.name, "'."));
    }
    // Declaring one of AppSync's own is harmless.
    if (known != nullptr) continue;
    DirectiveDefinition& made = schema_->directives_.emplace_back();
    made.name = definition.name;
    made.description = View(definition.description);
    made.arguments = MakeArguments(definition.arguments,
                                   absl::StrCat("'@", definition.name, "'"));
    made.repeatable = definition.repeatable;
    made.built_in = origin == Origin::kBuiltIn;
    for (const ast::NamedReference& location : definition.locations) {
      made.locations.push_back(location.name);
    }
  }
}

void SchemaBuilder::DefineRoot(OperationType operation, const NamedType* type,
                               const Location& location) {
  const absl::string_view name = ast::OperationTypeName(operation);
  if (type == nullptr || type->kind != TypeKind::kObject) {
    Fail(location,
         absl::StrCat("The ", name, " root type must be an object type."));
    return;
  }
  const NamedType*& root = operation == OperationType::kQuery ? schema_->query_
                           : operation == OperationType::kMutation
                               ? schema_->mutation_
                               : schema_->subscription_;
  if (root != nullptr) {
    Fail(location,
         absl::StrCat("There can be only one ", name, " type in a schema."));
    return;
  }
  for (const NamedType* other :
       {schema_->query_, schema_->mutation_, schema_->subscription_}) {
    if (other != type) continue;
    Fail(location, absl::StrCat("All root types must be different, and '",
                                type->name, "' is used twice."));
  }
  root = type;
}

void SchemaBuilder::DefineRoots(const ast::Document& document) {
  bool declared = false;
  for (const ast::SchemaDefinition& schema : document.schemas) {
    if (schema.extends == ast::Extends::kNo) {
      if (declared) {
        Fail(schema.location, "There can be only one schema definition.");
      }
      declared = true;
      schema_->description_ = View(schema.description);
    }
  }
  if (!declared) {
    for (const auto& [operation, name] :
         {std::pair(OperationType::kQuery, "Query"),
          std::pair(OperationType::kMutation, "Mutation"),
          std::pair(OperationType::kSubscription, "Subscription")}) {
      const NamedType* type = schema_->Find(name);
      if (type != nullptr) DefineRoot(operation, type, LocationOf(*type));
    }
  }
  for (const ast::SchemaDefinition& schema : document.schemas) {
    for (const ast::RootOperation& root : schema.operations) {
      DefineRoot(root.operation, schema_->Find(root.type), root.location);
    }
  }
  if (schema_->query_ == nullptr) {
    Fail({}, "A schema must have a query type.");
  }
  const NamedType& meta = *schema_->Find(kMetaFieldsType);
  schema_->schema_field_ = meta.FindField("__schema");
  schema_->type_field_ = meta.FindField("__type");
  schema_->typename_field_ = meta.FindField("__typename");
}

void SchemaBuilder::FindPossibleTypes() {
  for (const NamedType* type : schema_->types_) {
    if (type->kind != TypeKind::kObject) continue;
    schema_->by_name_[type->name]->possible_types.push_back(type);
    for (const NamedType* interface : type->interfaces) {
      schema_->by_name_[interface->name]->possible_types.push_back(type);
    }
  }
  schema_->by_name_.erase(kMetaFieldsType);
}

void SchemaBuilder::ReadDirectives() {
  for (NamedType& type : schema_->storage_) {
    for (const ast::Directive* directive : type.directives) {
      ReadAuthorization(*directive, type.authorization);
    }
    for (FieldDefinition& field : type.fields) ReadField(field);
  }
}

}  // namespace byoshin::local::appsync::graphql
