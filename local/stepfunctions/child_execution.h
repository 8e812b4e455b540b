// The result of a task that starts an execution and waits for its end.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_CHILD_EXECUTION_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_CHILD_EXECUTION_H_

#include <string>

#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {

// Of what StartExecution has answered; empty if it is not there.
std::string ChildArnOf(const Data& answer);

// .sync gives input and output as text, .sync:2 as JSON.
enum class ChildOutput { kText, kParsed };
// What DescribeExecution would answer, with AWS SDKs' names.
Data ChildResult(const kept::Execution& child, ChildOutput output);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_CHILD_EXECUTION_H_
