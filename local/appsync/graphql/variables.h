// The values of a request's variables and of fields' arguments, checked and
// converted to what the schema declares.
//
//   CoercedVariables variables =
//       CoerceVariables(*schema, operation, request.variables);
//   if (!variables.errors.empty()) return ErrorResponse(variables.errors);
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_VARIABLES_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_VARIABLES_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {

struct CoercedVariables {
  // An object. A declared variable that is not given and has no default is not
  // a member.
  Data values = Data::EmptyObject();
  // If not empty, `values` says nothing.
  std::vector<Error> errors;
};

// `given` is an object or null. What the operation does not declare is ignored.
CoercedVariables CoerceVariables(const Schema& schema,
                                 const ast::Operation& operation,
                                 const Data& given);

struct CoercedArguments {
  // An object. An argument that is not given, or whose variable is not, and
  // that has no default is not a member.
  Data values = Data::EmptyObject();
  // Empty if they are right. A whole message.
  std::string problem;
};

// The document must be valid, and `variables` coerced.
CoercedArguments CoerceArguments(absl::Span<const InputValue> definitions,
                                 absl::Span<const ast::Argument> arguments,
                                 const Data& variables);

// A literal without variables, such as a default value. Requires that it is
// valid for the type.
Data LiteralData(const Type& type, const ast::Value& literal);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_VARIABLES_H_
