// Patterns with wildcards, as in IAM's StringLike and Lambda's permissions.
//
//   strings::MatchesWildcards("arn:aws:sqs:*:orders-?", arn)
#ifndef BYOSHIN_CORE_STRINGS_WILDCARD_H_
#define BYOSHIN_CORE_STRINGS_WILDCARD_H_

#include "absl/strings/string_view.h"

namespace byoshin::strings {

// Whether all of `text` matches `pattern`, in which '*' matches any number of
// characters, including none, and '?' any one. The time is at most proportional
// to the product of both lengths.
bool MatchesWildcards(absl::string_view pattern, absl::string_view text);

}  // namespace byoshin::strings

#endif  // BYOSHIN_CORE_STRINGS_WILDCARD_H_
