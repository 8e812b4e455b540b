#include "local/appsync/graphql/scalars.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"

namespace byoshin::local::appsync::graphql {
namespace {

struct ScalarInfo {
  ScalarKind kind;
  absl::string_view name;
  // For "Unable to parse `x` as ...".
  absl::string_view when_parsed;
  // For "Unable to serialize `x` as ...".
  absl::string_view when_serialized;
};

constexpr ScalarInfo kScalars[] = {
    {ScalarKind::kID, "ID", "", ""},
    {ScalarKind::kInt, "Int", "", ""},
    {ScalarKind::kFloat, "Float", "", ""},
    {ScalarKind::kString, "String", "", ""},
    {ScalarKind::kBoolean, "Boolean", "", ""},
    {ScalarKind::kAWSDate, "AWSDate", "a valid date", "a valid Date Object"},
    {ScalarKind::kAWSTime, "AWSTime", "a valid time", "a valid Time Object"},
    {ScalarKind::kAWSDateTime, "AWSDateTime", "a valid DateTime",
     "a valid DateTime Object"},
    {ScalarKind::kAWSTimestamp, "AWSTimestamp", "a valid timestamp",
     "a valid timestamp"},
    {ScalarKind::kAWSEmail, "AWSEmail", "a valid email address",
     "a valid email address"},
    {ScalarKind::kAWSJSON, "AWSJSON", "valid JSON", "valid JSON"},
    {ScalarKind::kAWSURL, "AWSURL", "a valid URL", "a valid URL"},
    {ScalarKind::kAWSPhone, "AWSPhone", "a valid phone number",
     "a valid phone number"},
    {ScalarKind::kAWSIPAddress, "AWSIPAddress", "a valid IP address",
     "a valid IP address"},
};

const ScalarInfo& InfoOf(ScalarKind kind) {
  return kScalars[static_cast<size_t>(kind)];
}

Coerced Right(Data value) { return {.value = std::move(value), .problem = ""}; }
Coerced Wrong(std::string problem) {
  return {.value = Data(), .problem = std::move(problem)};
}

// Whether a number is written without a fraction and an exponent, whatever its
// size.
bool IsWrittenAsInteger(const Data& number) {
  if (number.is_integer()) return true;
  const std::string text = number.ToJson();
  return text.find_first_not_of("0123456789", text.front() == '-' ? 1 : 0) ==
         std::string::npos;
}

// What Java calls the type of a value.
absl::string_view JavaType(const Data& value) {
  switch (value.type()) {
    case Data::Type::kNull:
      return "null";
    case Data::Type::kBoolean:
      return "Boolean";
    case Data::Type::kNumber:
      if (!IsWrittenAsInteger(value)) return "Double";
      if (!value.is_integer()) return "BigInteger";
      return std::in_range<int32_t>(value.integer()) ? "Integer" : "Long";
    case Data::Type::kString:
      return "String";
    case Data::Type::kArray:
      return "ArrayList";
    case Data::Type::kObject:
      return "LinkedHashMap";
  }
  return "";
}

Coerced WrongType(ScalarKind kind, const Data& value) {
  return Wrong(absl::StrCat("Expected type '", ScalarName(kind), "' but was '",
                            JavaType(value), "'."));
}

Coerced Unparsable(ScalarKind kind, const Data& value) {
  return Wrong(absl::StrCat("Unable to parse `", JavaText(value), "` as ",
                            InfoOf(kind).when_parsed, "."));
}

// Whether `text` can be a number as Java reads it: decimal, without spaces.
bool MayBeDecimal(absl::string_view text) {
  return text.find_first_not_of("0123456789+-.eE") == absl::string_view::npos;
}

// The number that `value` is, or that its text is.
std::optional<double> NumberOf(const Data& value) {
  double number = 0;
  if (value.is_number()) {
    number = value.number();
  } else if (!value.is_string() || !MayBeDecimal(value.string()) ||
             !absl::SimpleAtod(value.string(), &number)) {
    return std::nullopt;
  }
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<int64_t> IntegerOf(const Data& value) {
  if (value.is_integer()) return value.integer();
  int64_t integer = 0;
  if (value.is_string() && MayBeDecimal(value.string()) &&
      absl::SimpleAtoi(value.string(), &integer)) {
    return integer;
  }
  // From here on, a double may stand for several integers.
  constexpr double kLimit = 9007199254740992.0;
  const std::optional<double> number = NumberOf(value);
  if (!number.has_value() || std::trunc(*number) != *number ||
      std::abs(*number) >= kLimit) {
    return std::nullopt;
  }
  return static_cast<int64_t>(*number);
}

Coerced ConvertInt(const Data& value) {
  const std::optional<int64_t> integer = IntegerOf(value);
  if (!integer.has_value() || !std::in_range<int32_t>(*integer)) {
    return WrongType(ScalarKind::kInt, value);
  }
  return Right(Data::Integer(*integer));
}

Coerced ConvertFloat(const Data& value) {
  const std::optional<double> number = NumberOf(value);
  if (!number.has_value()) return WrongType(ScalarKind::kFloat, value);
  return Right(Data::Double(*number));
}

Coerced ConvertBoolean(const Data& value) {
  if (value.is_boolean()) return Right(value);
  if (value.is_number()) return Right(Data::Boolean(value.number() != 0));
  if (value.is_string()) {
    if (absl::EqualsIgnoreCase(value.string(), "true")) {
      return Right(Data::Boolean(true));
    }
    if (absl::EqualsIgnoreCase(value.string(), "false")) {
      return Right(Data::Boolean(false));
    }
  }
  return WrongType(ScalarKind::kBoolean, value);
}

Coerced ConvertId(const Data& value) {
  if (value.is_string()) return Right(value);
  if (!value.is_number()) return WrongType(ScalarKind::kID, value);
  // Also one that does not fit in 64 bits.
  if (IsWrittenAsInteger(value)) return Right(Data::String(value.ToJson()));
  const std::optional<int64_t> integer = IntegerOf(value);
  if (!integer.has_value()) return WrongType(ScalarKind::kID, value);
  return Right(Data::String(absl::StrCat(*integer)));
}

bool IsValidText(ScalarKind kind, absl::string_view text) {
  switch (kind) {
    case ScalarKind::kAWSDate:
      return IsDate(text);
    case ScalarKind::kAWSTime:
      return IsTime(text);
    case ScalarKind::kAWSDateTime:
      return IsDateTime(text);
    case ScalarKind::kAWSEmail:
      return IsEmail(text);
    case ScalarKind::kAWSURL:
      return IsUrl(text);
    case ScalarKind::kAWSPhone:
      return IsPhone(text);
    case ScalarKind::kAWSIPAddress:
      return IsIpAddress(text);
    default:
      return true;
  }
}

Coerced ParseJsonText(const Data& value) {
  if (!value.is_string()) return Unparsable(ScalarKind::kAWSJSON, value);
  absl::StatusOr<Data> parsed = Data::Parse(value.string());
  if (!parsed.ok()) return Unparsable(ScalarKind::kAWSJSON, value);
  return Right(*std::move(parsed));
}

std::optional<int64_t> IntegerLiteral(const ast::Value& literal) {
  int64_t integer = 0;
  if (literal.kind != ast::Value::Kind::kInt ||
      !absl::SimpleAtoi(literal.text, &integer)) {
    return std::nullopt;
  }
  return integer;
}

Coerced WrongLiteral(ScalarKind kind) {
  return Wrong(absl::StrCat("is not a valid '", ScalarName(kind), "'"));
}

Coerced ParseNumberLiteral(ScalarKind kind, const ast::Value& literal) {
  if (kind == ScalarKind::kFloat) {
    double number = 0;
    const bool numeric = literal.kind == ast::Value::Kind::kInt ||
                         literal.kind == ast::Value::Kind::kFloat;
    if (!numeric || !absl::SimpleAtod(literal.text, &number) ||
        !std::isfinite(number)) {
      return WrongLiteral(kind);
    }
    return Right(Data::Double(number));
  }
  const std::optional<int64_t> integer = IntegerLiteral(literal);
  if (!integer.has_value()) return WrongLiteral(kind);
  if (kind == ScalarKind::kInt && !std::in_range<int32_t>(*integer)) {
    return WrongLiteral(kind);
  }
  return Right(Data::Integer(*integer));
}

void AppendJavaText(const Data& value, std::string& out) {
  switch (value.type()) {
    case Data::Type::kString:
      absl::StrAppend(&out, value.string());
      return;
    case Data::Type::kArray: {
      out += '[';
      for (const Data& element : value.elements()) {
        if (&element != &value.elements().front()) out += ", ";
        AppendJavaText(element, out);
      }
      out += ']';
      return;
    }
    case Data::Type::kObject: {
      out += '{';
      for (const Data::Member& member : value.members()) {
        if (&member != &value.members().front()) out += ", ";
        absl::StrAppend(&out, member.name(), "=");
        AppendJavaText(member.value, out);
      }
      out += '}';
      return;
    }
    default:
      value.AppendJson(out);
  }
}

}  // namespace

absl::string_view ScalarName(ScalarKind kind) { return InfoOf(kind).name; }

std::optional<ScalarKind> FindScalar(absl::string_view name) {
  for (const ScalarInfo& info : kScalars) {
    if (info.name == name) return info.kind;
  }
  return std::nullopt;
}

std::string JavaText(const Data& value) {
  std::string out;
  AppendJavaText(value, out);
  return out;
}

Coerced ParseScalarLiteral(ScalarKind kind, const ast::Value& literal) {
  using Kind = ast::Value::Kind;
  switch (kind) {
    case ScalarKind::kInt:
    case ScalarKind::kFloat:
    case ScalarKind::kAWSTimestamp:
      return ParseNumberLiteral(kind, literal);
    case ScalarKind::kBoolean:
      if (literal.kind != Kind::kBoolean) return WrongLiteral(kind);
      return Right(Data::Boolean(literal.boolean));
    case ScalarKind::kID:
      if (literal.kind == Kind::kInt) return Right(Data::String(literal.text));
      break;
    default:
      break;
  }
  if (literal.kind != Kind::kString) return WrongLiteral(kind);
  Data text = Data::String(literal.string);
  if (kind == ScalarKind::kAWSJSON) {
    Coerced parsed = ParseJsonText(text);
    return parsed.ok() ? parsed : WrongLiteral(kind);
  }
  if (!IsValidText(kind, literal.string)) return WrongLiteral(kind);
  return Right(std::move(text));
}

Coerced ParseScalar(ScalarKind kind, const Data& value) {
  switch (kind) {
    case ScalarKind::kID:
      return ConvertId(value);
    case ScalarKind::kInt:
      return ConvertInt(value);
    case ScalarKind::kFloat:
      return ConvertFloat(value);
    case ScalarKind::kBoolean:
      return ConvertBoolean(value);
    case ScalarKind::kString:
      if (value.is_string()) return Right(value);
      if (value.is_array() || value.is_object()) return WrongType(kind, value);
      return Right(Data::String(JavaText(value)));
    case ScalarKind::kAWSTimestamp: {
      const std::optional<int64_t> integer = IntegerOf(value);
      if (!integer.has_value()) return Unparsable(kind, value);
      return Right(Data::Integer(*integer));
    }
    case ScalarKind::kAWSJSON:
      return ParseJsonText(value);
    default:
      if (!value.is_string() || !IsValidText(kind, value.string())) {
        return Unparsable(kind, value);
      }
      return Right(value);
  }
}

Coerced SerializeScalar(ScalarKind kind, const Data& value) {
  switch (kind) {
    case ScalarKind::kString:
      if (value.is_string()) return Right(value);
      return Right(Data::String(JavaText(value)));
    case ScalarKind::kAWSJSON:
      return Right(Data::String(value.ToJson()));
    case ScalarKind::kID:
    case ScalarKind::kInt:
    case ScalarKind::kFloat:
    case ScalarKind::kBoolean:
      return ParseScalar(kind, value);
    default: {
      Coerced parsed = ParseScalar(kind, value);
      if (parsed.ok()) return parsed;
      return Wrong(absl::StrCat("Unable to serialize `", JavaText(value),
                                "` as ", InfoOf(kind).when_serialized, "."));
    }
  }
}

}  // namespace byoshin::local::appsync::graphql
