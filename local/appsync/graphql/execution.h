// Executes an operation: asks resolvers for values, and makes the response of
// what is selected.
//
//   class Resolvers : public FieldResolver { ... };
//
//   Execute({.document = document, .operation = operation,
//            .variables = variables},
//           resolvers, [](ExecutionResult result) {
//             Send(result.ToJson());
//           });
//
// Fields without a resolver take the member of their name from the value that
// their type's resolver returned. Fields of a selection set run concurrently;
// those of a mutation itself run one after another.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_EXECUTION_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_EXECUTION_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {

// A request that needs more fails.
inline constexpr size_t kMaxResolvers = 10'000;
// Values in a response: fields and elements of lists. Beyond that, a response
// could be larger than any client reads.
inline constexpr size_t kMaxResultValues = 1'000'000;
// Of a response, and of what its resolvers return: aliases repeat a value, and
// errors repeat paths.
inline constexpr size_t kMaxResponseBytes = size_t{32} << 20;

struct PlannedField;

// What a resolver is asked, as in ctx. Valid until it has answered.
class FieldRequest {
 public:
  FieldRequest(const PlannedField& field, const Data& source,
               const Data& variables, Path path)
      : field_(field),
        source_(source),
        variables_(variables),
        path_(std::move(path)) {}

  const NamedType& parent_type() const;
  const FieldDefinition& field() const;
  absl::string_view parent_type_name() const { return parent_type().name; }
  absl::string_view field_name() const { return field().name; }
  // An object. What is not given is not a member.
  const Data& arguments() const;
  // Null for a field of the query, mutation or subscription type.
  const Data& source() const { return source_; }
  // Of the whole request: an object.
  const Data& variables() const { return variables_; }
  const Path& path() const { return path_; }
  // Where the field is in the document.
  Location location() const;

  // ctx.info.selectionSetList: "id", "posts", "posts/title". With aliases, as
  // response keys. Computed at each call.
  std::vector<std::string> SelectionSetList() const;
  // ctx.info.selectionSetGraphQL: "{\n  id\n}". Empty for a leaf. Computed at
  // each call.
  std::string SelectionSetGraphQL() const;

 private:
  const PlannedField& field_;
  const Data& source_;
  const Data& variables_;
  Path path_;
};

// What a resolver raises or appends.
struct FieldError {
  std::string message;
  // std::nullopt is null.
  std::optional<std::string> error_type;
  // In the response, it is cut to what the field selects.
  Data data;
  Data error_info;
};

struct FieldOutcome {
  // Not used if there is an error.
  Data data;
  std::optional<FieldError> error;
  // Of util.appendError(): the value counts nevertheless.
  std::vector<FieldError> appended_errors;
};

// Where values come from. Called from any thread, but not concurrently for one
// execution. Must outlive the execution.
class FieldResolver {
 public:
  virtual ~FieldResolver() = default;

  // Why the caller may not see the field; std::nullopt if they may. Asked once
  // per field of the operation, whether it has a resolver or not. See
  // NotAuthorized().
  virtual std::optional<FieldError> Refuse(const NamedType& /*type*/,
                                           const FieldDefinition& /*field*/) {
    return std::nullopt;
  }
  virtual bool HasResolver(const NamedType& type,
                           const FieldDefinition& field) = 0;
  // Answers once, at once or later, on any thread. `request` is valid until
  // then.
  virtual void Resolve(const FieldRequest& request,
                       std::function<void(FieldOutcome)> done) = 0;
};

// "Not Authorized to access f on type T", with errorType "Unauthorized".
FieldError NotAuthorized(const NamedType& type, const FieldDefinition& field);

struct ExecutionRequest {
  // Without errors.
  std::shared_ptr<const PreparedDocument> document;
  // Of the document.
  const ast::Operation* operation = nullptr;
  // As they came: an object or null.
  Data variables;
  size_t max_resolvers = kMaxResolvers;
  size_t max_response_bytes = kMaxResponseBytes;
};

// A field of the operation itself.
struct RootField {
  const FieldDefinition* field = nullptr;
  std::string response_key;
  Data arguments;
  // What is published to subscribers of a mutation: what the field selected,
  // but under the fields' own names instead of aliases, and with __typename
  // wherever the type is an interface or union. Null if the field is.
  Data published;
  // Whether its resolver failed, or a null has reached it.
  bool failed = false;
};

struct ExecutionResult {
  // Null, or an object in the order of the selection.
  Data data;
  std::vector<Error> errors;
  // In the order of the selection. Only of mutations and subscriptions.
  std::vector<RootField> root_fields;

  // {"data":...} with "errors" if there are some.
  std::string ToJson() const;
};

// Calls `done` exactly once, maybe before it returns, maybe on a thread that a
// resolver answered on. A subscription is executed as a query is: for the
// answer to its start.
void Execute(ExecutionRequest request, FieldResolver& resolver,
             std::function<void(ExecutionResult)> done);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_EXECUTION_H_
