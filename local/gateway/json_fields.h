// Reads the members of a JSON request.
//
//   JsonFields fields(call, "InvalidParameterException");
//   const std::string group = fields.Required("logGroupName");
//   const std::int64_t limit =
//       fields.Integer("limit", {.otherwise = 50, .max = 50});
//   for (JsonFields& tag : fields.Objects("tags")) {
//     names.push_back(tag.Required("key"));
//   }
//   if (!fields.status().ok()) return fields.status();
#ifndef BYOSHIN_LOCAL_GATEWAY_JSON_FIELDS_H_
#define BYOSHIN_LOCAL_GATEWAY_JSON_FIELDS_H_

#include <json/json.h>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/gateway/constraints.h"
#include "local/gateway/service.h"
#include "local/wire/model.h"

namespace byoshin::local {

// The errors that a service returns for an invalid request.
struct FieldErrors {
  // By which a request is checked as a whole before its members are read. If
  // null, each member is checked when it is read.
  const wire::Model* model = nullptr;
  // The members whose limits the service checks by itself, since AWS words or
  // limits them otherwise than its model.
  absl::Span<const absl::string_view> exempt{};
  // For a member that is missing, out of range or not one of the allowed
  // values. The text must outlive the reader.
  absl::string_view invalid_code = "ValidationException";
  // For a body that is not a JSON object, and a member of the wrong type. If
  // null, a SerializationException.
  absl::Status (*malformed)(absl::string_view message) = nullptr;
};

// Members that are absent or null have their default: an empty text, list or
// map, false, or std::nullopt. So do invalid ones, and status() is then an
// error: the first malformed member, else all that break a constraint. Nested
// objects share the status of the request. Not thread-safe.
class JsonFields {
 public:
  // Reads the body of a request. An empty body is a request without members.
  JsonFields(const Call& call, const FieldErrors& errors);
  JsonFields(const Call& call, absl::string_view invalid_code)
      : JsonFields(call, FieldErrors{.invalid_code = invalid_code}) {}
  JsonFields(absl::StatusOr<Json::Value> request, const FieldErrors& errors);

  bool Has(absl::string_view name) const { return Find(name) != nullptr; }
  std::string Text(absl::string_view name);
  std::optional<std::string> FindText(absl::string_view name);
  // An empty text counts as missing.
  std::string Required(absl::string_view name);
  // One of `values`.
  std::string OneOf(absl::string_view name,
                    const std::vector<std::string>& values);
  // Bytes, which JSON holds as base 64.
  std::optional<std::string> Bytes(absl::string_view name);
  std::vector<std::string> Texts(absl::string_view name);
  std::map<std::string, std::string> TextMap(absl::string_view name);
  bool Flag(absl::string_view name);

  struct Range {
    std::int64_t otherwise = 0;
    std::int64_t min = 1;
    std::int64_t max = std::numeric_limits<std::int64_t>::max();
  };
  std::int64_t Integer(absl::string_view name, const Range& range);
  std::optional<std::int64_t> FindInteger(absl::string_view name);
  std::optional<double> FindNumber(absl::string_view name);
  // Milliseconds since the epoch.
  std::optional<std::int64_t> Time(absl::string_view name) {
    return FindInteger(name);
  }

  std::optional<JsonFields> Object(absl::string_view name);
  std::vector<JsonFields> Objects(absl::string_view name);
  std::vector<std::pair<std::string, JsonFields>> ObjectMap(
      absl::string_view name);

  // For what only the service can check: `invalid_code` with this message.
  void Fail(absl::string_view message);
  const absl::Status& status() const { return shared_->status; }

 private:
  // What the readers of a request and of the objects inside it share.
  struct Shared {
    FieldErrors errors{};
    std::shared_ptr<const absl::StatusOr<Json::Value>> body{};
    ConstraintErrors constraints{};
    absl::Status status{};
    bool malformed = false;
  };

  JsonFields(std::shared_ptr<Shared> shared, const Json::Value& object,
             std::string path)
      : shared_(std::move(shared)), object_(&object), path_(std::move(path)) {}

  void ReadBody();
  void CheckBody(absl::string_view operation);
  const Json::Value* Find(absl::string_view name) const;
  // Null, too, if it is not `fits`, and then an error: "must be `expected`".
  const Json::Value* Find(absl::string_view name,
                          bool (Json::Value::*fits)() const,
                          absl::string_view expected);
  void FailMalformed(absl::string_view message);
  // Called after adding to the constraints.
  void FailConstraints();

  std::shared_ptr<Shared> shared_;
  const Json::Value* object_;
  std::string path_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_JSON_FIELDS_H_
