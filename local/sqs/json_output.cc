#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/json/writer.h"
#include "local/sqs/output.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {
namespace {

class JsonOutputWriter final : public Output {
 public:
  JsonOutputWriter() { json_.Open('{'); }

  void Text(absl::string_view name, absl::string_view value) override {
    json_.Key(name).String(value);
  }
  void Integer(absl::string_view name, int64_t value) override {
    json_.Key(name).Int(value);
  }
  void Boolean(absl::string_view name, bool value) override {
    json_.Key(name).Bool(value);
  }
  void Texts(absl::string_view name,
             const std::vector<std::string>& values) override {
    json_.Key(name).Open('[');
    for (const std::string& value : values) json_.String(value);
    json_.Close(']');
  }
  void TextMap(absl::string_view name, const StringMap& map) override {
    BeginMap(name);
    for (const auto& [key, value] : map) Text(key, value);
    EndMap();
  }

  void BeginList(absl::string_view name) override { json_.Key(name).Open('['); }
  void BeginItem() override { json_.Open('{'); }
  void EndItem() override { json_.Close('}'); }
  void EndList() override { json_.Close(']'); }
  void BeginMap(absl::string_view name) override { json_.Key(name).Open('{'); }
  void BeginEntry(absl::string_view key) override { json_.Key(key).Open('{'); }
  void EndEntry() override { json_.Close('}'); }
  void EndMap() override { json_.Close('}'); }

  std::string Finish() override {
    json_.Close('}');
    return json_.Take();
  }

 private:
  json::Writer json_;
};

}  // namespace

std::unique_ptr<Output> JsonOutput() {
  return std::make_unique<JsonOutputWriter>();
}

}  // namespace byoshin::local::sqs
