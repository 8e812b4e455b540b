// Prints Data as JSON.
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "core/json/data_node.h"

namespace byoshin::json {
namespace internal {
namespace {

// Copies the shortest digits that give `value` again to `digits`, and returns
// their number; `exponent` is that of the first digit.
size_t ShortestDigits(double value, char* digits, int& exponent) {
  char text[kMaxDoubleLength];
  const char* const end = std::to_chars(text, text + sizeof(text), value,
                                        std::chars_format::scientific)
                              .ptr;
  size_t count = 0;
  const char* at = text;
  for (; *at != 'e'; ++at) {
    if (*at != '.') digits[count++] = *at;
  }
  ++at;
  // from_chars does not take a plus sign.
  if (*at == '+') ++at;
  std::from_chars(at, end, exponent);
  return count;
}

}  // namespace

size_t FormatDouble(double value, char* out) {
  char* const begin = out;
  if (std::signbit(value)) *out++ = '-';
  char digits[kMaxDoubleLength];
  int exponent = 0;
  const size_t count = ShortestDigits(std::abs(value), digits, exponent);
  // Java prints an exponent below 10^-3 and from 10^7 on.
  const bool plain = exponent >= -3 && exponent < 7;
  int at = 0;
  const auto digit = [&](int i) {
    return i >= 0 && i < static_cast<int>(count) ? digits[i] : '0';
  };
  if (plain && exponent < 0) {
    *out++ = '0';
    at = exponent + 1;
  } else {
    const int whole = plain ? exponent + 1 : 1;
    for (; at < whole; ++at) *out++ = digit(at);
  }
  *out++ = '.';
  do {
    *out++ = digit(at++);
  } while (at < static_cast<int>(count));
  if (!plain) {
    *out++ = 'E';
    out = std::to_chars(out, out + 8, exponent).ptr;
  }
  return static_cast<size_t>(out - begin);
}

namespace {

// How many bytes a character takes when printed: 1, 2 (\n) or 6 (\u0001).
uint8_t PrintedSizeOf(unsigned char c) {
  if (c >= 0x20) return c == '"' || c == '\\' ? 2 : 1;
  switch (c) {
    case '\b':
    case '\f':
    case '\n':
    case '\r':
    case '\t':
      return 2;
    default:
      return 6;
  }
}

void AppendEscape(unsigned char c, std::string& out) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  out += '\\';
  switch (c) {
    case '\b':
      out += 'b';
      return;
    case '\f':
      out += 'f';
      return;
    case '\n':
      out += 'n';
      return;
    case '\r':
      out += 'r';
      return;
    case '\t':
      out += 't';
      return;
    case '"':
    case '\\':
      out += static_cast<char>(c);
      return;
    default:
      out += "u00";
      out += kDigits[c >> 4];
      out += kDigits[c & 15];
  }
}

void AppendText(absl::string_view text, size_t json_size, std::string& out) {
  out += '"';
  if (json_size == text.size() + 2) {
    out.append(text.data(), text.size());
  } else {
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (PrintedSizeOf(byte) == 1) {
        out += c;
      } else {
        AppendEscape(byte, out);
      }
    }
  }
  out += '"';
}

}  // namespace

size_t PrintedSize(absl::string_view text) {
  size_t size = 2;
  for (const char c : text)
    size += PrintedSizeOf(static_cast<unsigned char>(c));
  return size;
}

}  // namespace internal

namespace {

// An array or object that is being printed, and its next child.
struct OpenContainer {
  const Data* container;
  size_t next;
};
using OpenContainers = absl::InlinedVector<OpenContainer, 16>;

size_t IntegerSize(int64_t value) {
  char text[24];
  return static_cast<size_t>(
      std::to_chars(text, text + sizeof(text), value).ptr - text);
}

void AppendNumber(const Data& data, std::string& out) {
  char text[internal::kMaxDoubleLength];
  if (data.is_integer()) {
    const char* const end =
        std::to_chars(text, text + sizeof(text), data.integer()).ptr;
    out.append(text, static_cast<size_t>(end - text));
    return;
  }
  out.append(text, internal::FormatDouble(data.number(), text));
}

// Prints a scalar, or the beginning of a container.
void BeginPrinting(const Data& data, OpenContainers& open, std::string& out) {
  switch (data.type()) {
    case Data::Type::kNull:
      out += "null";
      return;
    case Data::Type::kBoolean:
      out += data.boolean() ? "true" : "false";
      return;
    case Data::Type::kNumber:
      AppendNumber(data, out);
      return;
    case Data::Type::kString:
      internal::AppendText(data.string(), data.JsonSize(), out);
      return;
    case Data::Type::kArray:
      out += '[';
      break;
    case Data::Type::kObject:
      out += '{';
      break;
  }
  open.push_back({&data, 0});
}

}  // namespace

size_t Data::JsonSize() const {
  switch (kind_) {
    case Kind::kNull:
    case Kind::kTrue:
      return 4;
    case Kind::kFalse:
      return 5;
    case Kind::kInteger:
      return IntegerSize(scalar_.integer);
    case Kind::kDouble: {
      char text[internal::kMaxDoubleLength];
      return internal::FormatDouble(scalar_.number, text);
    }
    default:
      return scalar_.node->json_size;
  }
}

void Data::AppendJson(std::string& out) const {
  OpenContainers open;
  const Data* next = this;
  while (true) {
    if (next->kind_ == Kind::kBigNumber) {
      out.append(next->string().data(), next->string().size());
    } else {
      BeginPrinting(*next, open, out);
    }
    // Closes what is complete.
    while (!open.empty() && open.back().next == open.back().container->size()) {
      out += open.back().container->is_array() ? ']' : '}';
      open.pop_back();
    }
    if (open.empty()) return;
    OpenContainer& top = open.back();
    if (top.next > 0) out += ',';
    if (top.container->is_array()) {
      next = &top.container->elements()[top.next];
    } else {
      const Member& member = top.container->members()[top.next];
      internal::AppendText(member.name(), member.key.JsonSize(), out);
      out += ':';
      next = &member.value;
    }
    ++top.next;
  }
}

std::string Data::ToJson() const {
  std::string out;
  // A value that is shared many times can print to more than memory holds;
  // whoever prints it has checked its size.
  constexpr size_t kMaxReserved = size_t{1} << 24;
  const size_t size = JsonSize();
  out.reserve(size < kMaxReserved ? size : kMaxReserved);
  AppendJson(out);
  return out;
}

}  // namespace byoshin::json
