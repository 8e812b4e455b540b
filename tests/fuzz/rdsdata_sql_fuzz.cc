// Tries the scanner for parameters on any SQL, and the reader of arrays.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/rdsdata/array_text.h"
#include "local/rdsdata/sql_parameters.h"

namespace byoshin::local::rdsdata {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void Try(absl::string_view sql) {
  const auto given = [](absl::string_view) { return true; };
  const NumberedSql numbered = NumberParameters(sql, given);
  const std::set<std::string> names(numbered.names.begin(),
                                    numbered.names.end());
  Require(names.size() == numbered.names.size(), "each name has one number");
  for (std::size_t i = 0; i < numbered.names.size(); ++i) {
    Require(absl::StrContains(sql, absl::StrCat(":", numbered.names[i])),
            "a name stands behind a colon");
    Require(absl::StrContains(numbered.sql, absl::StrCat("$", i + 1)),
            "each number is used");
  }
  if (numbered.names.empty()) {
    Require(numbered.sql == sql, "without parameters, nothing changes");
  }
  // What is found once is not found again.
  const NumberedSql again = NumberParameters(numbered.sql, given);
  Require(again.names.empty(), "no parameter is left");
  Require(again.sql == numbered.sql, "the second time, nothing changes");
  Require(numbered.names.empty() || !again.own_number.empty(),
          "the numbers stand where PostgreSQL sees them");
  (void)ReadArray(sql);
}

}  // namespace
}  // namespace byoshin::local::rdsdata

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::rdsdata::Try(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
