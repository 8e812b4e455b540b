#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "infra/cloudformation/value.h"
#include "infra/cloudformation/writer.h"

namespace byoshin::infra::cloudformation {
namespace {

class JsonWriter {
 public:
  enum class Layout { kIndented, kCompact };

  explicit JsonWriter(Layout layout) : layout_(layout) {}

  void Write(const Value& value) {
    if (const auto* members = value.IfIs<Value::Members>()) {
      WriteObject(*members);
    } else if (const auto* items = value.IfIs<Value::Items>()) {
      WriteList(*items);
    } else if (const auto* function = value.IfIs<Value::Function>()) {
      WriteObject({{function->name, function->argument.front()}});
    } else {
      WriteScalar(value);
    }
  }

  std::string Take() { return std::move(out_); }

 private:
  void WriteScalar(const Value& value) {
    if (const auto* flag = value.IfIs<bool>()) {
      out_ += *flag ? "true" : "false";
    } else if (const auto* number = value.IfIs<int64_t>()) {
      absl::StrAppend(&out_, *number);
    } else if (const auto* real = value.IfIs<double>()) {
      out_ += json::WriteValue(Json::Value(*real));
    } else if (const auto* text = value.IfIs<std::string>()) {
      WriteText(*text);
    } else {
      out_ += "null";
    }
  }

  void WriteText(const std::string& text) {
    out_ += json::WriteValue(Json::Value(text));
  }

  void WriteObject(const Value::Members& members) {
    if (members.empty()) {
      out_ += "{}";
      return;
    }
    Open('{');
    for (size_t i = 0; i < members.size(); ++i) {
      Separate(i);
      WriteText(members[i].first);
      out_ += layout_ == Layout::kIndented ? ": " : ":";
      Write(members[i].second);
    }
    Close('}');
  }

  void WriteList(const Value::Items& items) {
    if (items.empty()) {
      out_ += "[]";
      return;
    }
    Open('[');
    for (size_t i = 0; i < items.size(); ++i) {
      Separate(i);
      Write(items[i]);
    }
    Close(']');
  }

  void Open(char bracket) {
    out_ += bracket;
    ++depth_;
  }

  void Close(char bracket) {
    --depth_;
    BreakLine();
    out_ += bracket;
  }

  void Separate(size_t index) {
    if (index > 0) out_ += ',';
    BreakLine();
  }

  void BreakLine() {
    if (layout_ == Layout::kCompact) return;
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  const Layout layout_;
  std::string out_;
  size_t depth_ = 0;
};

}  // namespace

std::string ToJson(const Value& value) {
  JsonWriter writer(JsonWriter::Layout::kIndented);
  writer.Write(value);
  return writer.Take() + "\n";
}

std::string ToCompactJson(const Value& value) {
  JsonWriter writer(JsonWriter::Layout::kCompact);
  writer.Write(value);
  return writer.Take();
}

}  // namespace byoshin::infra::cloudformation
