// The outcomes of an invocation: a result, a timeout, too much memory, the end
// of the process. executor.cc has what comes before.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "local/lambda/environment.h"
#include "local/lambda/environment_log.h"
#include "local/lambda/executor.h"
#include "local/lambda/executor_state.h"
#include "local/lambda/report.h"

namespace byoshin::local::lambda {
namespace {

using Outcome = InvocationReport::Outcome;

constexpr char kUnhandled[] = "Unhandled";

}  // namespace

void Executor::HandleResult(SlotId id, RuntimeApi::Result result) {
  Slot* slot = FindSlot(id);
  if (slot == nullptr || slot->state == Slot::State::kDying) return;
  if (result.kind == RuntimeApi::Result::Kind::kInitError) {
    return HandleInitError(*slot, std::move(result.payload));
  }
  if (slot->invocation == nullptr) return;
  slot->environment->DrainOutput();
  switch (result.kind) {
    case RuntimeApi::Result::Kind::kInitError:
      return;  // dealt with above
    case RuntimeApi::Result::Kind::kResponse:
      Record(*slot, std::move(result.payload), Outcome::kSuccess, {});
      break;
    case RuntimeApi::Result::Kind::kError:
      Record(*slot, std::move(result.payload), Outcome::kError, {});
      break;
    case RuntimeApi::Result::Kind::kTooLarge:
      RecordError(*slot, TooLargeError(), Outcome::kError);
      break;
  }
  // A function that exceeds its memory and still answers would have been killed
  // on Lambda.
  if (slot->HasTooMuchMemory()) {
    slot->invocation->recorded = false;
    return FailAndKill(*slot, OutOfMemoryError(), Outcome::kOutOfMemory);
  }
  slot->state = Slot::State::kReturning;
  After(kReturnGrace, slot->grace, [this, id] {
    Slot* returning = FindSlot(id);
    if (returning == nullptr || returning->invocation == nullptr ||
        returning->state != Slot::State::kReturning) {
      return;
    }
    Answer(*returning, Then::kNothing);
  });
}

void Executor::HandleInitError(Slot& slot, std::string payload) {
  slot.environment->DrainOutput();
  HandleFailedInit(slot, InitError(payload));
  slot.state = Slot::State::kDying;
  if (slot.invocation != nullptr) {
    Record(slot, std::move(payload), Outcome::kError, {.type = kInitErrorType});
    Answer(slot, Then::kNothing);
  }
  Kill(slot);
}

void Executor::HandleFailedInit(Slot& slot, const PlatformError& error) {
  const std::string request_id =
      slot.invocation == nullptr ? "" : slot.invocation->request.request_id;
  slot.log->Finish();
  for (const std::string& line :
       FailedInitLines(slot.config,
                       {.error = error,
                       .request_id = request_id,
                       .duration = TimeSince(slot.begun)},
                       world_.clock.Now())) {
    slot.log->WriteSystem(line);
  }
  slot.log->Flush();
  const std::optional<std::string> note =
      start_failures_.Failed(slot.function_arn, slot.config.name, error);
  if (note.has_value() && options_.on_note) options_.on_note(*note);
}

void Executor::HandleExit(SlotId id, const process::ExitStatus& exit) {
  Slot* slot = FindSlot(id);
  if (slot == nullptr) return;
  // Before the outcome is reported: there is nothing left to wait for.
  world_.loop.Cancel(slot->idle_timer);
  CancelTimers(*slot);
  if (slot->state == Slot::State::kIdle) {
    std::vector<SlotId>& idle = functions_.at(slot->function_arn)->idle;
    idle.erase(std::remove(idle.begin(), idle.end(), id), idle.end());
  }
  const PlatformError error = ExitError(exit);
  if (slot->state == Slot::State::kStarting) HandleFailedInit(*slot, error);
  slot->state = Slot::State::kDying;
  if (slot->invocation != nullptr) {
    if (!slot->invocation->recorded) {
      RecordError(*slot, error, Outcome::kCrash);
    }
    Answer(*slot, Then::kNothing);
  }
  Remove(id);
}

void Executor::Remove(SlotId id) {
  const auto found = slots_.find(id);
  const std::string access_key_id = found->second->access_key_id;
  slots_.erase(found);
  if (!access_key_id.empty() && options_.on_credentials_end) {
    options_.on_credentials_end(access_key_id);
  }
}

void Executor::HandleTimeout(SlotId id, const std::string& request_id) {
  Slot* slot = FindSlot(id);
  if (slot == nullptr || slot->state == Slot::State::kDying ||
      slot->state == Slot::State::kIdle) {
    return;
  }
  const bool starting = slot->state == Slot::State::kStarting;
  if (starting && (slot->invocation == nullptr ||
                   slot->invocation->request.request_id == request_id)) {
    slot->environment->DrainOutput();
    HandleFailedInit(*slot, TimeoutError(kInitTimeout));
  }
  if (slot->invocation == nullptr) {
    // It has answered, or was started without an invocation, and then hung
    // without asking for one.
    return Kill(*slot);
  }
  if (slot->invocation->request.request_id != request_id) return;
  if (slot->invocation->recorded) {
    Answer(*slot, Then::kNothing);
    return Kill(*slot);
  }
  FailAndKill(*slot,
              TimeoutError(starting ? kInitTimeout : slot->config.timeout),
              Outcome::kTimeout);
}

void Executor::WatchMemory(Slot& slot) {
  const std::string request_id = slot.invocation->request.request_id;
  After(kMemoryCheckInterval, slot.memory_check,
        [this, id = slot.id, request_id] { CheckMemory(id, request_id); });
}

void Executor::CheckMemory(SlotId id, const std::string& request_id) {
  Slot* slot = FindSlot(id);
  if (slot == nullptr || slot->state != Slot::State::kBusy ||
      slot->invocation->request.request_id != request_id) {
    return;
  }
  slot->max_memory_bytes =
      std::max(slot->max_memory_bytes, slot->environment->MaxMemoryBytes());
  if (slot->HasTooMuchMemory()) {
    return FailAndKill(*slot, OutOfMemoryError(), Outcome::kOutOfMemory);
  }
  WatchMemory(*slot);
}

void Executor::FailAndKill(Slot& slot, const PlatformError& error,
                           Outcome outcome) {
  RecordError(slot, error, outcome);
  slot.state = Slot::State::kDying;
  Answer(slot, Then::kNothing);
  Kill(slot);
}

void Executor::RecordError(Slot& slot, const PlatformError& error,
                           Outcome outcome) {
  Record(slot, ErrorPayload(error, slot.invocation->request.request_id),
         outcome, error);
}

void Executor::Record(Slot& slot, std::string payload, Outcome outcome,
                      const PlatformError& error) {
  Invocation& invocation = *slot.invocation;
  if (slot.environment != nullptr) {
    slot.max_memory_bytes =
        std::max(slot.max_memory_bytes, slot.environment->MaxMemoryBytes());
  }
  // An invocation that never reached the function took no time.
  const bool delivered = invocation.delivered != SteadyTime();
  if (!delivered) slot.init_duration = TimeSince(slot.begun);
  invocation.recorded = true;
  std::string error_message;
  if (outcome != Outcome::kSuccess) {
    error_message = ErrorMessageOf(payload, invocation.request.request_id);
  }
  invocation.result = {
      .request_id = invocation.request.request_id,
      .payload = std::move(payload),
      .function_error = outcome == Outcome::kSuccess ? "" : kUnhandled,
      .report = {.function_name = slot.config.name,
                 .function_arn = slot.config.arn,
                 .request_id = invocation.request.request_id,
                 .started = invocation.started,
                 .duration = delivered ? TimeSince(invocation.delivered)
                                       : absl::ZeroDuration(),
                 .init_duration = std::exchange(slot.init_duration, {}),
                 .max_memory_bytes = slot.max_memory_bytes,
                 .outcome = outcome,
                 .error_type = error.type,
                 .error_message = std::move(error_message),
                 .reached_function = delivered}};
}

void Executor::Answer(Slot& slot, Then then) {
  const std::unique_ptr<Invocation> invocation = std::move(slot.invocation);
  InvokeResult& result = invocation->result;
  EnvironmentLog& log = *slot.log;
  if (slot.environment != nullptr) slot.environment->DrainOutput();
  log.Finish();
  const absl::Time now = world_.clock.Now();
  if (invocation->delivered == SteadyTime()) {
    for (const std::string& line :
         StartLines(slot.config, result.request_id, now)) {
      log.WriteSystem(line);
    }
  }
  for (const std::string& line : EndLines(slot.config, result.report, now)) {
    log.WriteSystem(line);
  }
  log.Flush();
  result.log_tail = log.Tail();
  const auto found = functions_.find(slot.function_arn);
  if (found != functions_.end() &&
      found->second->incarnation == slot.incarnation) {
    --found->second->running;
    --running_;
  }
  // Before the outcome is reported, since the caller may invoke the function
  // again.
  if (then == Then::kIdle) MakeIdle(slot);
  if (options_.on_report) options_.on_report(result.report);
  invocation->done(std::move(result));
  if (options_.on_capacity) options_.on_capacity();
}

void Executor::Kill(Slot& slot) {
  CancelTimers(slot);
  world_.loop.Cancel(std::exchange(slot.idle_timer, 0));
  const auto found = functions_.find(slot.function_arn);
  if (slot.state == Slot::State::kIdle && found != functions_.end()) {
    std::vector<SlotId>& idle = found->second->idle;
    idle.erase(std::remove(idle.begin(), idle.end(), slot.id), idle.end());
  }
  slot.state = Slot::State::kDying;
  // Its end takes it out of slots_.
  slot.environment->Kill();
}

}  // namespace byoshin::local::lambda
