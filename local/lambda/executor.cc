#include "local/lambda/executor.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/random/random.h"
#include "local/gateway/error.h"
#include "local/lambda/executor_state.h"
#include "local/lambda/ids.h"

namespace byoshin::local::lambda {
namespace {

absl::Status FunctionNotFound(const std::string& arn) {
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

}  // namespace

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
  start_failures_.Started(arn);
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
  if (found == functions_.end()) return done(FunctionNotFound(arn));
  Function& function = *found->second;
  if (function.config.reserved_concurrency.has_value() &&
      function.running >= *function.config.reserved_concurrency) {
    return done(Throttled(Limit::kReserved));
  }
  if (running_ >= options_.max_concurrency) {
    return done(Throttled(Limit::kAccount));
  }
  const absl::Time now = world_.clock.Now();
  if (request.request_id.empty()) request.request_id = random::NewUuid();
  if (request.trace_id.empty()) request.trace_id = NewTraceId(now);
  auto work = std::make_shared<CallerWork>(world_.clock, request.let_time_pass);
  auto invocation =
      std::make_unique<Invocation>(Invocation{.request = std::move(request),
                                              .done = std::move(done),
                                              .work = std::move(work),
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
    // Its process ended while it was idle.
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
  slot->log_stream = NewLogStream(world_.clock.Now());
  slot->log = std::make_unique<EnvironmentLog>(
      world_.logs, LogGroupOf(slot->config), slot->log_stream);
  Slot& added = *slots_.emplace(id, std::move(slot)).first->second;

  absl::StatusOr<std::unique_ptr<Environment>> environment =
      StartEnvironment(added);
  if (!environment.ok()) {
    const PlatformError error = EntrypointError(environment.status());
    HandleFailedInit(added, error);
    if (added.invocation != nullptr) {
      RecordError(added, error, InvocationReport::Outcome::kCrash);
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
  // Events of the environment are handled on the loop's thread, as long as this
  // exists.
  WorkLoop* const loop = &world_.loop;
  const SlotId id = slot.id;
  return Environment::Start(
      {.function = slot.config,
       .credentials = *std::move(credentials),
       .endpoint_url = options_.endpoint_url(),
       .log_stream = slot.log_stream,
       .log = *slot.log,
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

// Leaves the slot unchanged if the process has ended.
void Executor::Deliver(Slot& slot) {
  Invocation& invocation = *slot.invocation;
  EnvironmentLog& log = *slot.log;
  log.Begin();
  invocation.delivered = std::chrono::steady_clock::now();
  if (options_.waits != nullptr) {
    invocation.run = std::make_unique<CallerWaits::Run>(
        options_.waits, slot.access_key_id, invocation.work);
  }
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
      slot->init_duration = TimeSince(slot->begun);
      start_failures_.Started(slot->function_arn);
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

void Executor::CancelTimers(Slot& slot) {
  for (time::RealTimer::Id* timer :
       {&slot.timeout, &slot.grace, &slot.memory_check}) {
    if (*timer != 0) world_.timer.Cancel(std::exchange(*timer, 0));
  }
}

// Runs `work` on the loop's thread after this much real time; `timer`
// identifies it, and its previous timer is cancelled.
void Executor::After(absl::Duration duration, time::RealTimer::Id& timer,
                     std::function<void()> work) {
  if (timer != 0) world_.timer.Cancel(timer);
  // `work` uses this; the loop runs it only as long as this exists.
  timer = world_.timer.After(duration,
                             [gate = world_.gate, work = std::move(work)] {
                               gate->Submit([work]() -> AfterCommit {
                                 work();
                                 return nullptr;
                               });
                             });
}

}  // namespace byoshin::local::lambda
