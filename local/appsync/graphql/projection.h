// What a subscriber gets of a published value: what the mutation selected, cut
// to the subscriber's own selection.
//
//   ProjectionResult made = Projection::Make(document, operation, variables);
//   if (made.projection == nullptr) return ErrorResponse(made.errors);
//   // When a mutation has completed:
//   std::optional<std::string> payload =
//       made.projection->Render(root_field.published, kMaxPayloadBytes);
//   // {"data":{"onDataUpdate":{"id":"1"}}}
//
// Projections with equal keys render equal texts, so that a message is rendered
// once per distinct selection, however many subscribers there are.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PROJECTION_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PROJECTION_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {

// Steps to make a projection. What is selected can depend on the types of all
// objects around it, so that a short document could ask for a different
// selection for each of more combinations than any server can hold.
inline constexpr size_t kMaxProjectionSteps = 100'000;
// Of Projection::key().
inline constexpr size_t kMaxProjectionKeyBytes = size_t{4} << 20;

class Projection;

struct ProjectionResult {
  // Null if there are errors.
  std::shared_ptr<const Projection> projection;
  std::vector<Error> errors;
};

// Immutable, so thread-safe.
class Projection {
 public:
  // `operation` is a subscription of `document`, which has no errors;
  // `variables` are as they came.
  static ProjectionResult Make(std::shared_ptr<const PreparedDocument> document,
                               const ast::Operation& operation,
                               const Data& variables);
  ~Projection();
  Projection(const Projection&) = delete;
  Projection& operator=(const Projection&) = delete;

  // The field that is subscribed to, and its arguments. An argument that is not
  // given is not a member: it does not filter.
  const FieldDefinition& field() const;
  const Data& arguments() const;
  const std::string& response_key() const;

  // A field of an object type that the subscriber selects.
  struct Selected {
    const NamedType* type = nullptr;
    const FieldDefinition* field = nullptr;
  };
  // All below the field that is subscribed to, without __typename. A field that
  // is selected in several places may be there several times.
  std::vector<Selected> SelectedFields() const;

  // The same for all projections that select the same of the same field,
  // whatever their arguments. Names the types of fields, so that it changes if
  // those of the schema do.
  const std::string& key() const;

  // About what it takes, with its document.
  size_t memory_bytes() const;

  // `published` is RootField::published of a mutation. A field that the
  // mutation did not select is null; if it can't be, that is an error of the
  // response, and the object that it belongs to is null. std::nullopt if it is
  // longer than `max_bytes`; the work is bounded by that, too.
  std::optional<std::string> Render(const Data& published,
                                    size_t max_bytes) const;

 private:
  class Plan;
  explicit Projection(std::unique_ptr<Plan> plan);

  const std::unique_ptr<Plan> plan_;
};

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PROJECTION_H_
