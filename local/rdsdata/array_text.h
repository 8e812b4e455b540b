// Reads arrays as PostgreSQL prints them: {1,NULL,"a \"text\""}.
// https://www.postgresql.org/docs/17/arrays.html#ARRAYS-IO
#ifndef BYOSHIN_LOCAL_RDSDATA_ARRAY_TEXT_H_
#define BYOSHIN_LOCAL_RDSDATA_ARRAY_TEXT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::rdsdata {

// The elements; none for NULL. Unimplemented if it has several dimensions,
// InvalidArgument if it is not an array.
absl::StatusOr<std::vector<std::optional<std::string>>> ReadArray(
    absl::string_view text);

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_ARRAY_TEXT_H_
