// Writes the XML that the Query protocol answers with.
//
//   XmlWriter xml;
//   xml.Open("GetQueueUrlResponse",
//   "http://queue.amazonaws.com/doc/2012-11-05/");
//   xml.Open("GetQueueUrlResult");
//   xml.Element("QueueUrl", url);
//   xml.Close("GetQueueUrlResult");
//   xml.Close("GetQueueUrlResponse");
//   return std::move(xml).Finish();
//
// Names come from the program and are written as they are; texts come from
// anywhere and are escaped.
#ifndef BYOSHIN_LOCAL_GATEWAY_XML_H_
#define BYOSHIN_LOCAL_GATEWAY_XML_H_

#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace byoshin::local {

// Appends `text` as it stands between tags. A carriage return, which a reader
// would otherwise take for a line feed, is written as a reference. What XML 1.0
// has no way to say (other control characters, U+FFFE, U+FFFF, bytes that are
// not UTF-8) becomes U+FFFD, so that the result is well-formed whatever `text`
// holds.
void AppendXmlEscaped(absl::string_view text, std::string& out);

// Not thread-safe.
class XmlWriter {
 public:
  // Begins with the XML declaration.
  XmlWriter();

  void Open(absl::string_view name);
  // The element and all within it belong to this namespace.
  void Open(absl::string_view name, absl::string_view xml_namespace);
  // Whoever opens an element closes it.
  void Close(absl::string_view name);
  // <name>text</name>, or <name/> if `text` is empty.
  void Element(absl::string_view name, absl::string_view text);

  std::string Finish() && { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_XML_H_
