// Converts between JSON text and protobuf messages.
//
//   absl::StatusOr<scheduler::ApiResponse> response =
//       FromJson<scheduler::ApiResponse>(R"({"from":"a","to":"b","count":0})");
//   if (!response.ok()) return response.status();
//   std::string text = ToJson(*response);  // {"from":"a","to":"b","count":0}
//
// How a proto3 schema maps to JSON:
//
//   in the schema     read from JSON                   written to JSON
//   ----------------- -------------------------------- ----------------------
//   scalar            required, null is refused        always, 0 and "" too
//   optional scalar   may be missing or null           when set
//   message           may be missing or null           when set
//   repeated          missing or null is empty         always, [] when empty
//   map<string, ...>  missing or null is empty         unless empty
//   oneof member      may be missing or null; two      when set
//                     members of one oneof are refused
//
//   string            a string                         UTF-8
//   bool              true or false                    true or false
//   int32 ... uint64  a number without fraction and    a number, not a string
//                     exponent, within the range
//   float, double     a number within the range        null if not finite
//
// - A name in JSON is the field's json_name: lowerCamelCase unless the schema
//   says otherwise. Unknown names are ignored when reading: AWS adds fields.
// - Fields are written in the order of the schema and map keys in byte order,
//   without spaces: equal messages give equal bytes.
// - A field whose json_name is "." stands for its whole message, which must
//   have no other: that is how a map of lists is declared.
// - An empty map is left out, unlike an empty list, because AWS reads a missing
//   map as an empty one, whereas an empty list is an answer, as in
//   {"batchItemFailures":[]}.
// - enum, bytes, groups, map keys other than strings and the google.protobuf
//   well-known types have no mapping.
//
// This is deliberately not protobuf's own mapping, which writes a 64-bit number
// as a string, accepts a string for a number, and treats a missing field as 0.

#ifndef BYOSHIN_CORE_JSON_JSON_H_
#define BYOSHIN_CORE_JSON_JSON_H_

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"

namespace byoshin::json {

// Replaces `out` by the content of `json`; after an error, `out` is empty.
//
// InvalidArgument where the text is not JSON (see ParseValue in
// core/json/value.h) or does not fit the schema:
//   Records[2].body: required, but missing
//   count: expected a 64-bit integer, found "5"
// Unimplemented where the schema has a field without a mapping.
absl::Status ParseJson(absl::string_view json, google::protobuf::Message& out);

// The same from a tree, for documents of which only a part has a schema, or
// whose parts may fail separately.
absl::Status ParseMessage(const Json::Value& json,
                          google::protobuf::Message& out);

template <typename T>
absl::StatusOr<T> FromJson(absl::string_view json) {
  T message;
  if (absl::Status status = ParseJson(json, message); !status.ok()) {
    return status;
  }
  return message;
}

template <typename T>
absl::StatusOr<T> FromValue(const Json::Value& json) {
  T message;
  if (absl::Status status = ParseMessage(json, message); !status.ok()) {
    return status;
  }
  return message;
}

// Always valid JSON. A message with a field that has no mapping ends the
// process: that is an error in a schema, which the first test finds. No input
// leads to it, since ParseJson rejects such messages.
std::string ToJson(const google::protobuf::Message& message);

}  // namespace byoshin::json

#endif  // BYOSHIN_CORE_JSON_JSON_H_
