#include "local/appsync/graphql/schema.h"

#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "local/appsync/graphql/document.h"

namespace byoshin::local::appsync::graphql {

std::string Type::ToString() const {
  return ast::TypeReference{.name = named == nullptr ? "" : named->name,
                            .location = {},
                            .modifiers = std::string(modifiers)}
      .ToString();
}

const InputValue* FieldDefinition::FindArgument(absl::string_view name) const {
  for (const InputValue& argument : arguments) {
    if (argument.name == name) return &argument;
  }
  return nullptr;
}

const InputValue* DirectiveDefinition::FindArgument(
    absl::string_view name) const {
  for (const InputValue& argument : arguments) {
    if (argument.name == name) return &argument;
  }
  return nullptr;
}

bool DirectiveDefinition::AllowedOn(absl::string_view location) const {
  return absl::c_linear_search(locations, location);
}

const FieldDefinition* NamedType::FindField(absl::string_view name) const {
  if (fields.empty()) return nullptr;
  const auto found = index.find(name);
  return found == index.end() ? nullptr : &fields[found->second];
}

const InputValue* NamedType::FindInputField(absl::string_view name) const {
  if (input_fields.empty()) return nullptr;
  const auto found = index.find(name);
  return found == index.end() ? nullptr : &input_fields[found->second];
}

const EnumValue* NamedType::FindValue(absl::string_view name) const {
  if (values.empty()) return nullptr;
  const auto found = index.find(name);
  return found == index.end() ? nullptr : &values[found->second];
}

bool NamedType::Implements(const NamedType& interface) const {
  return absl::c_linear_search(interfaces, &interface);
}

bool NamedType::MayBe(const NamedType& object) const {
  return this == &object || absl::c_linear_search(possible_types, &object);
}

const NamedType* Schema::RootType(OperationType operation) const {
  switch (operation) {
    case OperationType::kQuery:
      return query_;
    case OperationType::kMutation:
      return mutation_;
    case OperationType::kSubscription:
      return subscription_;
  }
  return nullptr;
}

const NamedType* Schema::Find(absl::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

const FieldDefinition* Schema::FindField(absl::string_view type,
                                         absl::string_view field) const {
  const NamedType* found = Find(type);
  return found == nullptr ? nullptr : found->FindField(field);
}

const DirectiveDefinition* Schema::FindDirective(absl::string_view name) const {
  for (const DirectiveDefinition& directive : directives_) {
    if (directive.name == name) return &directive;
  }
  return nullptr;
}

Type Schema::Resolve(const ast::TypeReference& reference) const {
  return {.named = Find(reference.name), .modifiers = reference.modifiers};
}

}  // namespace byoshin::local::appsync::graphql
