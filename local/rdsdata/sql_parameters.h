// Finds the named parameters of a statement, by PostgreSQL's lexical rules, and
// numbers them.
//
//   NumberParameters("SELECT ':no', a::int FROM t WHERE id = :id", IsGiven);
//   // {.sql = "SELECT ':no', a::int FROM t WHERE id = $1", .names = {"id"}}
#ifndef BYOSHIN_LOCAL_RDSDATA_SQL_PARAMETERS_H_
#define BYOSHIN_LOCAL_RDSDATA_SQL_PARAMETERS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace byoshin::local::rdsdata {

struct NumberedSql {
  // The statement with $1, $2, ... in place of the names. A name that occurs
  // several times has one number.
  std::string sql{};
  // names[0] is $1.
  std::vector<std::string> names{};
  // The first $1, $2, ... that the statement itself has, outside of literals;
  // empty if there is none.
  std::string own_number{};
};

// `is_given` tells whether the request has a parameter of this name. It matters
// only for a[:x], which is a slice if it has none.
//
// Names consist of letters, digits, underscores and characters beyond ASCII,
// and may start with a digit. Not parameters are: colons in literals ('', E'',
// $$ $$), quoted identifiers and comments; the cast ::, the operator :=, and
// the colon of an array slice, [1:2].
// https://www.postgresql.org/docs/17/sql-syntax-lexical.html
NumberedSql NumberParameters(
    absl::string_view sql,
    const std::function<bool(absl::string_view name)>& is_given);

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_SQL_PARAMETERS_H_
