// A record that a service stores as a JSON object. Every member that is read
// must be present and have the type that was written; anything else is damage.
//
//   JsonRecord record(text);
//   Event event{.arn = record.Text("arn"), .due = record.Time("due")};
//   if (!record.ok()) return absl::DataLossError(...);
#ifndef BYOSHIN_LOCAL_STORE_JSON_RECORD_H_
#define BYOSHIN_LOCAL_STORE_JSON_RECORD_H_

#include <json/json.h>

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local {

class JsonRecord {
 public:
  explicit JsonRecord(absl::string_view text);

  // False if the text is not a JSON object, or if a member was missing or had
  // another type.
  bool ok() const { return ok_; }

  bool Has(const char* name) const { return value_.isMember(name); }
  std::string Text(const char* name);
  int Int(const char* name);
  // From milliseconds since 1970.
  absl::Time Time(const char* name);

 private:
  Json::Value value_;
  bool ok_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_JSON_RECORD_H_
