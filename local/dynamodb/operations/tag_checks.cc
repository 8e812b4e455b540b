// The rules for tags, which CreateTable and TagResource share.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Tagging.html
#include <json/json.h>

#include <cstddef>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/operations/table_definition.h"
#include "local/dynamodb/wire/errors.h"

namespace byoshin::local::dynamodb {
namespace {

// Letters, digits and spaces of any language, and some punctuation. Which
// characters beyond ASCII are letters is not checked.
bool IsTagText(absl::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || absl::ascii_isalnum(byte) ||
        absl::StrContains(" _.:/=+-@", c)) {
      continue;
    }
    return false;
  }
  return true;
}

}  // namespace

absl::Status CheckTagCount(size_t count) {
  if (count <= kMaxTags) return absl::OkStatus();
  return ValidationError(
      "Number of Tags exceed the current limit for the provided ResourceArn");
}

absl::Status CheckTags(const Json::Value& tags) {
  std::set<std::string> keys;
  for (const Json::Value& tag : tags) {
    const std::string key = tag["Key"].asString();
    const std::string value = tag["Value"].asString();
    if (!IsTagText(key)) {
      return ValidationError(
          absl::StrCat("The Tag Key provided is invalid, Key: ", key));
    }
    if (absl::StartsWithIgnoreCase(key, "aws:")) {
      return ValidationError(
          absl::StrCat("Tag Key cannot be prefixed with aws:, Key: ", key));
    }
    if (!IsTagText(value)) {
      return ValidationError(
          absl::StrCat("The Tag Value provided is invalid, Value: ", value));
    }
    if (!keys.insert(key).second) {
      return ValidationError(
          absl::StrCat("Duplicate Tag Keys provided as input: Duplicate Tag "
                       "Key found ",
                       key));
    }
  }
  return CheckTagCount(tags.size());
}

}  // namespace byoshin::local::dynamodb
