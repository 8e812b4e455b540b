// Free-form JSON: text to and from Json::Value, for documents that have no
// schema in proto/. For those that have one, see core/json/json.h.
//
//   absl::StatusOr<Json::Value> value = ParseValue(R"({"a": [1, 2.5]})");
//   if (!value.ok()) return value.status();
//   std::string text = WriteValue(*value);  // {"a":[1,2.5]}
//
// jsoncpp provides the tree but not the parser. Its own, even in strict mode,
// reads "-" as 0, accepts 01, 1., +1, raw control characters, broken UTF-8,
// broken surrogate pairs and a trailing NUL, and reports deep nesting by an
// exception.

#ifndef BYOSHIN_CORE_JSON_VALUE_H_
#define BYOSHIN_CORE_JSON_VALUE_H_

#include <json/json.h>

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::json {

// Objects and arrays may be nested this deep. DynamoDB nests attribute values
// 32 deep, with up to two JSON levels each, so valid documents stay well below.
inline constexpr int kMaxDepth = 128;

// Parses exactly what RFC 8259 allows, with any value at the top, and rejects
// what it only advises against: duplicate keys, unpaired surrogates, a byte
// order mark. An integer that fits in 64 bits, signed or else unsigned, is kept
// exactly; every other number becomes a double, and one too large for a double
// is rejected. Each value has the position of its text, in bytes:
// getOffsetStart() and getOffsetLimit(), so that errors can name the line.
//
// Errors are InvalidArgument and look like
//   line 3, column 14: expected ',' or '}', found 'x'
// where columns count characters. Throws nothing.
absl::StatusOr<Json::Value> ParseValue(absl::string_view text);

// The line, counted from 1, of the byte at `offset` of `text`.
int LineAt(absl::string_view text, std::ptrdiff_t offset);

// The value on one line without spaces, keys sorted, text as in AppendQuoted of
// core/json/text.h: always valid JSON.
std::string WriteValue(const Json::Value& value);

// The member of this name, if `object` is an object and the member a string;
// otherwise empty.
std::string TextMember(const Json::Value& object, const char* name);

// The value in the form for error messages: null, true, 5.5, "tex"... (300
// bytes), an array, an object.
std::string Describe(const Json::Value& value);

}  // namespace byoshin::json

#endif  // BYOSHIN_CORE_JSON_VALUE_H_
