// Parses documents of GraphQL, October 2021.
//
//   ParsedDocument parsed = ParseDocument("{ hero { name } }");
//   if (parsed.document == nullptr) return BadRequest(parsed.error.message);
//   for (const ast::Operation& operation : parsed.document->operations) ...
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PARSER_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PARSER_H_

#include <cstddef>
#include <memory>

#include "absl/strings/string_view.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"

namespace byoshin::local::appsync::graphql {

// A document that exceeds one of these is refused.
struct ParseLimits {
  size_t bytes = size_t{1} << 20;
  // Names, numbers, strings and punctuators. Comments and commas don't count.
  size_t tokens = 15'000;
  // Selection sets, values and types within each other.
  size_t depth = 200;
};

// For requests.
inline constexpr ParseLimits kRequestLimits = {};
// For schemas: AppSync accepts 1 MB.
inline constexpr ParseLimits kSchemaLimits = {
    .bytes = size_t{1} << 20, .tokens = 300'000, .depth = 50};

struct ParsedDocument {
  // Null if there is an error.
  std::shared_ptr<const ast::Document> document;
  // With one location.
  Error error;
};

// Accepts executable definitions and definitions of a schema, mixed as they
// may be: what is not allowed is left to validation. The text is UTF-8, with or
// without a byte order mark.
ParsedDocument ParseDocument(absl::string_view text,
                             const ParseLimits& limits = kRequestLimits);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PARSER_H_
