#include "local/applications/scheduler/run.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/sqs/json_client.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/log/logger.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "local/applications/application.h"
#include "local/applications/scheduler/application.h"
#include "local/applications/scheduler/first_minute.h"
#include "local/applications/scheduler/ledger.h"
#include "local/applications/scheduler/module.h"
#include "local/applications/scheduler/scheduler_parts.h"
#include "local/applications/scheduler/series.h"
#include "local/applications/scheduler/slot_source.h"
#include "local/cli/arguments.h"
#include "local/dashboard/duration_text.h"
#include "local/dashboard/quantiles.h"
#include "local/dashboard/source.h"
#include "mockapi/server.h"

namespace byoshin::local::applications {
namespace {

// The mock API's own log would drown the slots.
class NoSink final : public log::Sink {
 public:
  void WriteLine(absl::string_view) override {}
};

// One line a slot: when, how many, how late.
std::string SlotLine(const SlotRecord& record) {
  return absl::StrFormat(
      "%s  count %3d  %11s late\n", time::FormatIso8601(record.slot),
      record.count,
      dashboard::DurationText(record.lateness.value_or(absl::ZeroDuration())));
}

std::string FormatLedger(const Ledger::Report& report) {
  const auto late = [&](absl::Duration dashboard::Quantiles::*part) {
    return report.lateness ? dashboard::DurationText((*report.lateness).*part)
                           : std::string("-");
  };
  return absl::StrFormat(
      "slots expected   %d\n"
      "stored           %d\n"
      "missing          %d\n"
      "duplicate        %d\n"
      "lateness         p50 %s, p99 %s, max %s (simulated)\n",
      report.expected, report.stored, report.missing, report.duplicate,
      late(&dashboard::Quantiles::p50), late(&dashboard::Quantiles::p99),
      late(&dashboard::Quantiles::max));
}

// Whether messages are waiting for their slots: of a minute that fired before
// the cloud was stopped.
bool HasDelayedMessages(dashboard::DashboardSource& source) {
  const absl::StatusOr<dashboard::Status> status = source.GetStatus();
  return status.ok() &&
         std::any_of(status->queues.begin(), status->queues.end(),
                     [](const dashboard::QueueStatus& queue) {
                       return queue.delayed > 0;
                     });
}

class SchedulerRun final : public ApplicationRun {
 public:
  explicit SchedulerRun(RunWorld world) : world_(std::move(world)) {}

  absl::Status Prepare(const stack::TemplateInputs& inputs,
                       stack::StackDeployment& deployment) override;
  cloud::ModuleSpec Module() override;
  absl::Status Deployed(stack::StackCloud& cloud) override;
  std::string Greeting() override;
  std::string ShownStack() const override {
    const std::optional<SchedulerParts> parts = this->parts();
    return parts.has_value() ? parts->stack_name : "";
  }
  void Begun() override;
  void Stop() override { first_minute_.reset(); }
  ExpectedWork CountWork(absl::Time since) override;
  SimulationReport Report(const dashboard::TimeRange& minutes) override;

 private:
  bool is_simulated() const {
    return world_.pace == RunWorld::Pace::kSimulated;
  }
  absl::StatusOr<std::unique_ptr<http::Server>> StartApi();
  // Without value if no scheduler is deployed, or not any more.
  std::optional<SchedulerParts> parts() const {
    return slots_ == nullptr ? std::nullopt : slots_->parts();
  }

