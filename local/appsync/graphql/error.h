// What is wrong with a request, as an entry of a response's `errors`.
//
//   Error error;
//   error.message = "Variable 'x' has coerced Null value for NonNull type ...";
//   error.locations = {{{.line = 1, .column = 7}}};
//   std::string entry = ToData(error).ToJson();
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_ERROR_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_ERROR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/types/span.h"
#include "core/json/data.h"

namespace byoshin::local::appsync::graphql {

using json::Data;

// In the text of a document, from 1. Columns count UTF-16 code units, as the
// implementations in Java and JavaScript do.
struct Location {
  uint32_t line = 0;
  uint32_t column = 0;

  friend bool operator==(const Location&, const Location&) = default;
};

// A member's name (a response key) or a position in a list.
using PathElement = std::variant<std::string, size_t>;
using Path = std::vector<PathElement>;

// As AppSync writes a path in messages: "/list/items[32]/name".
std::string PathText(absl::Span<const PathElement> path);
// As in a response: ["list","items",32,"name"].
Data PathData(absl::Span<const PathElement> path);

// What resolvers add to an error.
struct ErrorDetails {
  // std::nullopt is null.
  std::optional<std::string> error_type;
  Data data;
  Data error_info;
};

struct Error {
  std::string message;
  // std::nullopt is null.
  std::optional<Path> path;
  std::optional<std::vector<Location>> locations;
  // Only of errors that resolvers raised, or that name a type.
  std::optional<ErrorDetails> details;
};

// {"path":...,"locations":[{"line":1,"column":2,"sourceName":null}],
//  "message":...}; with details {"path","data","errorType","errorInfo",
// "locations","message"}.
Data ToData(const Error& error);
Data ToData(absl::Span<const Error> errors);

// {"data":null,"errors":[...]}
std::string ErrorResponse(absl::Span<const Error> errors);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_ERROR_H_
