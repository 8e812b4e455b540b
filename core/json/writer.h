// Writes JSON text front to back, without building a tree first.
//
//   json::Writer json;
//   json.Open('{').Key("count").Open('[').Int(1).Null().Close(']').Close('}');
//   json.text();  // {"count":[1,null]}
//
// The caller sees to it that brackets match.
#ifndef BYOSHIN_CORE_JSON_WRITER_H_
#define BYOSHIN_CORE_JSON_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/text.h"

namespace byoshin::json {

// Not thread-safe.
class Writer {
 public:
  Writer& Open(char bracket) {
    Separate();
    text_ += bracket;
    first_ = true;
    return *this;
  }
  Writer& Close(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
  }
  Writer& Key(absl::string_view name) {
    Separate();
    AppendQuoted(name, text_);
    text_ += ':';
    first_ = true;
    return *this;
  }
  Writer& String(absl::string_view value) {
    Separate();
    AppendQuoted(value, text_);
    return *this;
  }
  Writer& Int(std::int64_t value) {
    Separate();
    absl::StrAppend(&text_, value);
    return *this;
  }
  Writer& Number(double value) {
    Separate();
    AppendNumber(value, text_);
    return *this;
  }
  Writer& Null() {
    Separate();
    text_ += "null";
    return *this;
  }
  Writer& Bool(bool value) {
    Separate();
    text_ += value ? "true" : "false";
    return *this;
  }
  // A value that is JSON text already.
  Writer& Json(absl::string_view text) {
    Separate();
    absl::StrAppend(&text_, text);
    return *this;
  }
  // Milliseconds since 1970.
  Writer& Time(absl::Time value) { return Int(absl::ToUnixMillis(value)); }
  Writer& Time(const std::optional<absl::Time>& value) {
    return value.has_value() ? Time(*value) : Null();
  }
  // Milliseconds, to the microsecond.
  Writer& Duration(absl::Duration value) {
    return Number(static_cast<double>(absl::ToInt64Microseconds(value)) / 1e3);
  }

  const std::string& text() const { return text_; }
  std::string Take() { return std::move(text_); }

 private:
  void Separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }

  std::string text_;
  // No comma goes before the next value.
  bool first_ = true;
};

}  // namespace byoshin::json

#endif  // BYOSHIN_CORE_JSON_WRITER_H_
