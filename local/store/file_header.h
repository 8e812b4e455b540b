// Reads the header of a database file without opening it as a database: that
// could change the file, and a file of another program or of a later version
// must not be changed.
//
//   absl::Status status = CheckFileHeader("data/sqs.db", kStoreFormat);
#ifndef BYOSHIN_LOCAL_STORE_FILE_HEADER_H_
#define BYOSHIN_LOCAL_STORE_FILE_HEADER_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local {

// The application id in the header of Byoshin's files: "BYSN".
inline constexpr std::uint32_t kApplicationId = 0x4259534E;

// NotFound: there is no file, or an empty one, as SQLite leaves behind if it is
// stopped before its first commit. FailedPrecondition: not a file of Byoshin,
// or of a later format. DataLoss: truncated. Unavailable: can't be read.
absl::Status CheckFileHeader(const std::string& path, int newest_format);

// DataLoss: what is wrong with the file, and what to do.
absl::Status DamageError(const std::string& path, absl::string_view what);

// Adds the file's name to an error about the records in a store: as
// DamageError() if it is DataLoss and names no file yet, else unchanged.
absl::Status NameDamagedFile(const absl::Status& status,
                             const std::string& path);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_FILE_HEADER_H_
