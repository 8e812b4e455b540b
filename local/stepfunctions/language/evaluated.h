// The value of something that was evaluated, or the error with which the state
// fails.
//
//   Evaluated<Data> value = path.Select(scope);
//   if (!value.ok()) return Fail(value.error());
//   Use(*value);
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_EVALUATED_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_EVALUATED_H_

#include <string>
#include <utility>
#include <variant>

namespace byoshin::local::stepfunctions {

// Error names of the Amazon States Language.
inline constexpr char kErrorAll[] = "States.ALL";
inline constexpr char kErrorBranchFailed[] = "States.BranchFailed";
inline constexpr char kErrorDataLimitExceeded[] = "States.DataLimitExceeded";
inline constexpr char kErrorExceedToleratedFailureThreshold[] =
    "States.ExceedToleratedFailureThreshold";
inline constexpr char kErrorHeartbeatTimeout[] = "States.HeartbeatTimeout";
inline constexpr char kErrorHttpSocket[] = "States.Http.Socket";
inline constexpr char kErrorIntrinsicFailure[] = "States.IntrinsicFailure";
inline constexpr char kErrorItemReaderFailed[] = "States.ItemReaderFailed";
inline constexpr char kErrorNoChoiceMatched[] = "States.NoChoiceMatched";
inline constexpr char kErrorParameterPathFailure[] =
    "States.ParameterPathFailure";
inline constexpr char kErrorPermissions[] = "States.Permissions";
inline constexpr char kErrorQueryEvaluation[] = "States.QueryEvaluationError";
inline constexpr char kErrorReferencePathConflict[] =
    "States.ReferencePathConflict";
inline constexpr char kErrorResultPathMatchFailure[] =
    "States.ResultPathMatchFailure";
inline constexpr char kErrorResultWriterFailed[] = "States.ResultWriterFailed";
inline constexpr char kErrorRuntime[] = "States.Runtime";
inline constexpr char kErrorTaskFailed[] = "States.TaskFailed";
inline constexpr char kErrorTimeout[] = "States.Timeout";

// `cause` does not begin with "An error occurred while executing the state
// 'S' (entered at the event id #2). ": whoever runs the state adds that.
struct EvaluationError {
  std::string error;
  std::string cause;
  // The field whose evaluation failed, such as Output or Arguments; empty if
  // unknown. EvaluationFailed events have it.
  std::string location;
};

template <typename T>
class Evaluated {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): so that `return value` works.
  Evaluated(T value) : outcome_(std::in_place_index<0>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): so that `return error` works.
  Evaluated(EvaluationError error)
      : outcome_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return outcome_.index() == 0; }
  // Requires !ok().
  const EvaluationError& error() const& { return *std::get_if<1>(&outcome_); }
  EvaluationError&& error() && { return std::move(*std::get_if<1>(&outcome_)); }

  // Each requires ok().
  const T& operator*() const& { return *std::get_if<0>(&outcome_); }
  T& operator*() & { return *std::get_if<0>(&outcome_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&outcome_)); }
  const T* operator->() const { return std::get_if<0>(&outcome_); }
  T* operator->() { return std::get_if<0>(&outcome_); }

 private:
  std::variant<T, EvaluationError> outcome_;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_EVALUATED_H_
