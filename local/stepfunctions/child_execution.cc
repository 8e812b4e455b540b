#include "local/stepfunctions/child_execution.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/executions.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {
namespace {

Data Included() {
  ObjectBuilder details;
  details.Set("Included", Data::Boolean(true));
  return std::move(details).Build();
}

Data Milliseconds(std::int64_t microseconds) {
  constexpr std::int64_t kMicrosPerMilli = 1000;
  return Data::Integer(microseconds / kMicrosPerMilli);
}

void AddJson(absl::string_view name, const std::string& text,
             ChildOutput output, ObjectBuilder& result) {
  absl::StatusOr<Data> parsed = output == ChildOutput::kParsed
                                    ? Data::Parse(text)
                                    : absl::StatusOr<Data>(Data::String(text));
  result.Set(name, parsed.ok() ? *std::move(parsed) : Data::String(text));
}

}  // namespace

std::string ChildArnOf(const Data& answer) {
  const Data* arn = answer.Find("ExecutionArn");
  return arn != nullptr && arn->is_string() ? std::string(arn->string()) : "";
}

Data ChildResult(const kept::Execution& child, ChildOutput output) {
  ObjectBuilder result;
  if (child.has_cause()) result.Set("Cause", Data::String(child.cause()));
  if (child.has_error()) result.Set("Error", Data::String(child.error()));
  result.Set("ExecutionArn", Data::String(child.arn()));
  AddJson("Input", child.input(), output, result);
  result.Set("InputDetails", Included());
  result.Set("Name", Data::String(child.name()));
  if (child.has_output()) {
    AddJson("Output", child.output(), output, result);
    result.Set("OutputDetails", Included());
  }
  result.Set("RedriveCount", Data::Integer(child.redrive_count()));
  result.Set("StartDate", Milliseconds(child.start_us()));
  result.Set("StateMachineArn", Data::String(child.machine_arn()));
  result.Set("Status", Data::String(StatusName(child.status())));
  result.Set("StopDate", Milliseconds(child.stop_us()));
  return std::move(result).Build();
}

}  // namespace byoshin::local::stepfunctions
