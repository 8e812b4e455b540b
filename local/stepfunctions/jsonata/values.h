// Between the data of an execution and values of the JavaScript engine.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_VALUES_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_VALUES_H_

#include <optional>

#include "local/javascript/engine.h"
#include "local/javascript/value.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {

// An object shares `data`, and its members become values when they are read.
javascript::Value ToValue(javascript::Engine& engine, const Data& data);

// std::nullopt if it is, or contains, what JSON can't represent. An object that
// ToValue() made gives the data that it was made of. Numbers that are not
// finite become the texts that JavaScript has for them, as on AWS.
std::optional<Data> ToData(const javascript::Value& value);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_VALUES_H_
