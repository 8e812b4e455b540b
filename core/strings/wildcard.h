// Patterns with wildcards, as IAM's StringLike and Lambda's permissions have
// them.
//
//   strings::MatchesWildcards("arn:aws:sqs:*:orders-?", arn)
#ifndef BYOSHIN_CORE_STRINGS_WILDCARD_H_
#define BYOSHIN_CORE_STRINGS_WILDCARD_H_

#include "absl/strings/string_view.h"

namespace byoshin::strings {

// Whether all of `text` matches `pattern`, in which '*' stands for any number
// of characters, including none, and '?' for any one. Takes time proportional
// to the product of both lengths at most.
bool MatchesWildcards(absl::string_view pattern, absl::string_view text);

}  // namespace byoshin::strings

#endif  // BYOSHIN_CORE_STRINGS_WILDCARD_H_
