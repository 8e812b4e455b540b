#include "tests/properties/stepfunctions/random_machine.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/random.h"

namespace byoshin::properties {
namespace {

using local::stepfunctions::Data;
using local::stepfunctions::Random;
using local::stepfunctions::TaskMock;
using local::stepfunctions::TaskPattern;
using local::stepfunctions::TaskRequest;

constexpr int kMaxDepth = 3;

class MachineWriter {
 public:
  explicit MachineWriter(uint64_t seed) : random_(seed) {}

  // A chain of states. The last one is a Pass state, to which errors lead.
  std::string Machine(int depth) {
    const uint64_t length = random_.Below(4);
    const std::string last = NewName();
    std::string states =
        absl::StrCat("\"", last, R"(": {"Type": "Pass", "End": true})");
    std::string next = last;
    for (uint64_t i = 0; i < length; ++i) {
      const std::string name = NewName();
      absl::StrAppend(&states, ", ", State(name, next, last, depth));
      next = name;
    }
    return absl::StrCat(R"("StartAt": ")", next, R"(", "States": {)", states,
                        "}");
  }

 private:
  std::string NewName() { return absl::StrCat("S", ++names_); }

  std::string State(absl::string_view name, absl::string_view next,
                    absl::string_view last, int depth) {
    const std::string head =
        absl::StrCat("\"", name, "\": {\"Next\": \"", next, "\", ");
    switch (random_.Below(depth < kMaxDepth ? 11 : 7)) {
      case 0:
        return absl::StrCat(head, R"json("Type": "Pass", "ResultPath": "$.r",
            "Parameters": {"u.$": "States.UUID()",
            "n.$": "States.MathRandom(1, 1000)"}})json");
      case 1:
        // A variable must not have the name of one around it.
        return absl::StrCat(head, R"("Type": "Pass", "Assign": {")", name,
                            "\": ", random_.Below(10), "}}");
      case 2:
        return absl::StrCat(head, R"("Type": "Wait", "Seconds": )",
                            random_.Below(20), "}");
      case 3:
        return Choice(name, next);
      case 4:
      case 5:
        return absl::StrCat(head, Task(), Handlers(last), "}");
      case 6:
        return absl::StrCat(head, R"json("Type": "Pass",
            "QueryLanguage": "JSONata", "Output":
            "{% $merge([$states.input, {'j': [$uuid(), $random(), $now()]}]) %}"
            })json");
      case 7:
      case 8:
        return absl::StrCat(head, Parallel(depth), Handlers(last), "}");
      case 9:
        return absl::StrCat(head, Map("INLINE", depth), Handlers(last), "}");
      default:
        return absl::StrCat(head, Map("DISTRIBUTED", depth), Handlers(last),
                            "}");
    }
  }

  std::string Choice(absl::string_view name, absl::string_view next) {
    const std::string fail = NewName();
    return absl::StrCat(
        "\"", name, R"(": {"Type": "Choice", "Default": ")", next,
        R"(", "Choices": [{"Variable": "$.r.n", "NumericLessThan": 100,
                           "Next": ")",
        fail, "\"}]}, \"", fail, R"(": {"Type": "Fail", "Error": "Chosen"})");
  }

  std::string Task() {
    const bool waits = random_.Below(3) == 0;
    std::string task =
        absl::StrCat(R"("Type": "Task", "ResultPath": "$.t", "Resource": ")",
                     waits ? "arn:aws:states:::sqs:sendMessage.waitForTaskToken"
                           : "arn:aws:lambda:us-east-1:123456789012:function:f",
                     "\"");
    if (waits) {
      absl::StrAppend(&task,
                      R"(, "Parameters": {"MessageBody.$": "$$.Task.Token"})");
    }
    // Tasks can hang.
    absl::StrAppend(&task, R"(, "TimeoutSeconds": )", 5 + random_.Below(20));
    if (random_.Below(2) == 0) {
      absl::StrAppend(&task, R"(, "HeartbeatSeconds": )", 1 + random_.Below(4));
    }
    return task;
  }

  std::string Parallel(int depth) {
    std::string branches;
    const uint64_t count = 1 + random_.Below(3);
    for (uint64_t i = 0; i < count; ++i) {
      absl::StrAppend(&branches, i == 0 ? "" : ", ", "{", Machine(depth + 1),
                      "}");
    }
    return absl::StrCat(R"("Type": "Parallel", "ResultPath": "$.p",
                           "Branches": [)",
                        branches, "]");
  }

  std::string Map(absl::string_view mode, int depth) {
    const bool distributed = mode == "DISTRIBUTED";
    return absl::StrCat(
        R"("Type": "Map", "ResultPath": "$.m", "ItemsPath": "$.items",
           "ItemSelector": {"item.$": "$$.Map.Item.Value",
                            "items.$": "$.items"},
           "MaxConcurrency": )",
        random_.Below(4),
        distributed
            ? absl::StrCat(R"(, "ToleratedFailureCount": )", random_.Below(3))
            : "",
        R"(, "ItemProcessor": {"ProcessorConfig": {"Mode": ")", mode, "\"",
        distributed ? R"(, "ExecutionType": "STANDARD")" : "", "}, ",
        Machine(depth + 1), "}");
  }

  std::string Handlers(absl::string_view last) {
    std::string handlers;
    if (random_.Below(2) == 0) {
      absl::StrAppend(&handlers, R"(, "Retry": [{"ErrorEquals": ["States.ALL"],
          "MaxAttempts": )",
                      random_.Below(3), R"(, "IntervalSeconds": )",
                      1 + random_.Below(3), R"(, "JitterStrategy": ")",
                      random_.Below(2) == 0 ? "FULL" : "NONE", "\"}]");
    }
    if (random_.Below(2) == 0) {
      absl::StrAppend(&handlers, R"(, "Catch": [{"ErrorEquals": ["States.ALL"],
          "ResultPath": "$.e", "Next": ")",
                      last, "\"}]");
    }
    return handlers;
  }

  Random random_;
  int names_ = 0;
};

}  // namespace

std::string RandomMachine(uint64_t seed) {
  return absl::StrCat("{", MachineWriter(seed).Machine(0), "}");
}

local::stepfunctions::TaskMocks RandomTasks(uint64_t seed) {
  return [seed](const TaskRequest& task) {
    Random random(seed + task.id * 7919);
    const absl::Duration after = absl::Milliseconds(random.Below(8000));
    TaskMock mock = TaskMock::Hang();
    const uint64_t kind = random.Below(8);
    if (kind < 5) {
      mock = TaskMock::Succeed(Data::Integer(static_cast<int64_t>(task.id)),
                               after);
    } else if (kind < 7) {
      mock = TaskMock::Fail("E", "cause", after);
    }
    if (task.resource.pattern == TaskPattern::kWaitForTaskToken) {
      mock.submitted = Data::EmptyObject();
    }
    for (int i = 1; i < 5; ++i) mock.heartbeats.push_back(absl::Seconds(i));
    return mock;
  };
}

}  // namespace byoshin::properties
