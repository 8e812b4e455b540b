#include "local/stepfunctions/execution/input.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {
namespace {

// The log has an input as an array: the kind, the time in nanoseconds since
// 1970, and the members in order. The numbers must never change.
enum Kind : int64_t {
  kTaskSubmitted = 1,
  kTaskSucceeded = 2,
  kTaskFailed = 3,
  kTaskHeartbeat = 4,
  kActivityStarted = 5,
  kTimerFired = 6,
  kStopRequested = 7,
  kRedriven = 8,
  kGoOn = 9,
  kMapRunUpdated = 10,
};

Data Number(uint64_t id) { return Data::Integer(static_cast<int64_t>(id)); }

Data Text(const std::optional<std::string>& text) {
  return text ? Data::String(*text) : Data();
}

struct InputWriter {
  std::vector<Data>& out;

  int64_t operator()(const TaskSubmitted& input) const {
    out.push_back(Number(input.task));
    out.push_back(input.output);
    return kTaskSubmitted;
  }
  int64_t operator()(const TaskSucceeded& input) const {
    out.push_back(Number(input.task));
    out.push_back(input.output);
    return kTaskSucceeded;
  }
  int64_t operator()(const TaskFailed& input) const {
    out.push_back(Number(input.task));
    out.push_back(Text(input.error));
    out.push_back(Text(input.cause));
    return kTaskFailed;
  }
  int64_t operator()(const TaskHeartbeat& input) const {
    out.push_back(Number(input.task));
    return kTaskHeartbeat;
  }
  int64_t operator()(const ActivityStarted& input) const {
    out.push_back(Number(input.task));
    out.push_back(Data::String(input.worker_name));
    return kActivityStarted;
  }
  int64_t operator()(const TimerFired& input) const {
    out.push_back(Number(input.timer));
    return kTimerFired;
  }
  int64_t operator()(const StopRequested& input) const {
    out.push_back(Text(input.error));
    out.push_back(Text(input.cause));
    return kStopRequested;
  }
  int64_t operator()(const Redriven&) const { return kRedriven; }
  int64_t operator()(const GoOn&) const { return kGoOn; }
  int64_t operator()(const MapRunUpdated& input) const {
    out.push_back(Data::String(input.map_run_arn));
    out.push_back(input.max_concurrency ? Data::Integer(*input.max_concurrency)
                                        : Data());
    out.push_back(input.tolerated_failure_count
                      ? Data::Integer(*input.tolerated_failure_count)
                      : Data());
    out.push_back(input.tolerated_failure_percentage
                      ? Data::Double(*input.tolerated_failure_percentage)
                      : Data());
    return kMapRunUpdated;
  }
};

// Reads the members in order. What is missing or has another type makes it
// fail.
class InputReader {
 public:
  explicit InputReader(const Data& input) : elements_(input.elements()) {}

  int64_t Integer() {
    const Data* next = Next();
    if (next == nullptr || !next->is_integer()) return Fail<int64_t>();
    return next->integer();
  }
  uint64_t Id() { return static_cast<uint64_t>(Integer()); }
  std::optional<int64_t> OptionalInteger() {
    if (AtNull()) return std::nullopt;
    return Integer();
  }
  std::optional<double> OptionalNumber() {
    if (AtNull()) return std::nullopt;
    const Data* next = Next();
    if (next == nullptr || !next->is_number()) return Fail<double>();
    return next->number();
  }
  std::string String() {
    const Data* next = Next();
    if (next == nullptr || !next->is_string()) return Fail<std::string>();
    return std::string(next->string());
  }
  std::optional<std::string> OptionalString() {
    if (AtNull()) return std::nullopt;
    return String();
  }
  Data Value() {
    const Data* next = Next();
    return next == nullptr ? Fail<Data>() : *next;
  }
  // True if everything was there, and nothing else.
  bool Complete() const { return !failed_ && at_ == elements_.size(); }

 private:
  template <typename T>
  T Fail() {
    failed_ = true;
    return T();
  }
  const Data* Next() {
    return at_ < elements_.size() ? &elements_[at_++] : nullptr;
  }
  bool AtNull() {
    if (at_ >= elements_.size() || !elements_[at_].is_null()) return false;
    ++at_;
    return true;
  }

  absl::Span<const Data> elements_;
  size_t at_ = 0;
  bool failed_ = false;
};

bool ReadWhat(int64_t kind, InputReader& in, ExecutionInput& input) {
  // Braces evaluate their members in order.
  switch (kind) {
    case kTaskSubmitted:
      input.what = TaskSubmitted{in.Id(), in.Value()};
      return true;
    case kTaskSucceeded:
      input.what = TaskSucceeded{in.Id(), in.Value()};
      return true;
    case kTaskFailed:
      input.what =
          TaskFailed{in.Id(), in.OptionalString(), in.OptionalString()};
      return true;
    case kTaskHeartbeat:
      input.what = TaskHeartbeat{in.Id()};
      return true;
    case kActivityStarted:
      input.what = ActivityStarted{in.Id(), in.String()};
      return true;
    case kTimerFired:
      input.what = TimerFired{in.Id()};
      return true;
    case kStopRequested:
      input.what = StopRequested{in.OptionalString(), in.OptionalString()};
      return true;
    case kRedriven:
      input.what = Redriven{};
      return true;
    case kGoOn:
      input.what = GoOn{};
      return true;
    case kMapRunUpdated:
      input.what = MapRunUpdated{in.String(), in.OptionalInteger(),
                                 in.OptionalInteger(), in.OptionalNumber()};
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string SerializeInput(const ExecutionInput& input) {
  std::vector<Data> elements(2);
  const int64_t kind = std::visit(InputWriter{elements}, input.what);
  elements[0] = Data::Integer(kind);
  elements[1] = Data::Integer(absl::ToUnixNanos(input.time));
  return Data::Array(std::move(elements)).ToJson();
}

absl::StatusOr<ExecutionInput> ParseInput(absl::string_view text) {
  const absl::StatusOr<Data> parsed = Data::Parse(text);
  if (!parsed.ok()) return parsed.status();
  InputReader in(*parsed);
  const int64_t kind = in.Integer();
  ExecutionInput input;
  input.time = absl::FromUnixNanos(in.Integer());
  if (!ReadWhat(kind, in, input) || !in.Complete()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "an invalid input of an execution: ", text.substr(0, 200)));
  }
  return input;
}

}  // namespace byoshin::local::stepfunctions
