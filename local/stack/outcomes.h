// The outcomes of invocations, with the reason if one fails as a whole or for
// some of its messages.
//
//   OutcomeReader reader([](const FunctionOutcome& outcome) { ... });
//   reader.AddLine("sender", line);   // whatever is written to its log
//   reader.AddReport(now, report);    // once an invocation is over
//
// A function that answers with batchItemFailures does not say why. Its reason
// is the first line of level ERROR that it has logged in JSON for the same
// request, as core/log and Lambda's JSON log format do.
#ifndef BYOSHIN_LOCAL_STACK_OUTCOMES_H_
#define BYOSHIN_LOCAL_STACK_OUTCOMES_H_

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/lambda/function.h"
#include "local/logs/logs.h"

namespace byoshin::local::stack {

struct FunctionOutcome {
  // When the invocation began, and when the outcome was known.
  absl::Time started{};
  absl::Time time{};
  std::string function{};
  // Any bytes; empty if all went well.
  std::string failure{};
  // The function failed before it took the invocation. A note says why, too.
  bool could_not_start = false;
};

// Thread-safe.
class OutcomeReader {
 public:
  using OnOutcome = std::function<void(const FunctionOutcome&)>;

  // Called on the thread that adds.
  explicit OutcomeReader(OnOutcome on_outcome)
      : on_outcome_(std::move(on_outcome)) {}

  void AddLine(absl::string_view function, const logs::LogLine& line);
  void AddReport(absl::Time now, const lambda::InvocationReport& report);

 private:
  const OnOutcome on_outcome_;
  sync::Mutex mutex_;
  // The first error of each request under way.
  std::map<std::string, std::string> errors_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_OUTCOMES_H_
