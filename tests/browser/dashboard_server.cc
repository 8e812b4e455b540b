// The dashboard over HTTP as the cloud serves it, with a month of made-up
// records. Prints its address, and goes on until its input ends. `tick` stores
// the next slot.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/scheduler/slot.h"
#include "local/applications/scheduler/record_history.h"
#include "local/applications/scheduler/series.h"
#include "local/applications/scheduler/shown_slots.h"
#include "local/applications/scheduler/slot_panel.h"
#include "local/dashboard/dashboard.h"
#include "local/dashboard/history.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/queue_series.h"
#include "local/dashboard/source.h"
#include "local/dashboard/time_range.h"

namespace byoshin {
namespace {

using namespace local::dashboard;  // NOLINT: all of this is about it
namespace applications = local::applications;

constexpr int kSlots = 518'400;
// Of the invocations, and of the lines of the log.
constexpr int kRemembered = 5000;

constexpr char kStack[] = "byoshin";

class MadeUpSource final : public DashboardSource {
 public:
  explicit MadeUpSource(absl::Time now)
      : next_(now - kSlots * scheduler::kSlotInterval) {
    for (int i = 0; i < kSlots; ++i) Store();
  }

  std::uint64_t version() const override { return version_; }

  absl::StatusOr<Status> GetStatus() override {
    return Status{
        .now = Now(),
        .stacks = {{.name = kStack}},
        .queues = {{.stack = kStack,
                    .name = "SlotQueue",
                    .dead_letter_queue = "DeadLetters"},
                   {.stack = kStack,
                    .name = "DeadLetters",
                    .visible = static_cast<std::int64_t>(letters_.size()),
                    .holds_dead_letters = true}},
        .dead_letters = static_cast<std::int64_t>(letters_.size()),
        .functions = {{.stack = kStack,
                       .name = "Collector",
                       .invocations = number_}},
        .last_log = logs_.last_id()};
  }
  absl::Status VisitSamples(
      const TimeRange&, absl::FunctionRef<void(const QueueSample&)>) override {
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<Invocation>> Invocations(const TimeRange& range,
                                                      int limit) override {
    return invocations_.Newest(range, static_cast<std::size_t>(limit));
  }
  absl::StatusOr<LogPage> Logs(const LogQuery& query) override {
    return logs_.Find(query);
  }
  absl::StatusOr<DeadLetters> GetDeadLetters(int) override {
    const auto count = static_cast<std::int64_t>(letters_.size());
    DeadLetters letters{.total = count, .redrivable = count};
    for (const std::string& body : letters_) {
      letters.messages.push_back({.stack = kStack,
                                  .queue = "DeadLetters",
                                  .source = "SlotQueue",
                                  .id = absl::StrCat("id-", body.size()),
                                  .sent = next_,
                                  .receives = 5,
                                  .body = body});
    }
    return letters;
  }
  absl::StatusOr<std::int64_t> Redrive(
      const QueueName& name,
      const std::optional<std::vector<std::string>>&) override {
    if (name.queue != "DeadLetters")
      return absl::NotFoundError("no such queue");
    const auto moved = static_cast<std::int64_t>(letters_.size());
    letters_.clear();
    Change();
    return moved;
  }
  absl::StatusOr<std::vector<std::string>> Tick(absl::string_view) override {
    Store();
    Change();
    return std::vector<std::string>{"slot"};
  }
  absl::StatusOr<std::int64_t> Reset() override {
    return absl::UnimplementedError("a month is not made up twice");
  }
  absl::StatusOr<RemovedStack> Remove(const std::string&) override {
    return absl::UnimplementedError("the stack is not made up twice");
  }
  absl::StatusOr<std::string> DescribeStacks() override {
    return R"({"stacks":[]})";
  }

  // The slots, as the scheduler's panel has them.
  const applications::RecordHistory& records() const { return records_; }
  TimeRange ExpectedSlots() const {
    return applications::ExpectedSlots(records_.status().first,
                                       absl::ZeroDuration(), Now());
  }

  void set_on_change(std::function<void()> on_change) {
    on_change_ = std::move(on_change);
  }

 private:
  absl::Time Now() const {
    return next_ - scheduler::kSlotInterval + absl::Milliseconds(3);
  }
  void Store() {
    const std::int64_t i = number_++;
    // Gaps of one slot, of several, and of an hour.
    const bool missing =
        i % 50'021 == 1000 || i % 100'003 / 7 == 300 || i / 720 == 400;
    if (!missing) {
      records_.Add({.slot = next_,
                    .count = i / 12 % 11,
                    .lateness = i % 5 == 0 ? std::nullopt
                                           : std::optional(absl::Microseconds(
                                                 1000 + i * 7919 % 3001))});
    }
    if (i >= kSlots - kRemembered) {
      invocations_.Add({.start = next_,
                        .function = "Collector",
                        .request_id = absl::StrCat(i),
                        .duration = absl::Microseconds(2000 + i % 500)});
      logs_.Add(next_, "Collector", absl::StrCat("slot ", i));
    }
    next_ += scheduler::kSlotInterval;
  }
  void Change() {
    ++version_;
    on_change_();
  }

  std::function<void()> on_change_ = [] {};
  std::uint64_t version_ = 1;
  std::int64_t number_ = 0;
  absl::Time next_;
  applications::RecordHistory records_;
  InvocationHistory invocations_{kRemembered};
  LogHistory logs_{{.lines = kRemembered, .bytes = std::size_t{1} << 20}};
  std::vector<std::string> letters_ = {"<img src=x onerror=alert(1)>"};
};

class MadeUpSlots final : public applications::ShownSlots {
 public:
  explicit MadeUpSlots(const MadeUpSource& source) : source_(source) {}

  bool IsDeployed() const override { return true; }
  applications::SlotStatus GetStatus() override {
    return {.records = source_.records().status(),
            .expected = source_.ExpectedSlots()};
  }
  TimeRange ExpectedSlots() override { return source_.ExpectedSlots(); }
  absl::Status VisitRecords(
      const TimeRange& range,
      absl::FunctionRef<bool(const applications::SlotRecord&)> visit) override {
    source_.records().Visit(range, visit);
    return absl::OkStatus();
  }
  absl::StatusOr<std::int64_t> DeleteRecords() override {
    return absl::UnimplementedError("a month is not made up twice");
  }

 private:
  const MadeUpSource& source_;
};

int Main() {
  MadeUpSource source(absl::FromUnixSeconds(1764671100));
  MadeUpSlots slots(source);
  applications::SlotPanel panel(slots);
  Panels panels;
  panels.Add(panel);
  Dashboard dashboard(source, panels);
  source.set_on_change([&dashboard] { dashboard.Changed(); });
  const absl::StatusOr<std::unique_ptr<http::Server>> server =
      http::Server::Start({}, [&dashboard](const http::ServerRequest& request,
                                           http::Responder respond) {
        if (!Dashboard::Wants(request)) return respond({.status = 404});
        dashboard.Handle(request, std::move(respond));
      });
  if (!server.ok()) {
    std::fprintf(stderr, "%s\n", server.status().ToString().c_str());
    return 1;
  }
  std::printf("%s\n", (*server)->url().c_str());
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  (*server)->Stop();
  return 0;
}

}  // namespace
}  // namespace byoshin

int main() { return byoshin::Main(); }
