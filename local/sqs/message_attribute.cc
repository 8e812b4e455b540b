#include "local/sqs/message_attribute.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "core/crypto/hex.h"
#include "core/crypto/md5.h"
#include "core/json/text.h"
#include "local/sqs/error.h"
#include "local/sqs/limits.h"

namespace byoshin::local::sqs {
namespace {

constexpr char kAllowedCharacters[] =
    "the set of allowed characters is #x9 | #xA | #xD | #x20 to #xD7FF | "
    "#xE000 to #xFFFD | #x10000 to #x10FFFF";

// The codes of a value's kind in the checksum.
constexpr char kStringMark = 1;
constexpr char kBinaryMark = 2;

// The first code point of `text`, which is not empty; for a byte that is not
// UTF-8, the byte.
uint32_t FirstCodePoint(absl::string_view text, std::size_t length) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (length <= 1) return first;
  uint32_t code_point = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    code_point = code_point << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
  }
  return code_point;
}

struct CodePoints {
  uint32_t first = 0;
  uint32_t last = 0;
};

// Beyond ASCII: the blocks of punctuation, symbols, surrogates and private use.
// AWS allows letters and digits of all scripts; what is not listed counts as
// one.
constexpr CodePoints kNoLetters[] = {
    {0x80, 0xA9},        {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},
    {0xD7, 0xD7},        {0xF7, 0xF7},     {0x2000, 0x206F}, {0x20A0, 0x20CF},
    {0x2190, 0x2BFF},    {0x2E00, 0x2E7F}, {0x2FF0, 0x3004}, {0x3008, 0x3020},
    {0xD800, 0xF8FF},    {0xFE10, 0xFE6F}, {0xFF01, 0xFF0F}, {0xFF1A, 0xFF20},
    {0xFF3B, 0xFF40},    {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF},
    {0xE0000, 0x10FFFF},
};

bool IsNameCodePoint(uint32_t code_point) {
  if (code_point < 0x80) {
    return absl::ascii_isalnum(static_cast<unsigned char>(code_point)) ||
           code_point == '-' || code_point == '_' || code_point == '.';
  }
  return std::none_of(std::begin(kNoLetters), std::end(kNoLetters),
                      [&](const CodePoints& range) {
                        return range.first <= code_point &&
                               code_point <= range.last;
                      });
}

bool IsMessageAttributeName(absl::string_view name) {
  while (!name.empty()) {
    const std::size_t length = json::Utf8SequenceLength(name);
    if (length == 0 || !IsNameCodePoint(FirstCodePoint(name, length))) {
      return false;
    }
    name.remove_prefix(length);
  }
  return true;
}

absl::Status CheckName(absl::string_view name) {
  if (name.empty()) {
    return InvalidParameterValue(
        "Message (user) attribute name can not be empty.");
  }
  if (name.size() > kMaxAttributeNameBytes) {
    return InvalidParameterValue(
        absl::StrCat("Message (user) attribute name can not be longer than ",
                     kMaxAttributeNameBytes, " UTF-8 bytes."));
  }
  if (absl::StartsWithIgnoreCase(name, "aws.") ||
      absl::StartsWithIgnoreCase(name, "amazon.")) {
    return InvalidParameterValue(absl::StrCat(
        "Message (user) attribute name '", name,
        "' can not start with a reserved prefix: 'AWS.' or 'Amazon.'."));
  }
  if (name.front() == '.' || name.back() == '.' ||
      absl::StrContains(name, "..")) {
    return InvalidParameterValue(
        absl::StrCat("Message (user) attribute name '", name,
                     "' can not start or end with a period, or have periods in "
                     "succession."));
  }
  if (!IsMessageAttributeName(name)) {
    return InvalidParameterValue(absl::StrCat(
        "The message attribute name '", name,
        "' is invalid. Attribute name can contain A-Z, a-z, 0-9, underscore "
        "(_), hyphen (-), and period (.) characters."));
  }
  return absl::OkStatus();
}

bool IsTypeOf(absl::string_view data_type, absl::string_view prefix) {
  return data_type == prefix ||
         absl::StartsWith(data_type, absl::StrCat(prefix, "."));
}

absl::Status CheckType(absl::string_view name, absl::string_view type) {
  if (type.empty()) {
    return InvalidParameterValue(
        absl::StrCat("The message attribute '", name,
                     "' must contain non-empty message attribute type."));
  }
  if (type.size() > kMaxAttributeTypeBytes) {
    return InvalidParameterValue(absl::StrCat(
        "The message attribute '", name, "' has a type that is longer than ",
        kMaxAttributeTypeBytes, " bytes."));
  }
  if (!IsTypeOf(type, "String") && !IsTypeOf(type, "Number") &&
      !IsTypeOf(type, "Binary")) {
    return InvalidParameterValue(absl::StrCat(
        "The type of message (user) attribute '", name,
        "' is invalid. You must use only the following supported type "
        "prefixes: Binary, Number, String."));
  }
  return absl::OkStatus();
}

