// Texts and identifiers that come from users and models.
#ifndef BYOSHIN_CORE_GENERATION_TEXT_H_
#define BYOSHIN_CORE_GENERATION_TEXT_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::generation {

// Unicode code points. A byte that is not UTF-8 counts as one.
std::size_t CountCharacters(absl::string_view text);

// Whether the text is empty or has only white space, such as U+3000.
bool IsBlank(absl::string_view text);

// Whether the text has control characters other than tab and line breaks.
// PostgreSQL does not store U+0000.
bool HasControlCharacters(absl::string_view text);

// The UUID in lower case; nullopt if `text` is not 32 hexadecimal digits in
// groups of 8, 4, 4, 4 and 12.
std::optional<std::string> ParseUuid(absl::string_view text);

// A day or an instant.
struct Moment {
  absl::Time begin{};
  // The end of the day, exclusive, or the millisecond after the instant.
  absl::Time end{};
};

// `2027-03-31`, a day in UTC, or what time::ParseIso8601 reads.
std::optional<Moment> ParseMoment(absl::string_view text);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_TEXT_H_
