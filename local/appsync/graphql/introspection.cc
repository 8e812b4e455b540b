#include "local/appsync/graphql/introspection.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/plan.h"
#include "local/appsync/graphql/printer.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {
namespace {

// The query that tools send, with everything that the answer can have.
constexpr absl::string_view kIntrospectionQuery = R"graphql(
query IntrospectionQuery {
  __schema {
    queryType { name }
    mutationType { name }
    subscriptionType { name }
    types { ...FullType }
    directives { name description locations args { ...InputValue } }
  }
}
fragment FullType on __Type {
  kind
  name
  description
  fields(includeDeprecated: true) {
    name
    description
    args { ...InputValue }
    type { ...TypeRef }
    isDeprecated
    deprecationReason
  }
  inputFields { ...InputValue }
  interfaces { ...TypeRef }
  enumValues(includeDeprecated: true) {
    name
    description
    isDeprecated
    deprecationReason
  }
  possibleTypes { ...TypeRef }
}
fragment InputValue on __InputValue {
  name
  description
  type { ...TypeRef }
  defaultValue
}
fragment TypeRef on __Type {
  kind name ofType { kind name ofType { kind name ofType { kind name
    ofType { kind name ofType { kind name ofType { kind name
      ofType { kind name } } } } } } }
}
)graphql";

absl::string_view KindText(const Type& type) {
  if (type.is_non_null()) return "NON_NULL";
  if (type.is_list()) return "LIST";
  return ast::NameOf(type.named->kind);
}

Data TextOrNull(const std::optional<absl::string_view>& text) {
  return text.has_value() ? Data::String(*text) : Data();
}

Data ReasonData(const std::optional<std::string>& reason) {
  return reason.has_value() ? Data::String(*reason) : Data();
}

bool IncludesDeprecated(const PlannedField& field) {
  const Data* include = field.arguments.Find("includeDeprecated");
  return include != nullptr && include->is_boolean() && include->boolean();
}

class Introspector {
 public:
  Introspector(const Schema& schema, ResponseRoom& room)
      : schema_(schema), room_(room) {}

  bool exhausted() const { return exhausted_; }

  Data OfSchema(PlannedField& field);
  Data OfType(PlannedField& field, const Type& type);

 private:
  using Member = std::function<Data(PlannedField&, absl::string_view)>;

  // An object with the members that `field` selects.
  Data Object(PlannedField& field, absl::string_view type,
              const Member& member);
  template <typename List, typename Element>
  Data Array(const List& list, const Element& element);

  Data OfNamed(PlannedField& field, const NamedType* type);
  Data MemberOfType(PlannedField& field, absl::string_view name,
                    const Type& type);
  Data MemberOfNamed(PlannedField& field, absl::string_view name,
                     const NamedType& type);
  Data Fields(PlannedField& field, const NamedType& type);
  Data EnumValues(PlannedField& field, const NamedType& type);
  Data OfField(PlannedField& field, const FieldDefinition& definition);
  Data OfInputValue(PlannedField& field, const InputValue& value);
  Data OfDirective(PlannedField& field, const DirectiveDefinition& directive);

  // A value of so many bytes. False if there is no room for it.
  bool Take(size_t bytes);

  const Schema& schema_;
  ResponseRoom& room_;
  bool exhausted_ = false;
};

bool Introspector::Take(size_t bytes) {
  if (room_.values == 0 || bytes > room_.bytes) {
    if (room_.values > 0) room_.bytes = 0;
    exhausted_ = true;
  }
  if (exhausted_) return false;
  --room_.values;
  room_.bytes -= bytes;
  return true;
}

