// The SQLSTATE of a database's error, as the Data API reports it.
//
//   if (rdsdata::SqlStateOf(status) == "23505") ...  // the row exists already
//
// https://www.postgresql.org/docs/current/errcodes-appendix.html
#ifndef BYOSHIN_CORE_AWS_RDSDATA_SQL_STATE_H_
#define BYOSHIN_CORE_AWS_RDSDATA_SQL_STATE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"

namespace byoshin::aws::rdsdata {

// "23505"; nothing if `status` is not an error of the database.
std::optional<std::string> SqlStateOf(const absl::Status& status);

// An error of the database with the code that client.h lists for its SQLSTATE;
// any other status as it is.
absl::Status WithCodeOfSqlState(const absl::Status& status);

}  // namespace byoshin::aws::rdsdata

#endif  // BYOSHIN_CORE_AWS_RDSDATA_SQL_STATE_H_
