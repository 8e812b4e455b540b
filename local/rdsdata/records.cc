#include "local/rdsdata/records.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/writer.h"
#include "local/gateway/rest.h"
#include "local/rdsdata/array_text.h"
#include "local/rdsdata/errors.h"
#include "local/rdsdata/limits.h"

namespace byoshin::local::rdsdata {
namespace {

using postgres_client::Result;

// What a value becomes, once the options are applied.
enum class Form { kBoolean, kLong, kDouble, kString, kBlob };

struct Value {
  Form form = Form::kString;
  absl::string_view text;
};

bool IsInteger(absl::string_view text) {
  std::int64_t ignored = 0;
  return absl::SimpleAtoi(text, &ignored);
}

Value ToValue(absl::string_view text, Representation representation,
              const RecordOptions& options) {
  switch (representation) {
    case Representation::kBoolean:
      return {Form::kBoolean, text};
    case Representation::kLong:
      return {options.integer == RecordOptions::Long::kLong ? Form::kLong
                                                            : Form::kString,
              text};
    case Representation::kDouble:
      return {Form::kDouble, text};
    case Representation::kDecimal:
      if (options.decimal == RecordOptions::Decimal::kString) {
        return {Form::kString, text};
      }
      return {IsInteger(text) ? Form::kLong : Form::kDouble, text};
    case Representation::kBlob:
      return {Form::kBlob, text};
    case Representation::kUtcTimestamp:
      absl::ConsumeSuffix(&text, "+00");
      return {Form::kString, text};
    case Representation::kString:
    case Representation::kUnsupported:
      break;
  }
  return {Form::kString, text};
}

// bytea_output is hex: \x6869.
std::string Base64OfBytea(absl::string_view text) {
  absl::ConsumePrefix(&text, "\\x");
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += HexByte(text.substr(i, 2)).value_or('\0');
  }
  return absl::Base64Escape(bytes);
}

void WriteDouble(absl::string_view text, json::Writer& json) {
  double number = 0;
  if (!absl::SimpleAtod(text, &number)) {
    json.String(text);
  } else if (std::isfinite(number)) {
    json.Number(number);
  } else {
    // As REST-JSON writes what JSON has no number for: PostgreSQL prints these
    // in the same way.
    json.String(text);
  }
}

void WriteBare(const Value& value, json::Writer& json) {
  std::int64_t integer = 0;
  switch (value.form) {
    case Form::kBoolean:
      json.Bool(value.text == "t");
      return;
    case Form::kLong:
      if (absl::SimpleAtoi(value.text, &integer)) {
        json.Int(integer);
      } else {
        json.Null();
      }
      return;
    case Form::kDouble:
      return WriteDouble(value.text, json);
    case Form::kBlob:
      json.String(Base64OfBytea(value.text));
      return;
    case Form::kString:
      json.String(value.text);
      return;
  }
}

const char* MemberOf(Form form) {
  switch (form) {
    case Form::kBoolean:
      return "booleanValue";
    case Form::kLong:
      return "longValue";
    case Form::kDouble:
      return "doubleValue";
    case Form::kBlob:
      return "blobValue";
    case Form::kString:
      break;
  }
  return "stringValue";
}

// The list of an ArrayValue: all of its elements have the same form.
Form ElementForm(const std::vector<std::optional<std::string>>& elements,
                 const ColumnType& type, const RecordOptions& options) {
  if (type.representation == Representation::kDecimal &&
      options.decimal == RecordOptions::Decimal::kDoubleOrLong) {
    for (const std::optional<std::string>& element : elements) {
      if (element.has_value() && !IsInteger(*element)) return Form::kDouble;
    }
  }
  return ToValue("0", type.representation, options).form;
}

absl::StatusOr<std::vector<std::optional<std::string>>> ElementsOf(
    absl::string_view text) {
  absl::StatusOr<std::vector<std::optional<std::string>>> elements =
      ReadArray(text);
  if (absl::IsUnimplemented(elements.status())) {
    return UnsupportedResult("The result contains a multidimensional array.");
  }
  return elements;
}

absl::Status WriteElements(absl::string_view text, const ColumnType& type,
                           const RecordOptions& options, bool with_member,
                           json::Writer& json) {
  const absl::StatusOr<std::vector<std::optional<std::string>>> elements =
      ElementsOf(text);
  if (!elements.ok()) return elements.status();
  const Form form = ElementForm(*elements, type, options);
  if (with_member) {
    json.Open('{').Key(absl::StrCat(MemberOf(form), "s"));
  }
  json.Open('[');
  for (const std::optional<std::string>& element : *elements) {
    if (!element.has_value()) {
      json.Null();
      continue;
    }
    const Value value = ToValue(*element, type.representation, options);
    WriteBare({form, value.text}, json);
  }
  json.Close(']');
  if (with_member) json.Close('}');
  return absl::OkStatus();
}

absl::Status WriteField(absl::string_view text, const ColumnType& type,
                        const RecordOptions& options, json::Writer& json) {
  json.Open('{');
  if (type.array) {
    json.Key("arrayValue");
    if (absl::Status status =
            WriteElements(text, type, options, /*with_member=*/true, json);
        !status.ok()) {
      return status;
    }
  } else {
    const Value value = ToValue(text, type.representation, options);
    json.Key(MemberOf(value.form));
    WriteBare(value, json);
  }
  json.Close('}');
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckResult(const Result& result,
                         const std::vector<ColumnType>& types) {
  for (const ColumnType& type : types) {
    if (type.representation == Representation::kUnsupported) {
      return UnsupportedResult(absl::StrCat(
          "The result contains the unsupported data type ", type.name, "."));
    }
  }
  std::int64_t all = 0;
  for (int row = 0; row < result.rows(); ++row) {
    std::int64_t bytes = 0;
    for (int column = 0; column < result.columns(); ++column) {
      bytes += static_cast<std::int64_t>(result.Text(row, column).size());
    }
    if (bytes > kMaxRowBytes) {
      return UnsupportedResult("Packet for query is too large");
    }
    all += bytes;
  }
  if (all > kMaxResultBytes) return ResultTooLarge();
  return absl::OkStatus();
}

absl::Status WriteRecords(const Result& result,
                          const std::vector<ColumnType>& types,
                          const RecordOptions& options, json::Writer& json) {
  json.Open('[');
  for (int row = 0; row < result.rows(); ++row) {
    json.Open('[');
    for (int column = 0; column < result.columns(); ++column) {
      if (result.IsNull(row, column)) {
        json.Open('{').Key("isNull").Bool(true).Close('}');
      } else if (absl::Status status = WriteField(result.Text(row, column),
                                                  types[column], options, json);
                 !status.ok()) {
        return status;
      }
    }
    json.Close(']');
  }
  json.Close(']');
  return absl::OkStatus();
}

absl::StatusOr<std::string> FormatRecords(const Result& result,
                                          const std::vector<ColumnType>& types,
                                          const RecordOptions& options) {
  std::vector<std::string> names;
  for (int column = 0; column < result.columns(); ++column) {
    names.push_back(result.column(column).name);
  }
  json::Writer json;
  json.Open('[');
  for (int row = 0; row < result.rows(); ++row) {
    json.Open('{');
    for (int column = 0; column < result.columns(); ++column) {
      json.Key(names[column]);
      const absl::string_view text = result.Text(row, column);
      if (result.IsNull(row, column)) {
        json.Null();
      } else if (!types[column].array) {
        WriteBare(ToValue(text, types[column].representation, options), json);
      } else if (absl::Status status =
                     WriteElements(text, types[column], options,
                                   /*with_member=*/false, json);
                 !status.ok()) {
        return status;
      }
    }
    json.Close('}');
    if (json.text().size() > kMaxFormattedBytes) return ResultTooLarge();
  }
  json.Close(']');
  return json.Take();
}

}  // namespace byoshin::local::rdsdata
