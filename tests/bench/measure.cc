#include "tests/bench/measure.h"

#include <sys/types.h>

#include <fstream>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "tests/integration/runtime_api.h"

namespace byoshin::bench {
namespace {

using integration::LambdaProcess;
using integration::RuntimeApi;

absl::StatusOr<Memory> MemoryOf(pid_t pid) {
  std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
  Memory memory;
  std::string text;
  while (std::getline(status, text)) {
    absl::string_view line = text;
    double* value = nullptr;
    if (absl::ConsumePrefix(&line, "VmRSS:")) value = &memory.resident;
    if (absl::ConsumePrefix(&line, "VmHWM:")) value = &memory.peak;
    if (value == nullptr) continue;
    if (!absl::ConsumeSuffix(&line, " kB") || !absl::SimpleAtod(line, value)) {
      return absl::InternalError(absl::StrCat("unexpected in /proc: ", text));
    }
  }
  if (memory.resident == 0 || memory.peak == 0) {
    return absl::InternalError("/proc does not say how much memory is used");
  }
  return memory;
}

// When the response came.
absl::StatusOr<absl::Time> AwaitDone(const Function& function,
                                     LambdaProcess& process,
                                     const std::string& request_id) {
  absl::StatusOr<RuntimeApi::Outcome> outcome = process.api().Await(request_id);
  if (!outcome.ok()) {
    return absl::UnknownError(
        absl::StrCat(outcome.status().message(), "; its output:\n",
                     absl::StrJoin(process.process().lines(), "\n")));
  }
  if (outcome->kind != RuntimeApi::Outcome::Kind::kResponse ||
      !function.is_done(outcome->payload)) {
    return absl::UnknownError(absl::StrCat(
        "the function did not do its job: ", outcome->payload,
        "; its output:\n", absl::StrJoin(process.process().lines(), "\n")));
  }
  return outcome->posted;
}

absl::StatusOr<int> InvokeFor(const Function& function, LambdaProcess& process,
                              absl::Duration duration, int first) {
  const absl::Time end = absl::Now() + duration;
  int n = first;
  while (absl::Now() < end) {
    const std::string id = process.api().Submit({.payload = function.event(n)});
    absl::StatusOr<absl::Time> posted = AwaitDone(function, process, id);
    if (!posted.ok()) return posted.status();
    ++n;
  }
  return n - first;
}

}  // namespace

absl::StatusOr<ColdStart> MeasureColdStart(const Function& function) {
  LambdaProcess::Options options = function.process;
  options.first_event = RuntimeApi::Event{.payload = function.event(0)};
  absl::StatusOr<std::unique_ptr<LambdaProcess>> process =
      LambdaProcess::Start(std::move(options));
  if (!process.ok()) return process.status();
  absl::StatusOr<absl::Time> posted =
      AwaitDone(function, **process, (*process)->first_request_id());
  if (!posted.ok()) return posted.status();
  absl::StatusOr<Memory> memory = MemoryOf((*process)->process().pid());
  if (!memory.ok()) return memory.status();
  return ColdStart{.first_response = *posted - (*process)->process().started(),
                   .memory = *memory};
}

absl::StatusOr<WarmRun> MeasureWarmRun(const Function& function,
                                       absl::Duration duration) {
  absl::StatusOr<std::unique_ptr<LambdaProcess>> process =
      LambdaProcess::Start(function.process);
  if (!process.ok()) return process.status();
  absl::StatusOr<int> before = InvokeFor(function, **process, duration / 2, 0);
  if (!before.ok()) return before.status();
  const absl::Time start = absl::Now();
  absl::StatusOr<int> count = InvokeFor(function, **process, duration, *before);
  if (!count.ok()) return count.status();
  const absl::Duration elapsed = absl::Now() - start;
  absl::StatusOr<Memory> memory = MemoryOf((*process)->process().pid());
  if (!memory.ok()) return memory.status();
  return WarmRun{
      .invocations_per_second = *count / absl::ToDoubleSeconds(elapsed),
      .memory = *memory};
}

}  // namespace byoshin::bench
