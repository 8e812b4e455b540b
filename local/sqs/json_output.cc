#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/writer.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"
#include "local/sqs/output.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {
namespace {

class JsonOutputWriter : public Output {
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
  // AWS omits empty members.
  void Texts(absl::string_view name,
             const std::vector<std::string>& values) override {
    if (values.empty()) return;
    json_.Key(name).Open('[');
    for (const std::string& value : values) json_.String(value);
    json_.Close(']');
  }
  void TextMap(absl::string_view name, const StringMap& map) override {
    if (map.empty()) return;
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

 protected:
  json::Writer json_;
};

class QueryJsonOutputWriter final : public JsonOutputWriter {
 public:
  QueryJsonOutputWriter(absl::string_view operation,
                        absl::string_view request_id, XmlResult result)
      : request_id_(request_id), result_(result) {
    json_.Key(absl::StrCat(operation, "Response")).Open('{');
    if (result_ == XmlResult::kElement) {
      json_.Key(absl::StrCat(operation, "Result")).Open('{');
    }
  }

  void TextMap(absl::string_view name, const StringMap& map) override {
    json_.Key(name).Open('[');
    for (const auto& [key, value] : map) {
      json_.Open('{');
      Text(name == "Tags" ? "Key" : "Name", key);
      Text("Value", value);
      json_.Close('}');
    }
    json_.Close(']');
  }

  void BeginList(absl::string_view name) override {
    // Spelled so here.
    JsonOutputWriter::BeginList(name == "Messages" ? "messages" : name);
  }
  void BeginMap(absl::string_view name) override { json_.Key(name).Open('['); }
  void BeginEntry(absl::string_view key) override {
    json_.Open('{');
    Text("Name", key);
    json_.Key("Value").Open('{');
  }
  void EndEntry() override { json_.Close('}').Close('}'); }
  void EndMap() override { json_.Close(']'); }

  std::string Finish() override {
    if (result_ == XmlResult::kElement) json_.Close('}');
    json_.Key("ResponseMetadata").Open('{');
    Text("RequestId", request_id_);
    json_.Close('}').Close('}');
    return JsonOutputWriter::Finish();
  }

 private:
  const std::string request_id_;
  const XmlResult result_;
};

}  // namespace

std::unique_ptr<Output> JsonOutput() {
  return std::make_unique<JsonOutputWriter>();
}

std::unique_ptr<Output> QueryJsonOutput(absl::string_view operation,
                                        absl::string_view request_id,
                                        XmlResult result) {
  return std::make_unique<QueryJsonOutputWriter>(operation, request_id, result);
}

Answer QueryJsonErrorAnswer(const ErrorAnswer& error,
                            absl::string_view request_id) {
  json::Writer json;
  json.Open('{').Key("Error").Open('{');
  json.Key("Code").String(error.query_code.empty() ? error.code
                                                   : error.query_code);
  json.Key("Message").String(error.message);
  json.Key("Type").String(error.http_status < 500 ? "Sender" : "Receiver");
  json.Close('}').Key("RequestId").String(request_id).Close('}');
  return {.status = error.http_status,
          .content_type = kQueryJsonContentType,
          .body = json.Take()};
}

}  // namespace byoshin::local::sqs
