// What an operation selects, by type: made as far as results need it, once for
// all elements of a list.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PLAN_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PLAN_H_

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/variables.h"

namespace byoshin::local::appsync::graphql {

class Planner;
using PlannedFields = std::vector<PlannedField*>;

// The fields of a selection set that have the same response key.
struct PlannedField {
  Planner* planner = nullptr;
  const NamedType* parent = nullptr;
  const FieldDefinition* field = nullptr;
  absl::InlinedVector<const ast::Selection*, 1> nodes;
  Data key;
  Data arguments;
  // Why there are no arguments.
  std::string problem;
  // Made by the planner; by the type of the object.
  absl::InlinedVector<std::pair<const NamedType*, PlannedFields>, 1> children;
  // What the resolver said, once it was asked.
  enum class Asked { kNo, kResolver, kNoResolver, kRefused };
  Asked asked = Asked::kNo;
  std::optional<FieldError> refusal;
};

// Not thread-safe.
class Planner {
 public:
  Planner(const PreparedDocument& document, const Data& variables)
      : document_(document), variables_(variables) {}
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;

  PlannedFields Root(const NamedType& type, const ast::Operation& operation);
  const PlannedFields& Children(PlannedField& field, const NamedType& type);

  // Selections of the document that were visited, including repeats.
  size_t visited_selections() const { return visited_selections_; }

  const PreparedDocument& document() const { return document_; }
  const Data& variables() const { return variables_; }

 private:
  struct Collection {
    const NamedType& type;
    PlannedFields fields;
    // By response key; used from a number of fields on.
    absl::flat_hash_map<absl::string_view, PlannedField*> index;
    absl::flat_hash_set<const ast::Fragment*> visited;
  };

  bool IsIncluded(const ast::Selection& selection) const;
  void Collect(absl::Span<const ast::Selection> selections,
               Collection& collection);
  void Add(const ast::Selection& selection, Collection& collection);
  const CoercedArguments& ArgumentsOf(const ast::Selection& selection,
                                      const FieldDefinition& definition);
  static PlannedField* Find(const Collection& collection,
                            absl::string_view key);

  const PreparedDocument& document_;
  const Data& variables_;
  std::deque<PlannedField> fields_;
  // A field of a fragment is planned wherever the fragment is spread: all
  // share their arguments, which may be large.
  absl::flat_hash_map<std::pair<const ast::Selection*, const FieldDefinition*>,
                      CoercedArguments>
      arguments_;
  size_t visited_selections_ = 0;
};

// The object type of `value` where a `type` is expected; null if it can't be
// told.
const NamedType* ObjectTypeOf(const Schema& schema, const NamedType& type,
                              const Data& value);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PLAN_H_
