// Splits SQL text into statements: the RDS Data API runs one at a time.
//
//   SplitStatements("CREATE TABLE a (x int); -- done;\nSELECT ';'");
//   // {"CREATE TABLE a (x int)", "-- done;\nSELECT ';'"}
#ifndef BYOSHIN_CORE_GENERATION_SQL_SPLIT_H_
#define BYOSHIN_CORE_GENERATION_SQL_SPLIT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::generation {

// The statements without their semicolons and surrounding white space; those
// that are empty or only comments are left out. Semicolons in strings
// ('…', E'…', $tag$…$tag$), quoted identifiers and comments, which may be
// nested, don't separate.
// https://www.postgresql.org/docs/current/sql-syntax-lexical.html
//
// InvalidArgument, with the line, if a string or a comment does not end.
absl::StatusOr<std::vector<std::string>> SplitStatements(absl::string_view sql);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_SQL_SPLIT_H_
