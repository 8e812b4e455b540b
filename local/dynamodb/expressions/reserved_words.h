// The words that expressions can't use as attribute names: these need a
// placeholder such as #status.
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_RESERVED_WORDS_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_RESERVED_WORDS_H_

#include "absl/strings/string_view.h"

namespace byoshin::local::dynamodb {

// In any case of letters.
bool IsReservedWord(absl::string_view name);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_RESERVED_WORDS_H_