  const RunWorld world_;
  NoSink no_sink_;
  log::Logger api_logger_{world_.clock, no_sink_};
  std::unique_ptr<http::Server> api_;
  // Of a simulation.
  Ledger ledger_;
  stack::StackCloud* cloud_ = nullptr;
  SlotSource* slots_ = nullptr;  // the cloud's
  std::unique_ptr<aws::sqs::JsonClient> queue_;
  std::optional<FirstMinute> first_minute_;
};

absl::StatusOr<std::unique_ptr<http::Server>> SchedulerRun::StartApi() {
  if (is_simulated()) {
    return http::Server::Start(
        {.port = 0, .threads = 2},
        [this](const http::ServerRequest& request, http::Responder respond) {
          if (world_.fails(kApiFault)) {
            return respond({.status = 500, .body = "simulated fault\n"});
          }
          respond(mockapi::Answer(request));
        });
  }
  const absl::StatusOr<std::uint16_t> port =
      cli::ParsePort(kApiPortFlag, world_.arguments.Get(kApiPortFlag));
  if (!port.ok()) return port.status();
  absl::StatusOr<std::unique_ptr<http::Server>> started = mockapi::StartServer(
      {.port = *port, .clock = &world_.clock}, api_logger_);
  if (started.ok()) return started;
  return absl::Status(
      started.status().code(),
      absl::StrCat(started.status().message(),
                   "; choose another port for the mock API with --",
                   kApiPortFlag,
                   "=PORT, or poll an API of your own with --parameter=",
                   kApiBaseUrlParameter, "=URL"));
}

absl::Status SchedulerRun::Prepare(const stack::TemplateInputs& inputs,
                                   stack::StackDeployment& deployment) {
  if (!inputs.parameters.contains(kApiBaseUrlParameter) ||
      deployment.parameters.contains(kApiBaseUrlParameter)) {
    return absl::OkStatus();
  }
  if (api_ == nullptr) {
    absl::StatusOr<std::unique_ptr<http::Server>> started = StartApi();
    if (!started.ok()) return started.status();
    api_ = *std::move(started);
  }
  deployment.parameters[kApiBaseUrlParameter] = api_->url();
  return absl::OkStatus();
}

cloud::ModuleSpec SchedulerRun::Module() {
  return SchedulerModule({.on_record = [this](const SlotRecord& record) {
    if (is_simulated()) {
      ledger_.Add(record);
    } else {
      world_.print(SlotLine(record));
    }
  }});
}

absl::Status SchedulerRun::Deployed(stack::StackCloud& cloud) {
  cloud_ = &cloud;
  slots_ = &cloud.Get<SlotSource>();
  if (!is_simulated() || !parts().has_value()) return absl::OkStatus();
  // Those of an earlier simulation with the same data.
  return slots_->VisitRecords({absl::InfinitePast(), absl::InfiniteFuture()},
                              [this](const SlotRecord& record) {
                                ledger_.AddFound(record.slot);
                                return true;
                              });
}

std::string SchedulerRun::Greeting() {
  const std::optional<SchedulerParts> parts = this->parts();
  if (!parts.has_value()) return "";
  return absl::StrCat("Polling ", parts->collector.api_base_url, " every ",
                      absl::ToInt64Seconds(scheduler::kSlotInterval),
                      " seconds.");
}

void SchedulerRun::Begun() {
  const std::optional<SchedulerParts> parts = this->parts();
  // What the messages of a template that is not ours mean is not known.
  if (is_simulated() || !parts.has_value() ||
      world_.arguments.Has("template") ||
      HasDelayedMessages(cloud_->source())) {
    return;
  }
  queue_ = std::make_unique<aws::sqs::JsonClient>(aws::ClientDependencies{
      .http = world_.http_client,
      .clock = world_.clock,
      .environment = ClientEnvironment(cloud_->url(), world_.credentials)});
  first_minute_.emplace(
      FirstMinute::World{
          .clock = world_.clock,
          .queue = *queue_,
          .on_sent = [this](absl::Time slot) { slots_->ExpectSlotsFrom(slot); },
          .on_error =
              [this](const absl::Status& status) {
                if (!this->parts().has_value()) return;
                world_.note(absl::StrCat(
                    "nothing is polled before the next full minute: ",
                    status.message()));
              }},
      parts->sender);
}

ExpectedWork SchedulerRun::CountWork(absl::Time since) {
  if (!parts().has_value()) return {};
  const SlotSource::Shortfall shortfall = slots_->CountSince(since);
  return {.one = "slot",
          .many = "slots",
          .done = "stored",
          .missing = shortfall.missing,
          .late = shortfall.late,
          .counted_to = world_.clock.Now() - kSlotGrace};
}

SimulationReport SchedulerRun::Report(const dashboard::TimeRange& minutes) {
  const std::optional<SchedulerParts> parts = this->parts();
  if (!parts.has_value()) return {};
  const Ledger::Report report =
      ledger_.Count(SlotsDueIn(minutes, parts->sender.window_lag));
  return {.text = FormatLedger(report),
          .missing = report.missing,
          .missing_text = absl::StrCat(
              report.missing, report.missing == 1 ? " slot is" : " slots are",
              " missing")};
}

}  // namespace

std::unique_ptr<ApplicationRun> NewSchedulerRun(RunWorld world) {
  return std::make_unique<SchedulerRun>(std::move(world));
}

}  // namespace byoshin::local::applications
