#include "tests/bench/stepfunctions_runs.h"

#include <json/json.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <fstream>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/input.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "tests/bench/connection.h"
#include "tests/bench/usage.h"
#include "tests/bench/wire.h"

namespace byoshin::bench {
namespace {

using local::stepfunctions::Data;
using local::stepfunctions::Effects;
using local::stepfunctions::Execution;
using local::stepfunctions::ExecutionInfo;
using local::stepfunctions::ExecutionStatus;
using local::stepfunctions::GoOn;
using local::stepfunctions::StateMachine;
using local::stepfunctions::TaskId;
using local::stepfunctions::TaskRequest;
using local::stepfunctions::TaskSucceeded;

constexpr absl::string_view kArnPrefix =
    "arn:aws:states:us-east-1:000000000000:";
constexpr int kOk = 200;
constexpr double kNotCounted = 0.2;  // of the duration

// The executions that RunInterpreter() has under way.
class Interpreter {
 public:
  Interpreter(std::shared_ptr<const StateMachine> machine,
              const Machine& described, int starters)
      : machine_(std::move(machine)),
        input_(described.input),
        running_(static_cast<std::size_t>(starters)) {
    info_.arn = absl::StrCat(kArnPrefix, "execution:", described.name, ":e");
    info_.name = "e";
    info_.state_machine_arn =
        absl::StrCat(kArnPrefix, "stateMachine:", described.name);
    info_.state_machine_name = described.name;
    info_.role_arn = "arn:aws:iam::000000000000:role/r";
  }

  absl::StatusOr<LoadResult> Run(absl::Duration duration);

 private:
  struct Running {
    std::unique_ptr<Execution> execution{};
    std::int64_t started = 0;
  };
  struct Answer {
    std::size_t starter = 0;
    TaskId task = 0;  // 0: work that is left over
  };

  absl::Status Start(std::size_t starter);
  absl::Status GiveAnswer(Answer answer);
  absl::Status Handle(std::size_t starter, const Effects& effects);

  const std::shared_ptr<const StateMachine> machine_;
  const std::string input_;
  ExecutionInfo info_;
  // What GetItem answers.
  const Data task_output_ =
      *Data::Parse(R"({"SdkHttpMetadata": {"HttpStatusCode": 200}})");
  std::vector<Running> running_;
  std::deque<Answer> answers_;
  std::int64_t counted_from_ = 0;
  std::int64_t counted_to_ = 0;
  std::vector<std::int64_t> latencies_;
};

absl::Status Interpreter::Start(std::size_t starter) {
  absl::StatusOr<Data> input = Data::Parse(input_);
  if (!input.ok()) return input.status();
  running_[starter].started = absl::GetCurrentTimeNanos();
  Execution::Started started =
      Execution::Start(machine_, info_, *std::move(input),
                       absl::FromUnixNanos(running_[starter].started));
  running_[starter].execution = std::move(started.execution);
  return Handle(starter, started.effects);
}

absl::Status Interpreter::GiveAnswer(Answer answer) {
  Execution& execution = *running_[answer.starter].execution;
  if (answer.task == 0) {
    return Handle(answer.starter,
                  execution.Apply({.time = absl::Now(), .what = GoOn{}}));
  }
  return Handle(
      answer.starter,
      execution.Apply({.time = absl::Now(),
                       .what = TaskSucceeded{.task = answer.task,
                                             .output = task_output_}}));
}

absl::Status Interpreter::Handle(std::size_t starter, const Effects& effects) {
  for (const TaskRequest& task : effects.tasks) {
    answers_.push_back({.starter = starter, .task = task.id});
  }
  if (effects.go_on) answers_.push_back({.starter = starter});
  if (!effects.end.has_value()) return absl::OkStatus();
  if (effects.end->status != ExecutionStatus::kSucceeded) {
    return absl::UnknownError(absl::StrCat(
        "an execution has failed: ", effects.end->error.value_or(""), " ",
        effects.end->cause.value_or("")));
  }
  if (effects.end->output->ToJson().empty()) {
    return absl::UnknownError("an execution has no output");
  }
  const Running ended = std::exchange(running_[starter], {});
  const std::int64_t now = absl::GetCurrentTimeNanos();
  if (ended.started >= counted_from_) {
    latencies_.push_back(now - ended.started);
    counted_to_ = now;
  }
  return absl::OkStatus();
}

absl::StatusOr<LoadResult> Interpreter::Run(absl::Duration duration) {
  const absl::Time begin = absl::Now();
  counted_from_ = absl::ToUnixNanos(begin + kNotCounted * duration);
  // However slow the machine is, something is measured.
  while (absl::Now() < begin + duration || latencies_.empty()) {
    for (std::size_t i = 0; i < running_.size(); ++i) {
      if (running_[i].execution != nullptr) continue;
      if (absl::Status status = Start(i); !status.ok()) return status;
    }
    for (std::size_t left = answers_.size(); left > 0; --left) {
      const Answer answer = answers_.front();
      answers_.pop_front();
      if (absl::Status status = GiveAnswer(answer); !status.ok()) return status;
    }
  }
  std::sort(latencies_.begin(), latencies_.end());
  const auto at = [this](double part) {
    return absl::Nanoseconds(latencies_[static_cast<std::size_t>(
        part * static_cast<double>(latencies_.size() - 1))]);
  };
  return LoadResult{
      .per_second = static_cast<double>(latencies_.size()) /
                    (static_cast<double>(counted_to_ - counted_from_) / 1e9),
      .p50 = at(0.5),
      .p99 = at(0.99),
      .max = at(1)};
}

// What `run` gets from the process.
absl::StatusOr<ExecutionsResult> WithCpuTime(
    pid_t process, const std::function<absl::StatusOr<LoadResult>()>& run) {
  const absl::Time begin = absl::Now();
  const absl::Duration cpu_before = CpuTime(process);
  absl::StatusOr<LoadResult> load = run();
  if (!load.ok()) return load.status();
  // The kernel counts in hundredths of a second.
  const absl::Duration cpu =
      std::max(CpuTime(process) - cpu_before, absl::Milliseconds(10));
  const double cores = absl::FDivDuration(cpu, absl::Now() - begin);
  return ExecutionsResult{.load = *load,
                          .per_cpu_second = load->per_second / cores};
}

Signer SignerFor(const Server& server) {
  return Signer({.host = server.host(), .service = "states"});
}

std::string StartRequestOf(const Signer& signer, const Machine& machine) {
  Json::Value body(Json::objectValue);
  body["stateMachineArn"] =
      absl::StrCat(kArnPrefix, "stateMachine:", machine.name);
  body["input"] = machine.input;
  return signer.JsonRequest("AWSStepFunctions.StartExecution",
                            body.toStyledString());
}

absl::Status Refused(absl::string_view operation, const WireAnswer& answer) {
  return absl::UnknownError(
      absl::StrCat(operation, ": ", answer.status, " ", answer.body));
}

class Executing final : public Conversation {
 public:
  Executing(const Signer& signer, std::shared_ptr<const std::string> start)
      : signer_(signer), start_(std::move(start)) {}

