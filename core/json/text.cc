#include "core/json/text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::json {
namespace {

// Enough to recognise a value in a log line.
constexpr size_t kExcerptBytes = 40;

bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// The length of a sequence by its lead byte, and the range of the second byte,
// which excludes overlong forms, surrogates and values past U+10FFFF.
struct Utf8Lead {
  size_t length;
  unsigned char second_min;
  unsigned char second_max;
};

Utf8Lead ClassifyLead(unsigned char lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xC2) return {0, 0, 0};
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

bool IsPlain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\';
}

void AppendEscaped(char c, std::string& out) {
  switch (c) {
    case '"':
      out.append("\\\"");
      return;
    case '\\':
      out.append("\\\\");
      return;
    case '\b':
      out.append("\\b");
      return;
    case '\f':
      out.append("\\f");
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\t':
      out.append("\\t");
      return;
    default:
      absl::StrAppend(
          &out, "\\u",
          absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad4));
  }
}

template <typename Float>
void AppendFloatingPoint(Float value, std::string& out) {
  if (!std::isfinite(value)) {
    out.append("null");
    return;
  }
  // The longest shortest spelling of a double has 24 characters.
  std::array<char, 32> buffer;
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  const absl::string_view digits(
      buffer.data(), static_cast<size_t>(result.ptr - buffer.data()));
  out.append(digits.data(), digits.size());
  if (digits.find_first_of(".e") == absl::string_view::npos) out.append(".0");
}

}  // namespace

size_t Utf8SequenceLength(absl::string_view text) {
  if (text.empty()) return 0;
  const Utf8Lead lead = ClassifyLead(static_cast<unsigned char>(text[0]));
  if (lead.length <= 1) return lead.length;
  if (text.size() < lead.length) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  if (second < lead.second_min || second > lead.second_max) return 0;
  for (size_t i = 2; i < lead.length; ++i) {
    if (!IsContinuation(text[i])) return 0;
  }
  return lead.length;
}

void AppendUtf8(uint32_t code_point, std::string& out) {
  const auto continuation = [&](int shift) {
    out.push_back(static_cast<char>(0x80 | ((code_point >> shift) & 0x3F)));
  };
  if (code_point < 0x80) {
    out.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out.push_back(static_cast<char>(0xC0 | (code_point >> 6)));
    continuation(0);
  } else if (code_point < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | (code_point >> 12)));
    continuation(6);
    continuation(0);
  } else {
    out.push_back(static_cast<char>(0xF0 | (code_point >> 18)));
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

void AppendQuoted(absl::string_view text, std::string& out) {
  out.push_back('"');
  size_t i = 0;
  while (i < text.size()) {
    const size_t plain_start = i;
    while (i < text.size() && IsPlain(text[i])) ++i;
    out.append(text.data() + plain_start, i - plain_start);
    if (i == text.size()) break;

    const size_t length = Utf8SequenceLength(text.substr(i));
    if (length == 0) {
      AppendUtf8(0xFFFD, out);
      ++i;
    } else if (length == 1) {
      AppendEscaped(text[i], out);
      ++i;
    } else {
      out.append(text.data() + i, length);
      i += length;
    }
  }
  out.push_back('"');
}

void AppendNumber(double value, std::string& out) {
  AppendFloatingPoint(value, out);
}

void AppendNumber(float value, std::string& out) {
  AppendFloatingPoint(value, out);
}

absl::string_view CutAtCharacter(absl::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  size_t length = max_bytes;
  // The start of the truncated character is at most three bytes back; otherwise
  // this is not UTF-8.
  for (int i = 0; i < 3 && length > 0 && IsContinuation(text[length]); ++i) {
    --length;
  }
  return text.substr(0, length);
}

std::string Excerpt(absl::string_view text) {
  const absl::string_view shown = CutAtCharacter(text, kExcerptBytes);
  std::string out;
  AppendQuoted(shown, out);
  if (shown.size() < text.size()) {
    absl::StrAppend(&out, "... (", text.size(), " bytes)");
  }
  return out;
}

}  // namespace byoshin::json
