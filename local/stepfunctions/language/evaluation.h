// What the fields of a state give for an input: every step of a state's data
// flow as a pure function, with AWS's errors.
//
//   JSONPath: input -> InputPath -> Parameters -> (the work) ->
//             ResultSelector -> ResultPath -> OutputPath
//   JSONata:  Arguments -> (the work) -> Output
//
// In JSONPath, `scope.input` is what `$` is for that step. In JSONata it is the
// state's input throughout, and `scope.result` or `scope.error_output` is set
// once it is known.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_EVALUATION_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_EVALUATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/scope.h"

namespace byoshin::local::stepfunctions {

// ---- The data flow of JSONPath ----

// What InputPath or OutputPath selects from scope.input; `{}` if it is null.
Evaluated<Data> SelectPath(const PathField<Path>& field, const Scope& scope);

// Parameters or Arguments; scope.input if there are none.
Evaluated<Data> EvaluateArguments(const State& state, const Scope& scope);

// ResultSelector over scope.input, the result.
Evaluated<Data> SelectResult(const State& state, const Scope& scope);

// The state's input with the result put in by ResultPath. AWS's error for a
// place that can't exist is States.ReferencePathConflict.
Evaluated<Data> PutResult(const PathField<ReferencePath>& result_path,
                          const Data& input, const Data& result);

// ---- Both ----

// The variables that `assign` sets, as an object; `{}` if absent.
Evaluated<Data> EvaluateAssign(const std::optional<Template>& assign,
                               const Scope& scope);

// `output`, or `otherwise` if absent.
Evaluated<Data> EvaluateOutput(const std::optional<Template>& output,
                               const Data& otherwise, const Scope& scope);

// The index of the first rule that holds, if any.
Evaluated<std::optional<size_t>> FindChoice(const State& state,
                                            const Scope& scope);

// When a Wait state that is entered at `now` ends; `now` if that is past.
Evaluated<absl::Time> WaitUntil(const State& state, const Scope& scope,
                                absl::Time now);

// Error or Cause of a Fail state; nullopt if absent.
Evaluated<std::optional<std::string>> EvaluateText(
    const std::optional<Template>& field, const Scope& scope);

// TimeoutSeconds or HeartbeatSeconds of a task; nullopt if absent.
Evaluated<std::optional<absl::Duration>> EvaluateSeconds(
    const std::optional<Template>& field, const Scope& scope);

// The limits of a task's time; each is nullopt if its field is absent.
struct TaskTimes {
  std::optional<absl::Duration> timeout;
  std::optional<absl::Duration> heartbeat;
};
// Fails also if the heartbeat is not shorter than the time-out.
Evaluated<TaskTimes> EvaluateTaskTimes(const State& state, const Scope& scope);
// Not AWS's wording, which is not known.
inline constexpr char kHeartbeatTooLong[] =
    "HeartbeatSeconds must be less than TimeoutSeconds.";

// Credentials' RoleArn; nullopt if absent.
Evaluated<std::optional<std::string>> EvaluateRole(const State& state,
                                                   const Scope& scope);

// ---- Map ----

// The items: an array or, if the Map is distributed, also an object, whose
// members are the items then.
Evaluated<Data> EvaluateItems(const State& state, const Scope& scope);

// What an iteration gets for `item`; `scope.context` has Map.Item.
Evaluated<Data> EvaluateItem(const State& state, const Data& item,
                             const Scope& scope);

// 0: no limit.
Evaluated<int64_t> EvaluateMaxConcurrency(const State& state,
                                          const Scope& scope);

struct ToleratedFailure {
  std::optional<int64_t> count;
  std::optional<double> percentage;
};
Evaluated<ToleratedFailure> EvaluateToleratedFailure(const State& state,
                                                     const Scope& scope);

// MaxItemsPerBatch, MaxInputBytesPerBatch or MaxItems; nullopt if absent.
Evaluated<std::optional<int64_t>> EvaluateCount(
    const std::optional<Template>& field, const Scope& scope);

// ---- Errors ----

// "The JSONata expression 'E' specified for the field 'F' returned an
// unexpected result type. Expected 'array', but was 'number' for value: 1"
EvaluationError UnexpectedType(const Template& field, absl::string_view wanted,
                               const Data& value);

// ---- Time ----

// RFC 3339 as AWS takes it: 2016-03-14T01:59:00Z, also with a fraction or an
// offset.
std::optional<absl::Time> ParseTimestamp(absl::string_view text);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_EVALUATION_H_
