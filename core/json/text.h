// Formats JSON strings and numbers, and texts in error messages.
//
//   std::string out;
//   AppendQuoted("tab\there", out);  // "tab\there", with the quotes
//   AppendNumber(0.1, out);          // 0.1

#ifndef BYOSHIN_CORE_JSON_TEXT_H_
#define BYOSHIN_CORE_JSON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::json {

// The length of the well-formed UTF-8 sequence at the start of `text`; 0 if
// there is none (RFC 3629: no overlong forms, no surrogates).
size_t Utf8SequenceLength(absl::string_view text);

// `code_point` must be a Unicode scalar value.
void AppendUtf8(uint32_t code_point, std::string& out);

// Appends `text` as a JSON string. Characters beyond ASCII are kept, control
// characters are escaped, and each byte that is not UTF-8 becomes U+FFFD, so
// that the result is always valid JSON.
void AppendQuoted(absl::string_view text, std::string& out);

// Appends the shortest text that parses as the same number, always with a
// fraction or an exponent so that it parses as floating point. JSON has no NaN
// and no infinity: these become null, as in JavaScript.
void AppendNumber(double value, std::string& out);
void AppendNumber(float value, std::string& out);

// The longest prefix of `text` that has at most `max_bytes` bytes and does not
// end within a UTF-8 character.
absl::string_view CutAtCharacter(absl::string_view text, size_t max_bytes);

// `text` quoted for an error message: escaped like a JSON string, and
// truncated, so that no message contains a whole payload.
std::string Excerpt(absl::string_view text);

}  // namespace byoshin::json

#endif  // BYOSHIN_CORE_JSON_TEXT_H_
