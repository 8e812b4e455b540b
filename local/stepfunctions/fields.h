// The members of a request, read one after the other, and checked as AWS does.
//
//   Fields fields(call);
//   const std::string name = fields.Required("name", {.max = kMaxNameLength});
//   const std::int64_t size = fields.Integer("maxResults", {.max = 1000});
//   if (!fields.status().ok()) return fields.status();
//   // "1 validation error detected: Value null at 'name' failed to satisfy
//   // constraint: Member must not be null"
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_FIELDS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_FIELDS_H_

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/gateway/service.h"

namespace byoshin::local::stepfunctions {

// Not thread-safe.
class Fields {
 public:
  struct Length {
    std::size_t min = 0;
    std::size_t max = std::numeric_limits<std::size_t>::max();
  };
  struct Range {
    std::int64_t otherwise = 0;
    std::int64_t min = 0;
    std::int64_t max = std::numeric_limits<std::int64_t>::max();
  };

  // `call` outlives it.
  explicit Fields(const Call& call);

  bool Has(absl::string_view name) const;
  // Empty if it is not there.
  std::string Text(absl::string_view name, Length length);
  std::string Required(absl::string_view name, Length length);
  // One of `choices`; the first if it is not there.
  std::string Choice(absl::string_view name,
                     std::initializer_list<absl::string_view> choices);
  bool Flag(absl::string_view name, bool otherwise = false);
  std::int64_t Integer(absl::string_view name, const Range& range);
  // From 0 to 100; 0 if it is not there.
  double Percentage(absl::string_view name);
  // Null if it is not there.
  const Json::Value& Object(absl::string_view name);
  const Json::Value& List(absl::string_view name);

  // Adds what is wrong with a value: "Member must have length …".
  void AddMistake(absl::string_view name, absl::string_view value,
                  absl::string_view constraint);

  // OK if all that was read so far is right.
  absl::Status status() const;

 private:
  // Null if it is not there, is null, or is not as `fits` wants it.
  const Json::Value* Find(absl::string_view name,
                          bool (Json::Value::*fits)() const);
  void CheckLength(absl::string_view name, const std::string& text,
                   Length length);

  const Json::Value* object_ = nullptr;
  absl::Status malformed_;
  std::vector<std::string> mistakes_;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_FIELDS_H_