  absl::string_view Next() override {
    return describe_.empty() ? *start_ : describe_;
  }

  absl::StatusOr<bool> Take(const WireAnswer& answer) override {
    if (answer.status != kOk) return Refused("an execution", answer);
    if (describe_.empty()) {
      constexpr absl::string_view kBegin = R"("executionArn":")";
      const std::size_t begin = answer.body.find(kBegin);
      if (begin == absl::string_view::npos) return Refused("start", answer);
      const std::size_t from = begin + kBegin.size();
      const absl::string_view arn =
          answer.body.substr(from, answer.body.find('"', from) - from);
      describe_ =
          signer_.JsonRequest("AWSStepFunctions.DescribeExecution",
                              absl::StrCat(R"({"executionArn":")", arn, "\"}"));
      return false;
    }
    // Asked again, and the time counts.
    if (absl::StrContains(answer.body, R"("status":"RUNNING")")) return false;
    if (!absl::StrContains(answer.body, R"("status":"SUCCEEDED")")) {
      return Refused("an execution has not succeeded", answer);
    }
    describe_.clear();
    return true;
  }

 private:
  const Signer& signer_;
  const std::shared_ptr<const std::string> start_;
  std::string describe_;
};

}  // namespace

absl::StatusOr<std::string> ReadDefinition(const std::string& template_path,
                                           const std::string& name) {
  std::ifstream file(template_path);
  Json::Value json;
  Json::CharReaderBuilder builder;
  std::string errors;
  if (!Json::parseFromStream(builder, file, &json, &errors)) {
    return absl::InvalidArgumentError(
        absl::StrCat(template_path, ": ", errors));
  }
  const Json::Value& definition =
      json["Resources"][name]["Properties"]["Definition"];
  if (definition.isObject()) return definition.toStyledString();
  return absl::NotFoundError(
      absl::StrCat(template_path, " has no state machine ", name));
}

absl::StatusOr<ExecutionsResult> RunInterpreter(const Machine& machine,
                                                int starters,
                                                absl::Duration duration) {
  local::stepfunctions::ParsedDefinition parsed =
      local::stepfunctions::ParseDefinition(machine.definition, {});
  if (parsed.machine == nullptr) {
    return absl::InvalidArgumentError(
        local::stepfunctions::InvalidDefinitionMessage(parsed.errors()));
  }
  return WithCpuTime(getpid(), [&] {
    return Interpreter(parsed.machine, machine, starters).Run(duration);
  });
}

absl::StatusOr<ExecutionsResult> RunExecutions(const Server& server,
                                               const Machine& machine,
                                               int starters,
                                               absl::Duration duration) {
  const Signer signer = SignerFor(server);
  const auto start =
      std::make_shared<const std::string>(StartRequestOf(signer, machine));
  return WithCpuTime(server.pid(), [&] {
    return RunLoad(
        {.port = server.port(), .connections = starters, .duration = duration},
        [&](int) { return std::make_unique<Executing>(signer, start); });
  });
}

absl::Status StartExecutions(const Server& server, const Machine& machine,
                             int count) {
  absl::StatusOr<Connection> connection = Connection::Open(server.port());
  if (!connection.ok()) return connection.status();
  const std::string start = StartRequestOf(SignerFor(server), machine);
  for (int i = 0; i < count; ++i) {
    absl::StatusOr<Reply> reply = connection->Exchange(start);
    if (!reply.ok()) return reply.status();
    if (reply->status != kOk) {
      return absl::UnknownError(absl::StrCat("StartExecution: ", reply->body));
    }
  }
  return absl::OkStatus();
}

}  // namespace byoshin::bench
