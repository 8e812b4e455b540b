#include "local/applications/scheduler/module.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/applications/scheduler/record_observer.h"
#include "local/applications/scheduler/series.h"
#include "local/applications/scheduler/slot_panel.h"
#include "local/applications/scheduler/slot_source.h"
#include "local/cloud/host.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/panel.h"
#include "local/dynamodb/dynamodb.h"
#include "local/events/events.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {
namespace {

class SlotsModule final : public cloud::Module {
 public:
  SlotsModule(cloud::Host& host, SchedulerModuleOptions options)
      : host_(host),
        options_(std::move(options)),
        deployer_(host.Get<cloudformation::Deployer>()),
        slots_({.clock = host.clock(),
                .dynamodb = host.Get<dynamodb::DynamoDb>(),
                .events = host.Get<events::Events>(),
                .region = host.region(),
                .on_change =
                    [&panels = host.Get<dashboard::Panels>()] {
                      panels.changes().Note();
                    }}),
        panel_(slots_),
        subscription_(deployer_.Subscribe(
            [this](const cloudformation::Stack& stack) { Load(stack); })) {
    host.Offer(slots_);
    host.Get<dashboard::Panels>().Add(panel_);
  }
  ~SlotsModule() override { deployer_.Unsubscribe(subscription_); }

  // Lateness is known when a record is stored, and not afterwards.
  std::unique_ptr<Service> Guard(Service& service) override {
    if (service.name() != "dynamodb") return nullptr;
    return std::make_unique<RecordObserver>(
        service,
        RecordObserver::World{
            .clock = host_.clock(),
            .is_records_table =
                [this](absl::string_view name) { return slots_.IsTable(name); },
            .window_lag = [this] { return slots_.window_lag(); },
            .on_record =
                [this](const SlotRecord& record) {
                  slots_.AddRecord(record);
                  if (options_.on_record) options_.on_record(record);
                }});
  }

  // The gateway waits for requests that wait for records.
  void Drain(absl::Duration) override { slots_.StopReading(); }

 private:
  void Load(const cloudformation::Stack& stack) {
    if (slots_.Load(stack)) return;
    host_.Note(absl::StrCat(
        "the stack ", stack.name,
        " has a scheduler, too: it runs, but its slots are not shown"));
  }

  cloud::Host& host_;
  const SchedulerModuleOptions options_;
  cloudformation::Deployer& deployer_;
  SlotSource slots_;
  SlotPanel panel_;
  const int subscription_;
};

}  // namespace

cloud::ModuleSpec SchedulerModule(SchedulerModuleOptions options) {
  return {.name = kSchedulerName,
          .open = [options = std::move(options)](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<SlotsModule>(host, options);
          }};
}

}  // namespace byoshin::local::applications
