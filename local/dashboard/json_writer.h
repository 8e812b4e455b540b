// JSON text, written front to back without a tree: a series has tens of
// thousands of numbers.
//
//   JsonWriter json;
//   json.Open('{').Key("count").Open('[').Int(1).Null().Close(']').Close('}');
//   json.text();  // {"count":[1,null]}
//
// Whoever writes sees to it that brackets match.
#ifndef BYOSHIN_LOCAL_DASHBOARD_JSON_WRITER_H_
#define BYOSHIN_LOCAL_DASHBOARD_JSON_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/text.h"

namespace byoshin::local::dashboard {

// Not thread-safe.
class JsonWriter {
 public:
  JsonWriter& Open(char bracket) {
    Separate();
    text_ += bracket;
    first_ = true;
    return *this;
  }
  JsonWriter& Close(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
  }
  JsonWriter& Key(absl::string_view name) {
    Separate();
    json::AppendQuoted(name, text_);
    text_ += ':';
    first_ = true;
    return *this;
  }
  JsonWriter& String(absl::string_view value) {
    Separate();
    json::AppendQuoted(value, text_);
    return *this;
  }
  JsonWriter& Int(std::int64_t value) {
    Separate();
    absl::StrAppend(&text_, value);
    return *this;
  }
  JsonWriter& Number(double value) {
    Separate();
    json::AppendNumber(value, text_);
    return *this;
  }
  JsonWriter& Null() {
    Separate();
    text_ += "null";
    return *this;
  }
  JsonWriter& Bool(bool value) {
    Separate();
    text_ += value ? "true" : "false";
    return *this;
  }
  // Milliseconds since 1970.
  JsonWriter& Time(absl::Time value) { return Int(absl::ToUnixMillis(value)); }
  JsonWriter& Time(const std::optional<absl::Time>& value) {
    return value.has_value() ? Time(*value) : Null();
  }
  // Milliseconds, to the microsecond.
  JsonWriter& Duration(absl::Duration value) {
    return Number(static_cast<double>(absl::ToInt64Microseconds(value)) / 1e3);
  }

  const std::string& text() const { return text_; }

 private:
  void Separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }

  std::string text_;
  // Nothing stands before the next value that a comma would separate it from.
  bool first_ = true;
};

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_JSON_WRITER_H_