bool IsAllowed(uint32_t code_point) {
  return code_point == 0x9 || code_point == 0xA || code_point == 0xD ||
         (code_point >= 0x20 && code_point != 0xFFFE && code_point != 0xFFFF);
}

// What is wrong with the first character that XML can't represent; empty if
// there is none.
std::string FindForbidden(absl::string_view text, absl::string_view where) {
  while (!text.empty()) {
    const std::size_t length = json::Utf8SequenceLength(text);
    const uint32_t code_point = FirstCodePoint(text, length);
    if (length == 0 || !IsAllowed(code_point)) {
      return absl::StrCat(
          "Invalid binary character '#x", absl::StrFormat("%X", code_point),
          "' was found in the ", where, ", ", kAllowedCharacters);
    }
    text.remove_prefix(length);
  }
  return "";
}

absl::Status CheckValue(absl::string_view kind, absl::string_view name,
                        const MessageAttribute& attribute) {
  const absl::string_view type = attribute.data_type;
  const bool binary = IsTypeOf(type, "Binary");
  if (attribute.string_value.has_value() &&
      attribute.binary_value.has_value()) {
    return InvalidParameterValue(absl::StrCat(
        "Message (", kind, ") attribute '", name, "' has multiple values."));
  }
  const bool has_value = binary ? attribute.binary_value.has_value() &&
                                      !attribute.binary_value->empty()
                                : attribute.string_value.has_value() &&
                                      !attribute.string_value->empty();
  if (!has_value) {
    return InvalidParameterValue(
        absl::StrCat("Message (", kind, ") attribute '", name,
                     "' must contain a non-empty value of type '",
                     binary ? "Binary" : "String", "'."));
  }
  if (binary) return absl::OkStatus();
  // Not InvalidMessageContents, as for a body.
  if (const std::string problem =
          FindForbidden(*attribute.string_value,
                        absl::StrCat("message attribute '", name, "' value"));
      !problem.empty()) {
    return InvalidParameterValue(problem);
  }
  double number = 0;
  if (IsTypeOf(type, "Number") &&
      !absl::SimpleAtod(*attribute.string_value, &number)) {
    return InvalidParameterValue(
        absl::StrCat("Can't cast the value of message (", kind, ") attribute '",
                     name, "' to a number."));
  }
  return absl::OkStatus();
}

void AppendLengthAndText(absl::string_view text, std::string& out) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(text.size() >> shift));
  }
  out.append(text.data(), text.size());
}

}  // namespace

absl::Status CheckMessageAttributes(const MessageAttributes& attributes) {
  if (attributes.size() > kMaxMessageAttributes) {
    return InvalidParameterValue(absl::StrCat(
        "Number of message attributes [", attributes.size(),
        "] exceeds the allowed maximum [", kMaxMessageAttributes, "]."));
  }
  for (const auto& [name, attribute] : attributes) {
    if (absl::Status status = CheckName(name); !status.ok()) return status;
    if (absl::Status status = CheckType(name, attribute.data_type);
        !status.ok()) {
      return status;
    }
    if (absl::Status status = CheckValue("user", name, attribute);
        !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSystemAttributes(const MessageAttributes& attributes) {
  for (const auto& [name, attribute] : attributes) {
    if (name != "AWSTraceHeader") {
      return InvalidParameterValue(
          absl::StrCat("Message (system) attribute '", name, "' is invalid."));
    }
    if (attribute.data_type != "String") {
      return InvalidParameterValue(absl::StrCat(
          "Message (system) attribute '", name, "' must be of type 'String'."));
    }
    if (absl::Status status = CheckValue("system", name, attribute);
        !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

std::string Md5OfMessageAttributes(const MessageAttributes& attributes) {
  if (attributes.empty()) return "";
  std::string text;
  for (const auto& [name, attribute] : attributes) {
    AppendLengthAndText(name, text);
    AppendLengthAndText(attribute.data_type, text);
    text.push_back(attribute.is_binary() ? kBinaryMark : kStringMark);
    AppendLengthAndText(attribute.value(), text);
  }
  return crypto::HexEncode(crypto::Md5(text));
}

int64_t BytesOf(const MessageAttributes& attributes) {
  std::size_t bytes = 0;
  for (const auto& [name, attribute] : attributes) {
    bytes +=
        name.size() + attribute.data_type.size() + attribute.value().size();
  }
  return static_cast<int64_t>(bytes);
}

bool Wants(const std::vector<std::string>& names, absl::string_view name) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& want) {
    if (want == name || want == "All" || want == "*") return true;
    return absl::EndsWith(want, ".*") &&
           absl::StartsWith(name,
                            absl::string_view(want).substr(0, want.size() - 2));
  });
}

absl::Status CheckCharacters(absl::string_view text, absl::string_view where) {
  const std::string problem = FindForbidden(text, where);
  return problem.empty() ? absl::OkStatus() : InvalidMessageContents(problem);
}

}  // namespace byoshin::local::sqs
