// The rules of validation.h. Only for validation*.cc and field_merging.cc.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_VALIDATOR_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_VALIDATOR_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validation.h"

namespace byoshin::local::appsync::graphql {

class Validator {
 public:
  Validator(const Schema& schema, const ast::Document& document,
            const ValidationOptions& options);

  std::vector<Error> Validate();

 private:
  using Fragments =
      absl::flat_hash_map<absl::string_view, const ast::Fragment*>;

  // A variable where a value is expected.
  struct VariableUse {
    const ast::Value* variable;
    Type expected;
    bool has_default;
    std::string path;
  };
  // What an operation or a fragment contains itself.
  struct Content {
    std::vector<VariableUse> variables;
    std::vector<const ast::Fragment*> spreads;
  };
  // Of fields with fragments put in their places.
  struct Size {
    size_t fields = 0;
    size_t depth = 0;
    // Of the fields' paths.
    size_t path_bytes = 0;
  };

  void Fail(absl::string_view type, const Location& location,
            absl::string_view description);
  void FailAt(absl::string_view type, const Location& location,
              absl::string_view description, absl::string_view path);
  std::string PathText() const;

  // validation.cc: definitions.
  void CheckDefinitions();
  void CheckNames();
  void CheckOperation(const ast::Operation& operation);
  void CheckSubscription(const ast::Operation& operation);
  void CollectRootKeys(absl::Span<const ast::Selection> selections,
                       absl::flat_hash_set<const ast::Fragment*>& visited,
                       std::vector<const ast::Selection*>& roots);
  void CheckFragment(const ast::Fragment& fragment);
  void CheckFragmentCycles();
  bool ReachesItself(const ast::Fragment& fragment,
                     absl::flat_hash_map<const ast::Fragment*, int>& states);
  void CheckUnusedFragments();
  std::vector<const Content*> ContentsOf(const ast::Operation& operation);
  Size SizeOf(absl::Span<const ast::Selection> selections);
  void CheckSize(const ast::Operation& operation);

  // validation_variables.cc
  void CheckVariableDefinitions(const ast::Operation& operation);
  void CheckVariableUses(const ast::Operation& operation);
  void CheckVariableUse(const ast::VariableDefinition& definition,
                        const VariableUse& use);
  void UseVariables(const ast::Value& value, const Type& type,
                    bool has_default);

  // validation_fields.cc
  void CheckSelections(absl::Span<const ast::Selection> selections,
                       const NamedType* parent);
  void CheckField(const ast::Selection& field, const NamedType* parent);
  void CheckLeaf(const ast::Selection& field, const Type& type);
  void CheckSpread(const ast::Selection& spread, const NamedType* parent);
  void CheckInlineFragment(const ast::Selection& fragment,
                           const NamedType* parent);
  bool CanOverlap(const NamedType& parent, const NamedType& type) const;
  const FieldDefinition* FindField(const NamedType& parent,
                                   absl::string_view name) const;
  void CheckArguments(absl::Span<const ast::Argument> arguments,
                      absl::Span<const InputValue> definitions,
                      const Location& location, absl::string_view what);
  void CheckValue(const ast::Argument& argument, const InputValue& definition);
  void CheckUniqueObjectFields(const ast::Value& value);
  void CheckDirectives(absl::Span<const ast::Directive> directives,
                       absl::string_view location);

  const Schema& schema_;
  const ast::Document& document_;
  const ValidationOptions& options_;
  Fragments fragments_;
  absl::flat_hash_map<const void*, Content> contents_;
  Content* content_ = nullptr;
  std::vector<absl::string_view> path_;
  absl::flat_hash_map<const ast::Fragment*, Size> sizes_;
  std::vector<Error> errors_;
};

// Whether fields with the same response key can be one: rule 5.3.2. Requires
// that the document obeys all other rules.
std::vector<Error> CheckFieldMerging(
    const Schema& schema, const ast::Document& document,
    const absl::flat_hash_map<absl::string_view, const ast::Fragment*>&
        fragments);

// "Validation error of type TYPE: DESCRIPTION @ 'PATH'".
Error ValidationError(absl::string_view type, const Location& location,
                      absl::string_view description, absl::string_view path);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_VALIDATOR_H_
