// Between the data of an execution and values of the JavaScript engine.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_VALUES_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_VALUES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "local/javascript/engine.h"
#include "local/javascript/value.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {

// An object shares `data`, and its members become values when they are read.
javascript::Value ToValue(javascript::Engine& engine, const Data& data);

// The size that each value of a result counts, apart from its text.
inline constexpr int64_t kValueBytes = 8;

// InvalidArgument if it is, or contains, what JSON can't represent.
// ResourceExhausted if its values and texts take more than `max_bytes`: the
// same object can be in any number of places of another, and is copied for
// each. An object that ToValue() made gives the data that it was made of.
// Numbers that are not finite become the texts that JavaScript has for them, as
// on AWS.
absl::StatusOr<Data> ToData(const javascript::Value& value, int64_t max_bytes);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_VALUES_H_
