#include "tests/soak/report_soak.h"

#include <poll.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/host/open_files.h"
#include "tests/bench/appsync_cloud.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"
#include "tests/soak/soak_group.h"

namespace byoshin::tests {
namespace {

// Far more than anything takes: only a lost report is waited for so long.
constexpr absl::Duration kGuard = absl::Minutes(2);
// How exactly the rate is kept.
constexpr absl::Duration kTick = absl::Milliseconds(2);

// All groups, at the rate that the options want. Not thread-safe.
class Soak {
 public:
  explicit Soak(const SoakOptions& options) : options_(options) {}

  absl::Status Open(const bench::GraphqlTarget& target,
                    const OpenGroup& open_group) {
    for (int i = 0; i < options_.groups; ++i) {
      absl::StatusOr<bench::GroupOperations> operations = open_group(i);
      if (!operations.ok()) return operations.status();
      absl::StatusOr<std::unique_ptr<SoakGroup>> group =
          SoakGroup::Open(target, {.number = i,
                                   .nodes = options_.nodes,
                                   .operations = *std::move(operations)});
      if (!group.ok()) return group.status();
      groups_.push_back(*std::move(group));
    }
    return absl::OkStatus();
  }

  // Until all reports have arrived.
  absl::Status Run() {
    begun_ = absl::Now();
    absl::Time last_change = begun_;
    while (sent_ < options_.reports || !complete()) {
      const std::int64_t before = sent_ + deliveries();
      if (absl::Status status = SendDue(); !status.ok()) return status;
      Wait();
      for (const std::unique_ptr<SoakGroup>& group : groups_) {
        if (absl::Status status = group->Receive(); !status.ok()) return status;
      }
      if (sent_ + deliveries() != before) last_change = absl::Now();
      if (absl::Now() - last_change > kGuard) {
        return absl::DeadlineExceededError("reports or answers were lost");
      }
    }
    return absl::OkStatus();
  }

  std::string Describe() const {
    int visits = 0;
    for (const std::unique_ptr<SoakGroup>& group : groups_) {
      visits += group->visits();
    }
    return absl::StrFormat("%d reports, %d deliveries, %d visits in %s", sent_,
                           deliveries(), visits,
                           absl::FormatDuration(absl::Now() - begun_));
  }

 private:
  // Those that are due, as long as there are nodes to send them.
  absl::Status SendDue() {
    std::int64_t due = options_.reports;
    if (options_.rate > 0) {
      const double seconds = absl::ToDoubleSeconds(absl::Now() - begun_);
      due = std::min(due, static_cast<std::int64_t>(seconds * options_.rate));
    }
    for (std::size_t idle = 0; sent_ < due && idle < groups_.size();) {
      const absl::StatusOr<bool> sent = groups_[next_group_]->SendReport();
      if (!sent.ok()) return sent.status();
      next_group_ = (next_group_ + 1) % groups_.size();
      idle = *sent ? 0 : idle + 1;
      if (*sent) ++sent_;
    }
    return absl::OkStatus();
  }

  // Until something arrives or, if there is a rate, a report is due.
  void Wait() const {
    std::vector<pollfd> descriptors;
    for (const std::unique_ptr<SoakGroup>& group : groups_) {
      group->AddDescriptors(descriptors);
    }
    const bool paced = options_.rate > 0;
    poll(descriptors.data(), descriptors.size(),
         static_cast<int>(absl::ToInt64Milliseconds(paced ? kTick : kGuard)));
  }

  bool complete() const {
    return std::all_of(groups_.begin(), groups_.end(),
                       [](const std::unique_ptr<SoakGroup>& group) {
                         return group->complete();
                       });
  }

  std::int64_t deliveries() const {
    std::int64_t deliveries = 0;
    for (const std::unique_ptr<SoakGroup>& group : groups_) {
      deliveries += group->deliveries();
    }
    return deliveries;
  }

  const SoakOptions options_;
  std::vector<std::unique_ptr<SoakGroup>> groups_;
  std::size_t next_group_ = 0;
  std::int64_t sent_ = 0;
  absl::Time begun_;
};

}  // namespace

absl::Status RunReportSoak(const bench::AppsyncCloud& cloud,
                           const SoakOptions& options,
                           const OpenGroup& open_group) {
  host::AllowManyOpenFiles();
  Soak soak(options);
  if (absl::Status opened = soak.Open(cloud.api, open_group); !opened.ok()) {
    return opened;
  }
  const double before = cloud.server->ResidentKib();
  absl::Status status = soak.Run();
  std::cout << soak.Describe()
            << absl::StrFormat("; the cloud: %.1f MiB before, %.1f after\n",
                               before / 1024,
                               cloud.server->ResidentKib() / 1024);
  return status;
}

}  // namespace byoshin::tests
