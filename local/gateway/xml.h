// Writes the XML of answers in the Query protocol.
//
//   XmlWriter xml;
//   xml.Open("GetQueueUrlResponse", name_space);
//   xml.Open("GetQueueUrlResult");
//   xml.Element("QueueUrl", url);
//   xml.Close("GetQueueUrlResult");
//   xml.Close("GetQueueUrlResponse");
//   return std::move(xml).Finish();
//
// Names are written as they are; texts are escaped.
#ifndef BYOSHIN_LOCAL_GATEWAY_XML_H_
#define BYOSHIN_LOCAL_GATEWAY_XML_H_

#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace byoshin::local {

// Appends `text`, escaped as content of an element. A carriage return, which a
// parser would read as a line feed, is written as a reference. What XML 1.0
// can't represent (other control characters, U+FFFE, U+FFFF, bytes that are not
// UTF-8) becomes U+FFFD, so that the result is always well-formed.
void AppendXmlEscaped(absl::string_view text, std::string& out);

// Not thread-safe.
class XmlWriter {
 public:
  // Begins with the XML declaration.
  XmlWriter();

  void Open(absl::string_view name);
  // The element and all within it belong to this namespace.
  void Open(absl::string_view name, absl::string_view xml_namespace);
  // Every Open() needs a Close().
  void Close(absl::string_view name);
  // <name>text</name>, or <name/> if `text` is empty.
  void Element(absl::string_view name, absl::string_view text);

  std::string Finish() && { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_XML_H_
