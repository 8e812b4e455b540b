#include "local/lambda/lambda.h"

#include <cstddef>
#include <future>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/strings/wildcard.h"
#include "core/sync/mutex.h"
#include "local/gateway/error.h"
#include "local/store/run_on_loop.h"

namespace byoshin::local::lambda {
namespace {

// The number of executions that are kept for each function, for the dashboard.
constexpr std::size_t kRecentReports = 1000;

constexpr char kReceiveAction[] = "sqs:ReceiveMessage";

absl::Status AccessDenied(const std::string& arn,
                          const ServicePrincipal& caller) {
  return ServiceError(
      {.code = "AccessDeniedException",
       .message = absl::StrCat(
           "User: ", caller.principal,
           " is not authorized to perform: lambda:InvokeFunction on resource: ",
           arn,
           " because no resource-based policy allows the "
           "lambda:InvokeFunction action for ",
           caller.source_arn),
       .http_status = 403});
}

}  // namespace

absl::StatusOr<std::unique_ptr<Lambda>> Lambda::Open(World world,
                                                     Options options) {
  absl::StatusOr<CodeStore> code =
      CodeStore::Open(absl::StrCat(options.folder, "/code"));
  if (!code.ok()) return code.status();
  std::unique_ptr<Lambda> lambda(
      new Lambda(world, std::move(options), *std::move(code)));
  absl::Status loaded;
  RunOnLoop(lambda->loop_, [&] { loaded = lambda->async_->Load(); });
  if (!loaded.ok()) return loaded;
  return lambda;
}

Lambda::Lambda(World world, Options options, CodeStore code)
    : world_(world),
      options_(std::move(options)),
      code_(std::move(code)),
      logs_(world.clock, {.folder = absl::StrCat(options_.folder, "/logs")}),
      loop_(world.store, world.clock,
            {.on_rollback = [this] { async_->Load().IgnoreError(); }}),
      gate_(std::make_shared<LoopGate>(loop_)) {
  if (options_.timer == nullptr)
    own_timer_ = std::make_unique<time::SteadyTimer>();
  executor_ = std::make_unique<Executor>(
      Executor::World{
          .loop = loop_,
          .gate = gate_,
          .clock = world_.clock,
          .timer = options_.timer == nullptr ? *own_timer_ : *options_.timer,
          .logs = logs_},
      Executor::Options{
          .max_concurrency = options_.max_concurrency,
          .credentials = options_.credentials,
          .on_credentials_end = options_.on_credentials_end,
          .endpoint_url = options_.endpoint_url,
          .on_report =
              [this](const InvocationReport& report) { HandleReport(report); },
          .crash = options_.crash,
          .on_note = options_.on_note,
          .waits = options_.waits,
          .on_capacity =
              [this] {
                for (auto& [uuid, mapping] : mappings_) mapping->Pump();
                CheckDrained();
              }});
  async_ =
      std::make_unique<AsyncInvoker>(AsyncInvoker::World{.store = world_.store,
                                                         .loop = loop_,
                                                         .gate = gate_,
                                                         .clock = world_.clock,
                                                         .executor = *executor_,
                                                         .queues = world_.sink,
                                                         .logs = logs_});
}

Lambda::~Lambda() {
  // Answers of queues are dropped from here on.
  RunOnLoop(loop_, [this] { mappings_.clear(); });
  gate_->Close();
  loop_.Stop();
}

std::string Lambda::ArnOf(absl::string_view name_or_arn,
                          absl::string_view region) const {
  absl::string_view name = name_or_arn;
  std::string where(region);
  const std::vector<absl::string_view> parts = absl::StrSplit(name, ':');
  // arn:aws:lambda:<region>:<account>:function:<name>[:<version>]
  if (parts.size() >= 7 && parts[0] == "arn" && parts[2] == "lambda") {
    where = std::string(parts[3]);
    name = parts[6];
  } else if (parts.size() >= 3 && parts[1] == "function") {
    name = parts[2];
  } else {
    name = parts[0];
  }
  return absl::StrCat("arn:aws:lambda:", where, ":", options_.account_id,
                      ":function:", name);
}

absl::Status Lambda::PutFunction(FunctionConfig config, const Zip& zip) {
  absl::StatusOr<UnpackedCode> unpacked = code_.Unpack(zip);
  if (!unpacked.ok()) return unpacked.status();
  config.code = std::move(unpacked->code);
  if (unpacked->how == UnpackedCode::How::kUnpackedAgain && options_.on_note) {
    options_.on_note(absl::StrCat(
        "the code of function ", config.name, " in ", config.code.folder,
        " had been changed; it was unpacked from its zip again"));
  }
  config.last_modified = world_.clock.Now();
  RunOnLoop(loop_, [&] {
    const std::string arn = config.arn;
    executor_->PutFunction(std::move(config));
    async_->FunctionAdded(arn);
    for (auto& [uuid, mapping] : mappings_) mapping->Pump();
  });
  return absl::OkStatus();
}

void Lambda::RemoveFunction(const std::string& arn) {
  RunOnLoop(loop_, [&] {
    executor_->RemoveFunction(arn);
    async_->FunctionRemoved(arn);
    async_->RemoveConfig(arn);
    permissions_.erase(arn);
  });
}

void Lambda::WarmUp() {
  RunOnLoop(loop_, [this] { executor_->WarmUp(); });
}

void Lambda::Begin() {
  RunOnLoop(loop_, [this] {
    begun_ = true;
    async_->Begin();
    for (auto& [uuid, mapping] : mappings_) mapping->Begin();
  });
}

void Lambda::Drain(absl::Duration limit) {
  const auto drained = std::make_shared<std::promise<void>>();
  std::future<void> done = drained->get_future();
  RunOnLoop(loop_, [&] {
    drained_ = drained;
    async_->Pause();
    for (auto& [uuid, mapping] : mappings_) mapping->Stop();
    CheckDrained();
  });
  if (done.wait_for(absl::ToChronoNanoseconds(limit)) ==
      std::future_status::ready) {
    return;
  }
  // The results of executions that are still running are lost: their messages
  // become visible for the next start, not after their visibility timeout.
  std::vector<std::future<void>> given_back;
  RunOnLoop(loop_, [&] {
    drained_ = nullptr;
    for (auto& [uuid, mapping] : mappings_) {
      const auto given = std::make_shared<std::promise<void>>();
      given_back.push_back(given->get_future());
      mapping->GiveBackBatches([given] { given->set_value(); });
    }
  });
  for (const std::future<void>& given : given_back) given.wait();
}

void Lambda::CheckDrained() {
  if (drained_ == nullptr || executor_->running() > 0) return;
  for (const auto& [uuid, mapping] : mappings_) {
    if (mapping->receiving()) return;
  }
  std::exchange(drained_, nullptr)->set_value();
}

absl::Status Lambda::RemoveUnusedCode() {
  std::set<std::string> digests;
  RunOnLoop(loop_, [&] { digests = executor_->code_digests(); });
  return code_.KeepOnly(digests);
}

std::optional<FunctionConfig> Lambda::GetFunction(const std::string& arn) {
  std::optional<FunctionConfig> config;
  RunOnLoop(loop_, [&] {
    const FunctionConfig* found = executor_->Find(arn);
    if (found != nullptr) config = *found;
  });
  return config;
}

std::vector<FunctionConfig> Lambda::ListFunctions() {
  std::vector<FunctionConfig> configs;
  RunOnLoop(loop_, [&] { configs = executor_->functions(); });
  return configs;
}

void Lambda::PutPermission(const std::string& arn, Permission permission) {
  RunOnLoop(loop_, [&] {
    std::vector<Permission>& all = permissions_[arn];
    std::erase_if(all,
                  [&](const Permission& p) { return p.id == permission.id; });
    all.push_back(std::move(permission));
  });
}

void Lambda::RemovePermission(const std::string& arn, const std::string& id) {
  RunOnLoop(loop_, [&] {
    std::erase_if(permissions_[arn],
                  [&](const Permission& p) { return p.id == id; });
  });
}

absl::Status Lambda::PutEventInvokeConfig(const std::string& arn,
                                          EventInvokeConfig config) {
  absl::Status status;
  RunOnLoop(loop_, [&] {
    const FunctionConfig* function = executor_->Find(arn);
    if (function == nullptr) {
      status = NotFoundError(arn);
      return;
    }
    if (!config.on_failure.empty()) {
      status = Authorize(*function, "sqs:SendMessage", config.on_failure);
    }
    config.last_modified = world_.clock.Now();
    if (status.ok()) async_->SetConfig(arn, std::move(config));
  });
  return status;
}

void Lambda::RemoveEventInvokeConfig(const std::string& arn) {
  RunOnLoop(loop_, [&] { async_->RemoveConfig(arn); });
}

absl::Status Lambda::PutMapping(MappingConfig config) {
  if (absl::Status good = CheckMapping(config); !good.ok()) return good;
  absl::Status status;
  RunOnLoop(loop_, [&] {
    const FunctionConfig* function = executor_->Find(config.function_arn);
    if (function == nullptr) {
      status = NotFoundError(config.function_arn);
      return;
    }
    for (absl::string_view action :
         {kReceiveAction, "sqs:DeleteMessage", "sqs:GetQueueAttributes"}) {
      status = Authorize(*function, action, config.queue_arn);
      if (!status.ok()) return;
    }
    config.last_modified = world_.clock.Now();
    const std::string uuid = config.uuid;
    const std::string arn = config.function_arn;
    mappings_.erase(uuid);
    absl::StatusOr<std::unique_ptr<EventSourceMapping>> mapping =
        EventSourceMapping::Start(
            {.loop = loop_,
             .gate = gate_,
             .clock = world_.clock,
             .executor = *executor_,
             .queues = world_.queues,
             .logs = logs_,
             .may_receive =
                 [this, arn, queue = config.queue_arn] {
                   const FunctionConfig* mapped = executor_->Find(arn);
                   return mapped == nullptr
                              ? NotFoundError(arn)
                              : Authorize(*mapped, kReceiveAction, queue);
                 },
             .on_partial_failure = [this, arn] { CountPartialFailure(arn); },
             .on_idle = [this] { CheckDrained(); }},
            std::move(config));
    status = mapping.status();
    if (!mapping.ok()) return;
    if (begun_) (*mapping)->Begin();
    mappings_[uuid] = *std::move(mapping);
  });
  return status;
}

void Lambda::RemoveMapping(const std::string& uuid) {
  RunOnLoop(loop_, [&] { mappings_.erase(uuid); });
}

std::vector<MappingConfig> Lambda::ListMappings() {
  std::vector<MappingConfig> configs;
  RunOnLoop(loop_, [&] {
    for (const auto& [uuid, mapping] : mappings_) {
      configs.push_back(mapping->config());
    }
  });
  return configs;
}

FunctionStatistics Lambda::Statistics(const std::string& arn) {
  int environments = 0;
  RunOnLoop(loop_, [&] { environments = executor_->environments(arn); });
  const sync::MutexLock lock(mutex_);
  FunctionStatistics statistics = statistics_[arn];
  statistics.environments = environments;
  return statistics;
}

Lambda::ReportSubscription Lambda::SubscribeReports(
    ReportSubscriber subscriber) {
  const sync::MutexLock lock(mutex_);
  subscribers_.emplace(++last_subscription_, std::move(subscriber));
  return last_subscription_;
}

void Lambda::UnsubscribeReports(ReportSubscription id) {
  const sync::MutexLock lock(mutex_);
  subscribers_.erase(id);
}

void Lambda::Invoke(const std::string& arn, InvokeRequest request,
                    const ServicePrincipal* caller, InvokeDone done) {
  std::optional<ServicePrincipal> who;
  if (caller != nullptr) who = *caller;
  loop_.Submit([this, arn, request = std::move(request), who,
                done = std::move(done)]() -> AfterCommit {
    const absl::Status allowed =
        CheckPermission(arn, who.has_value() ? &*who : nullptr);
    if (!allowed.ok()) {
      done(allowed);
      return nullptr;
    }
    executor_->Invoke(arn, request,
                      [this, arn, done](absl::StatusOr<InvokeResult> result) {
                        if (!result.ok()) CountThrottle(arn);
                        done(std::move(result));
                      });
    return nullptr;
  });
}

void Lambda::InvokeAsync(
    const std::string& arn, InvokeRequest request,
    const ServicePrincipal* caller,
    std::function<void(absl::StatusOr<std::string>)> done) {
  std::optional<ServicePrincipal> who;
  if (caller != nullptr) who = *caller;
  loop_.Submit([this, arn, request = std::move(request), who,
                done = std::move(done)]() -> AfterCommit {
    absl::Status allowed =
        CheckPermission(arn, who.has_value() ? &*who : nullptr);
    if (allowed.ok() && executor_->Find(arn) == nullptr) {
      allowed = NotFoundError(arn);
    }
    if (!allowed.ok()) {
      done(allowed);
      return nullptr;
    }
    const std::string request_id = async_->Accept(arn, request);
    return [done, request_id](const absl::Status& committed) {
      if (committed.ok()) {
        done(request_id);
      } else {
        done(committed);
      }
    };
  });
}

void Lambda::CheckInvoke(const std::string& arn,
                         std::function<void(absl::Status)> done) {
  loop_.Submit([this, arn, done = std::move(done)]() -> AfterCommit {
    done(executor_->Find(arn) == nullptr ? NotFoundError(arn)
                                         : absl::OkStatus());
    return nullptr;
  });
}

void Lambda::Inspect(
    std::function<void(std::vector<FunctionConfig>, std::vector<MappingConfig>)>
        done) {
  loop_.Submit([this, done = std::move(done)]() -> AfterCommit {
    std::vector<MappingConfig> mappings;
    for (const auto& [uuid, mapping] : mappings_) {
      mappings.push_back(mapping->config());
    }
    done(executor_->functions(), std::move(mappings));
    return nullptr;
  });
}

void Lambda::InspectFunction(
    const std::string& arn,
    std::function<void(absl::StatusOr<FunctionDetails>)> done) {
  loop_.Submit([this, arn, done = std::move(done)]() -> AfterCommit {
    const FunctionConfig* config = executor_->Find(arn);
    if (config == nullptr) {
      done(NotFoundError(arn));
      return nullptr;
    }
    FunctionDetails details{.config = *config,
                            .invoke_config = async_->FindConfig(arn)};
    if (const auto found = permissions_.find(arn);
        found != permissions_.end()) {
      details.permissions = found->second;
    }
    done(std::move(details));
    return nullptr;
  });
}

// https://docs.aws.amazon.com/lambda/latest/dg/access-control-resource-based.html
absl::Status Lambda::CheckPermission(const std::string& arn,
                                     const ServicePrincipal* caller) const {
  if (caller == nullptr) return absl::OkStatus();
  if (executor_->Find(arn) == nullptr) return NotFoundError(arn);
  if (const auto found = permissions_.find(arn); found != permissions_.end()) {
    for (const Permission& permission : found->second) {
      const bool action = permission.action == "lambda:InvokeFunction" ||
                          permission.action == "lambda:*";
      const bool account = permission.source_account.empty() ||
                           permission.source_account == options_.account_id;
      if (action && account &&
          (permission.principal == caller->principal ||
           permission.principal == "*") &&
          (permission.source_arn.empty() ||
           strings::MatchesWildcards(permission.source_arn,
                                     caller->source_arn))) {
        return absl::OkStatus();
      }
    }
  }
  return AccessDenied(arn, *caller);
}

absl::Status Lambda::Authorize(const FunctionConfig& function,
                               absl::string_view action,
                               const std::string& resource) const {
  if (!options_.authorize) return absl::OkStatus();
  const absl::Status allowed =
      options_.authorize(function.role, std::string(action), resource);
  if (allowed.ok()) return allowed;
  return ServiceError(
      {.code = "InvalidParameterValueException",
       .message = absl::StrCat(
           "The function execution role does not have permissions to call ",
           absl::StripPrefix(action, "sqs:"), " on SQS: ", allowed.message()),
       .json_members = R"("Type":"User")"});
}

absl::Status Lambda::NotFoundError(const std::string& arn) const {
  return ServiceError({.code = "ResourceNotFoundException",
                       .message = absl::StrCat("Function not found: ", arn),
                       .http_status = 404,
                       .json_members = R"("Type":"User")"});
}

void Lambda::HandleReport(const InvocationReport& report) {
  using Outcome = InvocationReport::Outcome;
  const sync::MutexLock lock(mutex_);
  FunctionStatistics& statistics = statistics_[report.function_arn];
  ++statistics.invocations;
  if (report.outcome != Outcome::kSuccess) ++statistics.errors;
  if (report.outcome == Outcome::kTimeout) ++statistics.timeouts;
  if (report.init_duration.has_value()) ++statistics.cold_starts;
  if (statistics.recent.size() >= 2 * kRecentReports) {
    statistics.recent.erase(statistics.recent.begin(),
                            statistics.recent.end() - kRecentReports);
  }
  statistics.recent.push_back(report);
  for (const auto& [id, subscriber] : subscribers_) subscriber(report);
}

void Lambda::CountPartialFailure(const std::string& arn) {
  const sync::MutexLock lock(mutex_);
  ++statistics_[arn].partial_failures;
}

void Lambda::CountThrottle(const std::string& arn) {
  const sync::MutexLock lock(mutex_);
  ++statistics_[arn].throttles;
}

}  // namespace byoshin::local::lambda