Data Introspector::Object(PlannedField& field, absl::string_view type,
                          const Member& member) {
  json::ObjectBuilder object;
  for (PlannedField* child :
       field.planner->Children(field, *schema_.Find(type))) {
    const absl::string_view name = child->field->name;
    Data value =
        name == "__typename" ? Data::String(type) : member(*child, name);
    // What is within an object or a list was counted there.
    const size_t bytes = value.is_string() ? value.JsonSize() : 0;
    if (!Take(child->key.JsonSize() + bytes)) return Data();
    object.Set(child->key, std::move(value));
  }
  return std::move(object).Build();
}

template <typename List, typename Element>
Data Introspector::Array(const List& list, const Element& element) {
  std::vector<Data> elements;
  for (const auto& item : list) {
    if (!Take(0)) return Data();
    elements.push_back(element(item));
  }
  return Data::Array(std::move(elements));
}

Data Introspector::OfSchema(PlannedField& field) {
  return Object(field, "__Schema",
                [this](PlannedField& child, absl::string_view name) {
                  if (name == "types") {
                    return Array(schema_.types(), [&](const NamedType* type) {
                      return OfNamed(child, type);
                    });
                  }
                  if (name == "queryType")
                    return OfNamed(child, schema_.query_type());
                  if (name == "mutationType") {
                    return OfNamed(child, schema_.mutation_type());
                  }
                  if (name == "subscriptionType") {
                    return OfNamed(child, schema_.subscription_type());
                  }
                  if (name == "directives") {
                    return Array(schema_.directives(),
                                 [&](const DirectiveDefinition& directive) {
                                   return OfDirective(child, directive);
                                 });
                  }
                  return TextOrNull(schema_.description());
                });
}

Data Introspector::OfNamed(PlannedField& field, const NamedType* type) {
  if (type == nullptr) return Data();
  return OfType(field, {.named = type, .modifiers = ""});
}

Data Introspector::OfType(PlannedField& field, const Type& type) {
  return Object(field, "__Type",
                [&](PlannedField& child, absl::string_view name) {
                  return MemberOfType(child, name, type);
                });
}

Data Introspector::MemberOfType(PlannedField& field, absl::string_view name,
                                const Type& type) {
  if (name == "kind") return Data::String(KindText(type));
  if (name == "ofType") {
    return type.modifiers.empty() ? Data() : OfType(field, type.Inner());
  }
  if (!type.modifiers.empty()) return Data();
  return MemberOfNamed(field, name, *type.named);
}

Data Introspector::MemberOfNamed(PlannedField& field, absl::string_view name,
                                 const NamedType& type) {
  const auto named = [&](const NamedType* other) {
    return OfNamed(field, other);
  };
  if (name == "name") return Data::String(type.name);
  if (name == "description") return TextOrNull(type.description);
  if (name == "fields") return Fields(field, type);
  if (name == "enumValues") return EnumValues(field, type);
  if (name == "interfaces" &&
      (type.kind == TypeKind::kObject || type.kind == TypeKind::kInterface)) {
    return Array(type.interfaces, named);
  }
  if (name == "possibleTypes" && type.is_abstract()) {
    return Array(type.possible_types, named);
  }
  if (name == "inputFields" && type.kind == TypeKind::kInputObject) {
    return Array(type.input_fields, [&](const InputValue& value) {
      return OfInputValue(field, value);
    });
  }
  return Data();
}

Data Introspector::Fields(PlannedField& field, const NamedType& type) {
  if (type.kind != TypeKind::kObject && type.kind != TypeKind::kInterface) {
    return Data();
  }
  std::vector<const FieldDefinition*> shown;
  for (const FieldDefinition& definition : type.fields) {
    if (IncludesDeprecated(field) ||
        !definition.deprecation_reason.has_value()) {
      shown.push_back(&definition);
    }
  }
  return Array(shown, [&](const FieldDefinition* definition) {
    return OfField(field, *definition);
  });
}

