// Syntax trees as text.
//
//   PrintSelections(operation.selections);  // {\n  hero {\n    name\n  }\n}
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PRINTER_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PRINTER_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/graphql/document.h"

namespace byoshin::local::appsync::graphql {

// `[1, {a: "x"}]`
std::string PrintValue(const ast::Value& value);
// As graphql-java describes a value in messages: "StringValue{value='x'}".
std::string DescribeValue(const ast::Value& value);
// `@name(argument: value)`
std::string PrintDirective(const ast::Directive& directive);
// A selection set with its braces, two spaces a level. Fragments that it names
// stay names.
std::string PrintSelections(absl::Span<const ast::Selection> selections);
// A string with quotation marks.
std::string PrintString(absl::string_view text);
// A block string for a description, on lines of their own.
std::string PrintDescription(absl::string_view text, absl::string_view indent);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PRINTER_H_
