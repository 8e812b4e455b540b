// Where PostgreSQL's programs are.
//
//   absl::StatusOr<std::string> folder = FindBinaries(flag);
//   ... absl::StrCat(*folder, "/bin/postgres") ...
#ifndef BYOSHIN_LOCAL_POSTGRES_BINARIES_H_
#define BYOSHIN_LOCAL_POSTGRES_BINARIES_H_

#include <string>

#include "absl/status/statusor.h"

namespace byoshin::local::postgres {

// Names a folder with other programs than those that come with byoshin.
inline constexpr char kBinariesVariable[] = "BYOSHIN_POSTGRES_BINARIES";

// The folder with bin/initdb and bin/postgres, absolute and without symbolic
// links: `given`, or else $BYOSHIN_POSTGRES_BINARIES, or else the PostgreSQL 17
// that is built with byoshin. NotFound says how to get it.
absl::StatusOr<std::string> FindBinaries(const std::string& given = "");

}  // namespace byoshin::local::postgres

#endif  // BYOSHIN_LOCAL_POSTGRES_BINARIES_H_
