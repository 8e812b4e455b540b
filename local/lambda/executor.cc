#include "local/lambda/executor.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "local/gateway/error.h"
#include "local/lambda/ids.h"

namespace byoshin::local::lambda {
namespace {

using Outcome = InvocationReport::Outcome;

constexpr char kUnhandled[] = "Unhandled";

absl::Status NotFound(const std::string& arn) {
  return ServiceError({.code = "ResourceNotFoundException",
                       .message = absl::StrCat("Function not found: ", arn),
                       .http_status = 404,
                       .json_members = R"("Type":"User")"});
}

enum class Limit { kReserved, kAccount };

absl::Status Throttled(Limit limit) {
  return ServiceError(
      {.code = "TooManyRequestsException",
       .message = "Rate Exceeded.",
       .http_status = 429,
       .json_members = absl::StrCat(
           R"("Reason":")",
           limit == Limit::kReserved
               ? "ReservedFunctionConcurrentInvocationLimitExceeded"
               : "ConcurrentInvocationLimitExceeded",
           R"(","Type":"User")")});
}

absl::Duration Since(std::chrono::steady_clock::time_point start) {
  return absl::FromChrono(std::chrono::steady_clock::now() - start);
}

}  // namespace

struct Executor::Invocation {
  InvokeRequest request;
  InvokeDone done;
  // Simulated time stands still until the answer is there.
  time::Hold hold;
  absl::Time started{};    // on the cloud's clock
  SteadyTime delivered{};  // when the function got it
  bool recorded = false;   // `result` is there
  InvokeResult result{};
};

struct Executor::Slot {
  enum class State {
    kStarting,   // has not asked for an invocation yet
    kIdle,       // waits for one
    kBusy,       // has one
    kReturning,  // has responded, and not asked again yet
    kDying,      // was killed
  };
  SlotId id = 0;
  std::string function_arn{};
  // A copy: the function may be changed meanwhile.
  FunctionConfig config{};
  std::string access_key_id{};  // of its credentials
  // Those of the function when this was started.
  std::uint64_t incarnation = 0;
  std::uint64_t generation = 0;
  State state = State::kStarting;
  SteadyTime begun{};
  std::optional<absl::Duration> init_duration{};  // until it is reported
  std::size_t max_memory_bytes = 0;
  std::unique_ptr<Invocation> invocation{};
  RealTimer::Id timeout = 0;
  RealTimer::Id grace = 0;
  RealTimer::Id memory_check = 0;
  WorkLoop::TimerId idle_timer = 0;
  std::unique_ptr<Environment> environment{};
};

struct Executor::Function {
  FunctionConfig config{};
  std::uint64_t incarnation = 0;  // changes when it is removed and added again
  std::uint64_t generation = 0;   // changes with its configuration, too
  int running = 0;
  // The one used last stands last, and is used next: what is not needed grows
  // old.
  std::vector<SlotId> idle{};
};

Executor::Executor(World world, Options options)
    : world_(std::move(world)), options_(std::move(options)) {}

Executor::~Executor() {
  for (auto& [id, slot] : slots_) CancelTimers(*slot);
}

void Executor::PutFunction(FunctionConfig config) {
  std::unique_ptr<Function>& function = functions_[config.arn];
  if (function == nullptr) {
    function = std::make_unique<Function>();
    function->incarnation = ++last_generation_;
  }
  function->config = std::move(config);
  function->generation = ++last_generation_;
  for (SlotId id : std::exchange(function->idle, {})) Kill(*FindSlot(id));
}

void Executor::RemoveFunction(const std::string& arn) {
  const auto found = functions_.find(arn);
  if (found == functions_.end()) return;
  for (SlotId id : std::exchange(found->second->idle, {})) {
    Kill(*FindSlot(id));
  }
  running_ -= found->second->running;
  functions_.erase(found);
}

const FunctionConfig* Executor::Find(const std::string& arn) const {
  const auto found = functions_.find(arn);
  return found == functions_.end() ? nullptr : &found->second->config;
}

std::vector<FunctionConfig> Executor::functions() const {
  std::vector<FunctionConfig> configs;
  for (const auto& [arn, function] : functions_) {
    configs.push_back(function->config);
  }
  return configs;
}

std::set<std::string> Executor::code_digests() const {
  std::set<std::string> digests;
  for (const auto& [arn, function] : functions_) {
    digests.insert(function->config.code.digest);
  }
  for (const auto& [id, slot] : slots_) {
    if (slot->state == Slot::State::kDying) continue;
    digests.insert(slot->config.code.digest);
  }
  return digests;
}

int Executor::FreeCapacity(const std::string& arn) const {
  const auto found = functions_.find(arn);
  if (found == functions_.end()) return 0;
  const Function& function = *found->second;
  const int free = options_.max_concurrency - running_;
  return std::max(0,
                  std::min(free, function.config.reserved_concurrency.value_or(
                                     options_.max_concurrency) -
                                     function.running));
}

int Executor::environments(const std::string& arn) const {
  return static_cast<int>(
      std::count_if(slots_.begin(), slots_.end(), [&](const auto& entry) {
        return entry.second->function_arn == arn &&
               entry.second->state != Slot::State::kDying;
      }));
}

Executor::Slot* Executor::FindSlot(SlotId id) {
  const auto found = slots_.find(id);
  return found == slots_.end() ? nullptr : found->second.get();
}

void Executor::Invoke(const std::string& arn, InvokeRequest request,
                      InvokeDone done) {
  const auto found = functions_.find(arn);
  if (found == functions_.end()) return done(NotFound(arn));
  Function& function = *found->second;
  if (function.config.reserved_concurrency.has_value() &&
      function.running >= *function.config.reserved_concurrency) {
    return done(Throttled(Limit::kReserved));
  }
  if (running_ >= options_.max_concurrency) {
    return done(Throttled(Limit::kAccount));
  }
  const absl::Time now = world_.clock.Now();
  if (request.request_id.empty()) request.request_id = NewUuid();
  if (request.trace_id.empty()) request.trace_id = NewTraceId(now);
  auto invocation =
      std::make_unique<Invocation>(Invocation{.request = std::move(request),
                                              .done = std::move(done),
                                              .hold = time::Hold(world_.clock),
                                              .started = now});
  ++function.running;
  ++running_;
  if (DeliverToIdle(function, invocation)) return;
  if (GiveToStarting(function, invocation)) return;
  StartSlot(function, std::move(invocation));
}

bool Executor::DeliverToIdle(Function& function,
                             std::unique_ptr<Invocation>& invocation) {
  while (!function.idle.empty()) {
    Slot& slot = *FindSlot(function.idle.back());
    function.idle.pop_back();
    world_.loop.Cancel(std::exchange(slot.idle_timer, 0));
    slot.invocation = std::move(invocation);
    Deliver(slot);
    if (slot.state == Slot::State::kBusy) return true;
    // It has gone while it was idle.
    invocation = std::move(slot.invocation);
    Kill(slot);
  }
  return false;
}

bool Executor::GiveToStarting(const Function& function,
                              std::unique_ptr<Invocation>& invocation) {
  for (auto& [id, slot] : slots_) {
    if (slot->state != Slot::State::kStarting || slot->invocation != nullptr ||
        slot->generation != function.generation) {
      continue;
    }
    slot->invocation = std::move(invocation);
    LimitInit(*slot);
    return true;
  }
  return false;
}

void Executor::WarmUp() {
  for (auto& [arn, function] : functions_) {
    if (environments(arn) == 0) StartSlot(*function, nullptr);
  }
}

void Executor::StartSlot(Function& function,
                         std::unique_ptr<Invocation> invocation) {
  auto slot = std::make_unique<Slot>();
  const SlotId id = ++last_slot_;
  slot->id = id;
  slot->function_arn = function.config.arn;
  slot->config = function.config;
  slot->incarnation = function.incarnation;
  slot->generation = function.generation;
  slot->begun = std::chrono::steady_clock::now();
  slot->invocation = std::move(invocation);
  Slot& added = *slots_.emplace(id, std::move(slot)).first->second;

  absl::StatusOr<std::unique_ptr<Environment>> environment =
      StartEnvironment(added);
  if (!environment.ok()) {
    if (added.invocation != nullptr) {
      Record(
          added,
          ErrorPayload({.type = "Runtime.InvalidEntrypoint",
                        .message = std::string(environment.status().message())},
                       added.invocation->request.request_id),
          Outcome::kCrash, "Runtime.InvalidEntrypoint");
      Answer(added, Then::kNothing);
    }
    return Remove(id);
  }
  added.environment = *std::move(environment);
  LimitInit(added);
}

void Executor::LimitInit(Slot& slot) {
  const std::string request_id =
      slot.invocation == nullptr ? "" : slot.invocation->request.request_id;
  After(kInitTimeout, slot.timeout,
        [this, id = slot.id, request_id] { HandleTimeout(id, request_id); });
}

absl::StatusOr<std::unique_ptr<Environment>> Executor::StartEnvironment(
    Slot& slot) {
  absl::StatusOr<aws::Credentials> credentials =
      options_.credentials(slot.config.role);
  if (!credentials.ok()) return credentials.status();
  slot.access_key_id = credentials->access_key_id;
  // What the environment tells is dealt with on the loop's thread, while this
  // is there.
  WorkLoop* const loop = &world_.loop;
  const SlotId id = slot.id;
  return Environment::Start(
      {.function = slot.config,
       .credentials = *std::move(credentials),
       .endpoint_url = options_.endpoint_url(),
       .log_stream = NewLogStream(world_.clock.Now()),
       .logs = world_.logs,
       .on_next =
           [this, loop, id] {
             loop->Submit([this, id]() -> AfterCommit {
               HandleNext(id);
               return nullptr;
             });
           },
       .on_result =
           [this, loop, id](RuntimeApi::Result result) {
             loop->Submit(
                 [this, id, result = std::move(result)]() -> AfterCommit {
                   HandleResult(id, result);
                   return nullptr;
                 });
           },
       .on_exit =
           [this, loop, id](const process::ExitStatus& exit) {
             loop->Submit([this, id, exit]() -> AfterCommit {
               HandleExit(id, exit);
               return nullptr;
             });
           }});
}

// Leaves the slot as it is if the process has gone.
void Executor::Deliver(Slot& slot) {
  Invocation& invocation = *slot.invocation;
  EnvironmentLog& log = slot.environment->log();
  log.Begin();
  invocation.delivered = std::chrono::steady_clock::now();
  // Before the function's own lines.
  for (const std::string& line : StartLines(
           slot.config, invocation.request.request_id, world_.clock.Now())) {
    log.WriteSystem(line);
  }
  if (!slot.environment->Deliver(
          {.request_id = invocation.request.request_id,
           .payload = invocation.request.payload,
           // The function compares it with the machine's own clock.
           .deadline = absl::Now() + slot.config.timeout,
           .function_arn = slot.config.arn,
           .trace_id = invocation.request.trace_id,
           .client_context = invocation.request.client_context})) {
    return;
  }
  slot.state = Slot::State::kBusy;
  const std::string request_id = invocation.request.request_id;
  After(slot.config.timeout, slot.timeout,
        [this, id = slot.id, request_id] { HandleTimeout(id, request_id); });
  WatchMemory(slot);
  if (options_.crash && options_.crash()) slot.environment->Kill();
}

void Executor::HandleNext(SlotId id) {
  Slot* slot = FindSlot(id);
  if (slot == nullptr) return;
  switch (slot->state) {
    case Slot::State::kStarting:
      slot->init_duration = Since(slot->begun);
      return slot->invocation == nullptr ? MakeIdle(*slot) : Deliver(*slot);
    case Slot::State::kReturning:
      return slot->invocation == nullptr ? MakeIdle(*slot)
                                         : Answer(*slot, Then::kIdle);
    case Slot::State::kIdle:  // asks again on another connection
    case Slot::State::kBusy:
    case Slot::State::kDying:
      return;
  }
}

void Executor::MakeIdle(Slot& slot) {
  CancelTimers(slot);
  const auto found = functions_.find(slot.function_arn);
  if (found == functions_.end() ||
      found->second->generation != slot.generation) {
    return Kill(slot);
  }
  slot.state = Slot::State::kIdle;
  found->second->idle.push_back(slot.id);
  slot.idle_timer = world_.loop.At(
      world_.clock.Now() + kIdleTimeout, [this, id = slot.id]() -> AfterCommit {
        if (Slot* idle = FindSlot(id); idle != nullptr) {
          idle->idle_timer = 0;
          Kill(*idle);
        }
        return nullptr;
      });
}

void Executor::HandleResult(SlotId id, RuntimeApi::Result result) {
  Slot* slot = FindSlot(id);
  if (slot == nullptr || slot->invocation == nullptr ||
      slot->state == Slot::State::kDying) {
    return;
  }
  slot->environment->DrainOutput();
  switch (result.kind) {
    case RuntimeApi::Result::Kind::kInitError:
      Record(*slot, std::move(result.payload), Outcome::kError,
             "Runtime.InitError");
      Answer(*slot, Then::kNothing);
      return Kill(*slot);
    case RuntimeApi::Result::Kind::kResponse:
      Record(*slot, std::move(result.payload), Outcome::kSuccess, "");
      break;
    case RuntimeApi::Result::Kind::kError:
      Record(*slot, std::move(result.payload), Outcome::kError, "");
      break;
    case RuntimeApi::Result::Kind::kTooLarge:
      Record(
          *slot,
          ErrorPayload(TooLargeError(), slot->invocation->request.request_id),
          Outcome::kError, TooLargeError().type);
      break;
  }
  // A function that answers in spite of too much memory would not have come so
  // far on Lambda.
  if (slot->max_memory_bytes > static_cast<std::size_t>(slot->config.memory_mb)
                                   << 20) {
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

void Executor::HandleExit(SlotId id, const process::ExitStatus& exit) {
  Slot* slot = FindSlot(id);
  if (slot == nullptr) return;
  // Before anybody hears of it: there is nothing to wait for any more.
  world_.loop.Cancel(slot->idle_timer);
  CancelTimers(*slot);
  if (slot->state == Slot::State::kIdle) {
    std::vector<SlotId>& idle = functions_.at(slot->function_arn)->idle;
    idle.erase(std::remove(idle.begin(), idle.end(), id), idle.end());
  }
  CancelTimers(*slot);
  if (slot->invocation != nullptr) {
    if (!slot->invocation->recorded) {
      const PlatformError error = ExitError(exit);
      Record(*slot, ErrorPayload(error, slot->invocation->request.request_id),
             Outcome::kCrash, error.type);
    }
    Answer(*slot, Then::kNothing);
  }
  world_.loop.Cancel(slot->idle_timer);
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
  if (slot->invocation == nullptr) {
    // It has answered, or was started without an invocation, and then hung
    // instead of asking for one.
    return Kill(*slot);
  }
  if (slot->invocation->request.request_id != request_id) return;
  if (slot->invocation->recorded) {
    Answer(*slot, Then::kNothing);
    return Kill(*slot);
  }
  FailAndKill(*slot,
              TimeoutError(slot->state == Slot::State::kStarting
                               ? kInitTimeout
                               : slot->config.timeout),
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
  if (slot->max_memory_bytes > static_cast<std::size_t>(slot->config.memory_mb)
                                   << 20) {
    return FailAndKill(*slot, OutOfMemoryError(), Outcome::kOutOfMemory);
  }
  WatchMemory(*slot);
}

void Executor::FailAndKill(Slot& slot, const PlatformError& error,
                           Outcome outcome) {
  Record(slot, ErrorPayload(error, slot.invocation->request.request_id),
         outcome, error.type);
  Answer(slot, Then::kNothing);
  Kill(slot);
}

void Executor::Record(Slot& slot, std::string payload, Outcome outcome,
                      std::string error_type) {
  Invocation& invocation = *slot.invocation;
  if (slot.environment != nullptr) {
    slot.max_memory_bytes =
        std::max(slot.max_memory_bytes, slot.environment->MaxMemoryBytes());
  }
  // What never got to the function has taken no time of it.
  const bool delivered = invocation.delivered != SteadyTime();
  if (!delivered) slot.init_duration = Since(slot.begun);
  invocation.recorded = true;
  invocation.result = {
      .request_id = invocation.request.request_id,
      .payload = std::move(payload),
      .function_error = outcome == Outcome::kSuccess ? "" : kUnhandled,
      .report = {.function_name = slot.config.name,
                 .function_arn = slot.config.arn,
                 .request_id = invocation.request.request_id,
                 .started = invocation.started,
                 .duration = delivered ? Since(invocation.delivered)
                                       : absl::ZeroDuration(),
                 .init_duration = std::exchange(slot.init_duration, {}),
                 .max_memory_bytes = slot.max_memory_bytes,
                 .outcome = outcome,
                 .error_type = std::move(error_type)}};
}

void Executor::Answer(Slot& slot, Then then) {
  const std::unique_ptr<Invocation> invocation = std::move(slot.invocation);
  InvokeResult& result = invocation->result;
  if (slot.environment != nullptr) {
    EnvironmentLog& log = slot.environment->log();
    slot.environment->DrainOutput();
    log.Finish();
    for (const std::string& line :
         EndLines(slot.config, result.report, world_.clock.Now())) {
      log.WriteSystem(line);
    }
    log.Flush();
    result.log_tail = log.Tail();
  }
  const auto found = functions_.find(slot.function_arn);
  if (found != functions_.end() &&
      found->second->incarnation == slot.incarnation) {
    --found->second->running;
    --running_;
  }
  // Before anybody hears of it, and perhaps invokes the function again.
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

void Executor::CancelTimers(Slot& slot) {
  for (RealTimer::Id* timer :
       {&slot.timeout, &slot.grace, &slot.memory_check}) {
    if (*timer != 0) world_.timer.Cancel(std::exchange(*timer, 0));
  }
}

// Runs `work` on the loop's thread after so much real time; `timer` stands for
// it, and for nothing else from now on.
void Executor::After(absl::Duration duration, RealTimer::Id& timer,
                     std::function<void()> work) {
  if (timer != 0) world_.timer.Cancel(timer);
  // `work` uses this, and the loop runs it only while this is there.
  timer = world_.timer.After(duration,
                             [gate = world_.gate, work = std::move(work)] {
                               gate->Submit([work]() -> AfterCommit {
                                 work();
                                 return nullptr;
                               });
                             });
}

}  // namespace byoshin::local::lambda
