// Whether a document makes sense for a schema: the rules of chapter 5 of the
// specification, with the messages of AppSync.
//
//   std::vector<Error> errors = Validate(*schema, *document, {});
//   if (!errors.empty()) return ErrorResponse(errors);
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_VALIDATION_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_VALIDATION_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {

// What an API can be configured with.
inline constexpr int kMinQueryDepthLimit = 1;
inline constexpr int kMaxQueryDepthLimit = 75;

// An operation may have this many fields after its fragments are put in their
// places. Fragments within fragments multiply, so that a short document could
// ask for more than any server can answer.
inline constexpr size_t kMaxExpandedFields = 50'000;
// The response keys of these fields, each with those of the fields around it,
// take this many bytes at most: resolvers get them, and errors have them.
inline constexpr size_t kMaxSelectionBytes = size_t{1} << 20;
// The path in a message is cut at this length.
inline constexpr size_t kMaxPathText = 1024;
// Steps to find out whether fields of the same name can be merged.
inline constexpr size_t kMaxMergeSteps = 1'000'000;
// Further errors are not reported.
inline constexpr size_t kMaxValidationErrors = 100;

enum class Introspection { kEnabled, kDisabled };

struct ValidationOptions {
  // Fields within fields; std::nullopt is no limit.
  std::optional<int> query_depth_limit;
  Introspection introspection = Introspection::kEnabled;

  friend bool operator==(const ValidationOptions&,
                         const ValidationOptions&) = default;
};

// Empty if the document is valid. The work is bounded by the size of the
// document and the constants above.
std::vector<Error> Validate(const Schema& schema, const ast::Document& document,
                            const ValidationOptions& options);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_VALIDATION_H_
