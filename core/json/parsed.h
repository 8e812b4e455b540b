// JSON that several tests of messages parse.
#ifndef BYOSHIN_CORE_JSON_PARSED_H_
#define BYOSHIN_CORE_JSON_PARSED_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/json.h"
#include "gtest/gtest.h"

namespace byoshin::json {

// A test::Scalars with a value for every field.
inline constexpr absl::string_view kScalars =
    R"({"int32Value":-1,"int64Value":-2,"uint32Value":3,"uint64Value":4,)"
    R"("floatValue":0.5,"doubleValue":0.25,"boolValue":true,)"
    R"("stringValue":"x"})";

template <typename T>
T Parsed(absl::string_view json) {
  absl::StatusOr<T> message = FromJson<T>(json);
  EXPECT_TRUE(message.ok()) << json << ": " << message.status();
  return message.value_or(T());
}

}  // namespace byoshin::json

#endif  // BYOSHIN_CORE_JSON_PARSED_H_
