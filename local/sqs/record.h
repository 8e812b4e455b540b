// The binary format of values in the store: numbers of fixed width, texts with
// a length prefix.
//
//   std::string record;
//   AppendNumber(id, record);
//   AppendText(name, record);
//
//   RecordReader reader(record);
//   const uint64_t id = reader.Number();
//   const absl::string_view name = reader.Text();
//   if (!reader.ok()) return absl::DataLossError(...);
//
// Numbers are big-endian, so that keys sort in their order.
#ifndef BYOSHIN_LOCAL_SQS_RECORD_H_
#define BYOSHIN_LOCAL_SQS_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::sqs {

using StringMap = std::map<std::string, std::string>;

void AppendNumber(uint64_t number, std::string& out);
void AppendText(absl::string_view text, std::string& out);
// To the microsecond.
void AppendTime(absl::Time time, std::string& out);
void AppendMap(const StringMap& map, std::string& out);

// Reads what the functions above wrote. After the first error, everything is
// zero or empty, and ok() is false. Not thread-safe.
class RecordReader {
 public:
  explicit RecordReader(absl::string_view record) : rest_(record) {}

  uint64_t Number();
  // A part of the record, valid as long as it is.
  absl::string_view Text();
  absl::Time Time();
  StringMap Map();

  absl::string_view rest() const { return rest_; }
  bool ok() const { return ok_; }

 private:
  absl::string_view Take(std::size_t bytes);

  absl::string_view rest_;
  bool ok_ = true;
};

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_RECORD_H_
