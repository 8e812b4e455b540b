// The JSON value that flows through an execution.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_DATA_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_DATA_H_

#include "core/json/data.h"

namespace byoshin::local::stepfunctions {

using json::Data;
using json::DescribeType;
using json::FromJsonValue;
using json::kMaxDataDepth;
using json::Merged;
using json::ObjectBuilder;
using json::ToJsonValue;
using json::ValidUtf8;

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_DATA_H_
