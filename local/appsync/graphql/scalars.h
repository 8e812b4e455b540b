// The scalars that AppSync has, in requests and in results.
//
//   Coerced coerced = ParseScalar(ScalarKind::kAWSDate, Data::String("1970"));
//   if (!coerced.ok()) Refuse(coerced.problem);
//   // Unable to parse `1970` as a valid date.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_SCALARS_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_SCALARS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"

namespace byoshin::local::appsync::graphql {

enum class ScalarKind : uint8_t {
  kID,
  kInt,
  kFloat,
  kString,
  kBoolean,
  kAWSDate,
  kAWSTime,
  kAWSDateTime,
  kAWSTimestamp,
  kAWSEmail,
  kAWSJSON,
  kAWSURL,
  kAWSPhone,
  kAWSIPAddress,
};

// "AWSDate" and so on.
absl::string_view ScalarName(ScalarKind kind);
std::optional<ScalarKind> FindScalar(absl::string_view name);

// A value, or what is wrong with it.
struct Coerced {
  Data value;
  // Empty if it is right. A sentence for the end of a message.
  std::string problem;

  bool ok() const { return problem.empty(); }
};

// A literal in a document, which is not a variable, null, list or object
// (but for AWSJSON nothing of that kind is right, either).
Coerced ParseScalarLiteral(ScalarKind kind, const ast::Value& literal);
// The value of a variable, which is not null. As graphql-java does, numbers are
// also accepted as texts, and texts as numbers.
Coerced ParseScalar(ScalarKind kind, const Data& value);
// A resolver's result, which is not null.
Coerced SerializeScalar(ScalarKind kind, const Data& value);

// `value` as Java prints it: text without quotation marks, {a=1, b=[2, 3]}.
std::string JavaText(const Data& value);

// Each says whether `text` is valid.
bool IsDate(absl::string_view text);
bool IsTime(absl::string_view text);
bool IsDateTime(absl::string_view text);
bool IsEmail(absl::string_view text);
bool IsUrl(absl::string_view text);
bool IsIpAddress(absl::string_view text);
// Takes some ten microseconds, and some milliseconds the first time. Numbers
// without a country code are those of the United States.
bool IsPhone(absl::string_view text);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_SCALARS_H_
