#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"
#include "local/sqs/output.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {
namespace {

class JsonWriter final : public Output {
 public:
  void Text(absl::string_view name, absl::string_view value) override {
    Name(name);
    json::AppendQuoted(value, text_);
  }
  void Integer(absl::string_view name, int64_t value) override {
    Name(name);
    absl::StrAppend(&text_, value);
  }
  void Boolean(absl::string_view name, bool value) override {
    Name(name);
    text_ += value ? "true" : "false";
  }
  void Texts(absl::string_view name,
             const std::vector<std::string>& values) override {
    Name(name);
    text_ += '[';
    for (const std::string& value : values) {
      Separate();
      json::AppendQuoted(value, text_);
    }
    text_ += ']';
  }
  void TextMap(absl::string_view name, const StringMap& map) override {
    BeginMap(name);
    for (const auto& [key, value] : map) Text(key, value);
    EndMap();
  }

  void BeginList(absl::string_view name) override { Name(name), text_ += '['; }
  void BeginItem() override { Separate(), text_ += '{'; }
  void EndItem() override { text_ += '}'; }
  void EndList() override { text_ += ']'; }
  void BeginMap(absl::string_view name) override { Name(name), text_ += '{'; }
  void BeginEntry(absl::string_view key) override { Name(key), text_ += '{'; }
  void EndEntry() override { text_ += '}'; }
  void EndMap() override { text_ += '}'; }

  std::string Finish() override {
    text_ += '}';
    return std::move(text_);
  }

 private:
  // A comma, unless this is the first of its kind.
  void Separate() {
    if (text_.back() != '{' && text_.back() != '[') text_ += ',';
  }
  void Name(absl::string_view name) {
    Separate();
    json::AppendQuoted(name, text_);
    text_ += ':';
  }

  std::string text_ = "{";
};

}  // namespace

std::unique_ptr<Output> JsonOutput() { return std::make_unique<JsonWriter>(); }

}  // namespace byoshin::local::sqs
