// Reserved words: as attribute names, they need a placeholder such as #status.
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_RESERVED_WORDS_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_RESERVED_WORDS_H_

#include "absl/strings/string_view.h"

namespace byoshin::local::dynamodb {

// Case-insensitive.
bool IsReservedWord(absl::string_view name);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_RESERVED_WORDS_H_
