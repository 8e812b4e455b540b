#include "local/appsync/graphql/document.h"

#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::appsync::graphql::ast {

const Argument* Directive::Find(absl::string_view argument) const {
  for (const Argument& candidate : arguments) {
    if (candidate.name == argument) return &candidate;
  }
  return nullptr;
}

std::string TypeReference::ToString() const {
  std::string text(name);
  for (const char modifier : modifiers) {
    if (modifier == '[') {
      text = "[" + text + "]";
    } else {
      text += '!';
    }
  }
  return text;
}

absl::string_view OperationTypeName(OperationType type) {
  switch (type) {
    case OperationType::kQuery:
      return "query";
    case OperationType::kMutation:
      return "mutation";
    case OperationType::kSubscription:
      return "subscription";
  }
  return "";
}

absl::string_view NameOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kScalar:
      return "SCALAR";
    case TypeKind::kObject:
      return "OBJECT";
    case TypeKind::kInterface:
      return "INTERFACE";
    case TypeKind::kUnion:
      return "UNION";
    case TypeKind::kEnum:
      return "ENUM";
    case TypeKind::kInputObject:
      return "INPUT_OBJECT";
  }
  return "";
}

}  // namespace byoshin::local::appsync::graphql::ast
