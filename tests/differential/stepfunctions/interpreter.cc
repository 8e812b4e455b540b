// Byoshin's interpreter of state machines for tests in JavaScript. Reads one
// request a line, as JSON, and writes an answer a line.
//
//   {"definition": {…}, "input": …, "tasks": {"State": [{"output": …},
//                                               {"error": …, "cause": …}]}}
//
// runs the machine on simulated time. A task has the first outcome of its
// state when it is first run with its input, the second one when it is run with
// the same input again, and so on; the last one repeats. The answer:
//
//   {"status": "SUCCEEDED", "output": …}
//   {"status": "FAILED", "error": …, "cause": …}
//   {"status": "INVALID", "diagnostics": ["MISSING_END_STATE: … at /States/S"]}
//
// Without an input, the definition is only checked: {"status": "VALID"}.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/testing/simulated_run.h"
#include "local/stepfunctions/jsonata/jsonata.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/diagnostic.h"

namespace byoshin::local::stepfunctions {
namespace {

std::optional<std::string> TextIn(const Data& object, const char* name) {
  const Data* found = object.Find(name);
  if (found == nullptr) return std::nullopt;
  return std::string(found->string());
}

// The outcomes of `tasks`, in turn.
TaskMocks MocksOf(Data tasks) {
  auto runs = std::make_shared<std::map<std::string, std::size_t>>();
  return [tasks = std::move(tasks), runs](const TaskRequest& task) {
    const Data* outcomes = tasks.Find(task.state_name);
    if (outcomes == nullptr) return TaskMock::Hang();
    std::size_t& run =
        (*runs)[absl::StrCat(task.state_name, task.arguments.ToJson())];
    const Data& outcome =
        outcomes->elements()[std::min(run++, outcomes->elements().size() - 1)];
    if (const Data* output = outcome.Find("output")) {
      return TaskMock::Succeed(*output);
    }
    return TaskMock::Fail(TextIn(outcome, "error"), TextIn(outcome, "cause"));
  };
}

Data DiagnosticsJson(const std::vector<Diagnostic>& diagnostics) {
  std::vector<Data> list;
  for (const Diagnostic& diagnostic : diagnostics) {
    list.push_back(
        Data::String(absl::StrCat(diagnostic.code, ": ", diagnostic.message,
                                  " at ", diagnostic.location)));
  }
  return Data::Array(std::move(list));
}

Data Outcome(const std::optional<ExecutionEnd>& end) {
  ObjectBuilder answer;
  if (!end.has_value()) {
    answer.Set("status", Data::String("HANGS"));
    return std::move(answer).Build();
  }
  answer.Set("status", Data::String(ExecutionStatusName(end->status)));
  if (end->output.has_value()) answer.Set("output", *end->output);
  if (end->error.has_value()) answer.Set("error", Data::String(*end->error));
  if (end->cause.has_value()) answer.Set("cause", Data::String(*end->cause));
  return std::move(answer).Build();
}

Data Answer(const Data& request, JsonataCompiler& compiler) {
  ParsedDefinition parsed = ParseDefinition(
      request.Find("definition")->ToJson(), {.compiler = &compiler});
  const Data* input = request.Find("input");
  if (parsed.machine == nullptr || input == nullptr) {
    ObjectBuilder answer;
    answer.Set("status",
               Data::String(parsed.machine == nullptr ? "INVALID" : "VALID"));
    answer.Set("diagnostics", DiagnosticsJson(parsed.errors()));
    return std::move(answer).Build();
  }
  const Data* tasks = request.Find("tasks");
  SimulatedRun run(parsed.machine, *input,
                   MocksOf(tasks == nullptr ? Data::EmptyObject() : *tasks));
  run.RunToEnd();
  return Outcome(run.execution().end());
}

int Run() {
  JsonataCompiler compiler;
  std::string line;
  while (std::getline(std::cin, line)) {
    const absl::StatusOr<Data> request = Data::Parse(line);
    if (!request.ok() || request->Find("definition") == nullptr) {
      std::cerr << "interpreter: not a request: " << line << "\n";
      return EXIT_FAILURE;
    }
    std::cout << Answer(*request, compiler).ToJson() << std::endl;
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace byoshin::local::stepfunctions

int main() { return byoshin::local::stepfunctions::Run(); }
