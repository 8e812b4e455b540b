// The files of a server that initdb has just made, in one file: unpacking them
// takes a tenth of the time that initdb needs. The build makes it, for tests
// and for clouds that keep no data.
#ifndef BYOSHIN_LOCAL_POSTGRES_PREPARED_H_
#define BYOSHIN_LOCAL_POSTGRES_PREPARED_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::postgres {

// Of kSuperuser, on a server from a prepared copy: to be changed at once.
inline constexpr char kPreparedPassword[] = "prepared";

// The path of the copy that is built with byoshin; empty if this program was
// built without it, or if it does not belong to `binaries`, a folder as
// FindBinaries() returns it.
std::string FindPrepared(const std::string& binaries);

// All files and folders below `folder`. Other kinds of files are an error.
absl::StatusOr<std::string> Pack(const std::string& folder);
// Creates `folder` with what Pack() has packed, for its owner only. If it
// fails, part of it may be there.
absl::Status Unpack(absl::string_view packed, const std::string& folder);

}  // namespace byoshin::local::postgres

#endif  // BYOSHIN_LOCAL_POSTGRES_PREPARED_H_
