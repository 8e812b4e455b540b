#include "local/gateway/xml.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"

namespace byoshin::local {
namespace {

constexpr absl::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// The escape of a character in XML; empty if it needs none.
absl::string_view ReferenceTo(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&apos;";
    case '\r':
      return "&#xD;";
    case '\t':
    case '\n':
      return "";
    default:
      return static_cast<unsigned char>(c) < 0x20 ? kReplacement : "";
  }
}

// The length of the prefix of `text` that is printable ASCII and needs no
// escape.
std::size_t PlainBytes(absl::string_view text) {
  std::size_t bytes = 0;
  while (bytes < text.size() && text[bytes] >= 0x20 && text[bytes] < 0x7F &&
         ReferenceTo(text[bytes]).empty()) {
    ++bytes;
  }
  return bytes;
}

}  // namespace

void AppendXmlEscaped(absl::string_view text, std::string& out) {
  while (!text.empty()) {
    if (const std::size_t plain = PlainBytes(text); plain > 0) {
      out.append(text.data(), plain);
      text.remove_prefix(plain);
      continue;
    }
    const std::size_t bytes = json::Utf8SequenceLength(text);
    const absl::string_view character = text.substr(0, bytes == 0 ? 1 : bytes);
    if (bytes == 0 || character == "\xEF\xBF\xBE" ||
        character == "\xEF\xBF\xBF") {
      absl::StrAppend(&out, kReplacement);
    } else if (const absl::string_view reference = ReferenceTo(character[0]);
               !reference.empty()) {
      absl::StrAppend(&out, reference);
    } else {
      out.append(character.data(), character.size());
    }
    text.remove_prefix(character.size());
  }
}

XmlWriter::XmlWriter() : text_("<?xml version=\"1.0\"?>") {}

void XmlWriter::Open(absl::string_view name) {
  absl::StrAppend(&text_, "<", name, ">");
}

void XmlWriter::Open(absl::string_view name, absl::string_view xml_namespace) {
  absl::StrAppend(&text_, "<", name, " xmlns=\"");
  AppendXmlEscaped(xml_namespace, text_);
  text_ += "\">";
}

void XmlWriter::Close(absl::string_view name) {
  absl::StrAppend(&text_, "</", name, ">");
}

void XmlWriter::Element(absl::string_view name, absl::string_view text) {
  if (text.empty()) {
    absl::StrAppend(&text_, "<", name, "/>");
    return;
  }
  Open(name);
  AppendXmlEscaped(text, text_);
  Close(name);
}

}  // namespace byoshin::local
