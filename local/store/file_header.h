// What the first bytes of a database file say, read without opening it as a
// database: that could change it, and a file that is not ours, or is from a
// later version, is to stay as it is.
//
//   absl::Status status = CheckFileHeader("data/sqs.db", kStoreFormat);
#ifndef BYOSHIN_LOCAL_STORE_FILE_HEADER_H_
#define BYOSHIN_LOCAL_STORE_FILE_HEADER_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local {

// Stands in the header of every file of ours: "BYSN".
inline constexpr std::uint32_t kApplicationId = 0x4259534E;

// NotFound: there is no file, or an empty one, as SQLite leaves behind when it
// is stopped before its first commit.
// FailedPrecondition: it is no file of ours, or of a later format.
// DataLoss: it is cut off.
// Unavailable: it can't be read.
absl::Status CheckFileHeader(const std::string& path, int newest_format);

// DataLoss: what is wrong with the file, and what to do.
absl::Status DamageError(const std::string& path, absl::string_view what);

// What a service says of the records in its store, with the file's name: as
// DamageError() if it is DataLoss and names no file yet, else as it is.
absl::Status NameDamagedFile(const absl::Status& status,
                             const std::string& path);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_FILE_HEADER_H_
