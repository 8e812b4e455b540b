#include "local/stack/dashboard_module.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/random/random.h"
#include "core/time/clock.h"
#include "local/cloud/host.h"
#include "local/dashboard/dashboard.h"
#include "local/dynamodb/dynamodb.h"
#include "local/events/events.h"
#include "local/gateway/service.h"
#include "local/lambda/counting_queues.h"
#include "local/lambda/lambda.h"
#include "local/sqs/sqs.h"
#include "local/stack/cloud_source.h"
#include "local/stack/record_observer.h"

namespace byoshin::local::stack {
namespace {

class PageModule final : public cloud::Module {
 public:
  PageModule(cloud::Host& host, DashboardModuleOptions options)
      : clock_(host.clock()),
        options_(std::move(options)),
        source_({.clock = host.clock(),
                 .sqs = host.Get<sqs::Sqs>(),
                 .dynamodb = host.Get<dynamodb::DynamoDb>(),
                 .lambda = host.Get<lambda::Lambda>(),
                 .events = host.Get<events::Events>(),
                 .queues = host.Get<lambda::CountingQueues>(),
                 .region = host.region(),
                 .endpoint = [&host] { return host.endpoint(); },
                 .on_outcome = options_.on_outcome}),
        dashboard_(source_, {.instance = random::NewHex()}) {
    source_.set_on_change([this] { dashboard_.Changed(); });
    host.Offer(source_);
  }
  // The dashboard's thread asks the services through the source, which is cut
  // off from them first.
  ~PageModule() override { source_.Stop(); }

  // Lateness is known when a record is stored, and not afterwards.
  std::unique_ptr<Service> Guard(Service& service) override {
    if (service.name() != "dynamodb") return nullptr;
    return std::make_unique<RecordObserver>(
        service, clock_, [this] { return source_.window_lag(); },
        [this](const dashboard::SlotRecord& record) {
          source_.AddRecord(record);
          if (options_.on_record) options_.on_record(record);
        });
  }
  bool Take(const http::ServerRequest& request,
            const http::Responder& respond) override {
    if (!dashboard::Dashboard::Wants(request)) return false;
    dashboard_.Handle(request, respond);
    return true;
  }
  void Drain(absl::Duration) override {
    dashboard_.EndLongPolls();
    // The gateway waits for those who wait for records.
    source_.StopReading();
  }

 private:
  const time::Clock& clock_;
  const DashboardModuleOptions options_;
  CloudSource source_;
  dashboard::Dashboard dashboard_;
};

}  // namespace

cloud::ModuleSpec DashboardModule(DashboardModuleOptions options) {
  return {.name = "dashboard",
          .open = [options = std::move(options)](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<PageModule>(host, options);
          }};
}

}  // namespace byoshin::local::stack
