#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/xml.h"
#include "local/sqs/output.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {
namespace {

// Lists and maps are flattened: each member is an element of this name.
struct FlattenedElement {
  absl::string_view name{};
  absl::string_view element{};
};

constexpr FlattenedElement kFlattenedElements[] = {
    {"Attributes", "Attribute"},
    {"Tags", "Tag"},
    {"Messages", "Message"},
    {"MessageAttributes", "MessageAttribute"},
    {"QueueUrls", "QueueUrl"},
    {"queueUrls", "QueueUrl"},
    {"Failed", "BatchResultErrorEntry"},
};

class XmlDocument final : public Output {
 public:
  XmlDocument(absl::string_view operation, absl::string_view request_id,
              XmlResult result)
      : operation_(operation), request_id_(request_id), result_(result) {
    xml_.Open(absl::StrCat(operation_, "Response"), kXmlNamespace);
    if (result_ == XmlResult::kElement) {
      xml_.Open(absl::StrCat(operation_, "Result"));
    }
  }

  void Text(absl::string_view name, absl::string_view value) override {
    xml_.Element(name, value);
  }
  void Integer(absl::string_view name, int64_t value) override {
    xml_.Element(name, absl::StrCat(value));
  }
  void Boolean(absl::string_view name, bool value) override {
    xml_.Element(name, value ? "true" : "false");
  }
  void Texts(absl::string_view name,
             const std::vector<std::string>& values) override {
    for (const std::string& value : values) xml_.Element(Element(name), value);
  }
  void TextMap(absl::string_view name, const StringMap& map) override {
    const std::string element = Element(name);
    for (const auto& [key, value] : map) {
      xml_.Open(element);
      xml_.Element(element == "Tag" ? "Key" : "Name", key);
      xml_.Element("Value", value);
      xml_.Close(element);
    }
  }

  void BeginList(absl::string_view name) override {
    elements_.push_back(Element(name));
  }
  void BeginItem() override { xml_.Open(elements_.back()); }
  void EndItem() override { xml_.Close(elements_.back()); }
  void EndList() override { elements_.pop_back(); }
  void BeginMap(absl::string_view name) override {
    elements_.push_back(Element(name));
  }
  void BeginEntry(absl::string_view key) override {
    xml_.Open(elements_.back());
    xml_.Element("Name", key);
    xml_.Open("Value");
  }
  void EndEntry() override {
    xml_.Close("Value");
    xml_.Close(elements_.back());
  }
  void EndMap() override { elements_.pop_back(); }

  std::string Finish() override {
    if (result_ == XmlResult::kElement) {
      xml_.Close(absl::StrCat(operation_, "Result"));
    }
    xml_.Open("ResponseMetadata");
    xml_.Element("RequestId", request_id_);
    xml_.Close("ResponseMetadata");
    xml_.Close(absl::StrCat(operation_, "Response"));
    return std::move(xml_).Finish();
  }

 private:
  std::string Element(absl::string_view name) const {
    // Such as SendMessageBatchResultEntry.
    if (name == "Successful" || name == "Results") {
      return absl::StrCat(operation_, "ResultEntry");
    }
    for (const FlattenedElement& flattened : kFlattenedElements) {
      if (flattened.name == name) return std::string(flattened.element);
    }
    return std::string(name);
  }

  const std::string operation_;
  const std::string request_id_;
  const XmlResult result_;
  XmlWriter xml_;
  std::vector<std::string> elements_;  // of the lists and maps under way
};

}  // namespace

std::unique_ptr<Output> XmlOutput(absl::string_view operation,
                                  absl::string_view request_id,
                                  XmlResult result) {
  return std::make_unique<XmlDocument>(operation, request_id, result);
}

}  // namespace byoshin::local::sqs
