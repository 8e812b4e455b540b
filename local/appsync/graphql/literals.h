// Literals of documents against types of a schema.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_LITERALS_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_LITERALS_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {

// What is wrong with a literal: `argument 'PATH' with value 'VALUE' TAIL`.
struct LiteralProblem {
  // From the argument on: "input.items[0].name".
  std::string path;
  const ast::Value* value = nullptr;
  std::string tail;
};

// The first problem of `value` where a `type` is expected. Variables within it
// are right.
std::optional<LiteralProblem> CheckLiteral(const Type& type,
                                           const ast::Value& value,
                                           absl::string_view name);

// A literal with its variables replaced.
struct CoercedLiteral {
  // std::nullopt if it is a variable that is not given.
  std::optional<Data> value;
  // Empty if it is right.
  std::string problem;
};

// `value` must have no problem, `variables` are coerced.
CoercedLiteral CoerceLiteral(const Type& type, const ast::Value& value,
                             const Data& variables);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_LITERALS_H_
