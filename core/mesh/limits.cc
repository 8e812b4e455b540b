#include "core/mesh/limits.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/mesh/constants.h"
#include "core/mesh/error.h"
#include "core/mesh/group.h"
#include "core/strings/utf16.h"

namespace byoshin::mesh {

bool IsPossibleId(absl::string_view id) {
  return !id.empty() && strings::Utf16Length(id) <= kMaxIdCharacters;
}

bool IsPossibleKey(const GroupKey& key) {
  return IsPossibleId(key.group_id) && !key.domain.empty() &&
         strings::Utf16Length(key.domain) <= kMaxDomainCharacters;
}

absl::Status CheckLength(absl::string_view text, const LengthLimit& limit) {
  const int length = static_cast<int>(strings::Utf16Length(text));
  if (length >= limit.min && length <= limit.max) return absl::OkStatus();
  return ValidationError(absl::StrCat(limit.argument, " must have ", limit.min,
                                      " to ", limit.max, " characters, not ",
                                      length));
}

}  // namespace byoshin::mesh