Data Introspector::EnumValues(PlannedField& field, const NamedType& type) {
  if (type.kind != TypeKind::kEnum) return Data();
  std::vector<const EnumValue*> shown;
  for (const EnumValue& value : type.values) {
    if (IncludesDeprecated(field) || !value.deprecation_reason.has_value()) {
      shown.push_back(&value);
    }
  }
  return Array(shown, [&](const EnumValue* value) {
    return Object(
        field, "__EnumValue", [&](PlannedField&, absl::string_view name) {
          if (name == "name") return Data::String(value->name);
          if (name == "description") {
            return TextOrNull(value->description);
          }
          if (name == "isDeprecated") {
            return Data::Boolean(value->deprecation_reason.has_value());
          }
          return ReasonData(value->deprecation_reason);
        });
  });
}

Data Introspector::OfField(PlannedField& field,
                           const FieldDefinition& definition) {
  return Object(
      field, "__Field", [&](PlannedField& child, absl::string_view name) {
        if (name == "name") return Data::String(definition.name);
        if (name == "description") return TextOrNull(definition.description);
        if (name == "args") {
          return Array(definition.arguments, [&](const InputValue& argument) {
            return OfInputValue(child, argument);
          });
        }
        if (name == "type") return OfType(child, definition.type);
        if (name == "isDeprecated") {
          return Data::Boolean(definition.deprecation_reason.has_value());
        }
        return ReasonData(definition.deprecation_reason);
      });
}

Data Introspector::OfInputValue(PlannedField& field, const InputValue& value) {
  return Object(field, "__InputValue",
                [&](PlannedField& child, absl::string_view name) {
                  if (name == "name") return Data::String(value.name);
                  if (name == "description")
                    return TextOrNull(value.description);
                  if (name == "type") return OfType(child, value.type);
                  return value.default_value == nullptr
                             ? Data()
                             : Data::String(PrintValue(*value.default_value));
                });
}

Data Introspector::OfDirective(PlannedField& field,
                               const DirectiveDefinition& directive) {
  return Object(
      field, "__Directive", [&](PlannedField& child, absl::string_view name) {
        if (name == "name") return Data::String(directive.name);
        if (name == "description") return TextOrNull(directive.description);
        if (name == "locations") {
          return Array(directive.locations, [](absl::string_view location) {
            return Data::String(location);
          });
        }
        if (name == "args") {
          return Array(directive.arguments, [&](const InputValue& argument) {
            return OfInputValue(child, argument);
          });
        }
        return Data::Boolean(directive.repeatable);
      });
}

// For the query above, which has none.
class NoResolvers : public FieldResolver {
 public:
  bool HasResolver(const NamedType&, const FieldDefinition&) override {
    return false;
  }
  void Resolve(const FieldRequest&,
               std::function<void(FieldOutcome)> done) override {
    done({});
  }
};

}  // namespace

std::optional<Data> Introspect(const Schema& schema, PlannedField& field,
                               ResponseRoom& room) {
  Introspector introspector(schema, room);
  Data value;
  if (field.field == schema.schema_field()) {
    value = introspector.OfSchema(field);
  } else {
    const Data* name = field.arguments.Find("name");
    const NamedType* type =
        name == nullptr ? nullptr : schema.Find(name->string());
    if (type != nullptr) {
      value = introspector.OfType(field, {.named = type, .modifiers = ""});
    }
  }
  if (introspector.exhausted()) return std::nullopt;
  return value;
}

std::string Schema::ToIntrospectionJson() const {
  // Does not own the schema, which outlives the execution.
  const std::shared_ptr<const Schema> self(std::shared_ptr<const Schema>(),
                                           this);
  auto document = std::make_shared<PreparedDocument>(self, kIntrospectionQuery,
                                                     ValidationOptions());
  NoResolvers resolvers;
  std::string text;
  Execute({.document = document,
           .operation = document->FindOperation(""),
           .variables = Data()},
          resolvers,
          [&text](ExecutionResult result) { text = result.ToJson(); });
  return text;
}

}  // namespace byoshin::local::appsync::graphql
