#include "tests/soak/hostile_api.h"

#include <sys/types.h>

#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/bench/appsync_cloud.h"
#include "tests/bench/appsync_subscribers.h"
#include "tests/bench/connection.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"

namespace byoshin::tests {
namespace {

constexpr char kTemplate[] = "tests/soak/hostile.template.json";
// Files that the cloud may open while it works, such as those of its database.
constexpr int kOtherFiles = 20;

int CountOpenFiles(pid_t process) {
  std::error_code error;
  const std::filesystem::directory_iterator files(
      absl::StrCat("/proc/", process, "/fd"), error);
  if (error) return 0;
  return static_cast<int>(
      std::distance(files, std::filesystem::directory_iterator()));
}

}  // namespace

absl::StatusOr<std::unique_ptr<HostileApi>> HostileApi::Start() {
  absl::StatusOr<bench::AppsyncCloud> cloud =
      bench::StartAppsyncCloud(kTemplate);
  if (!cloud.ok()) return cloud.status();
  std::unique_ptr<HostileApi> api(new HostileApi(*std::move(cloud)));
  // What is made once, such as engines for code, is there from now on.
  if (absl::Status served = api->ServeGoodClient(); !served.ok()) return served;
  api->files_at_first_ = CountOpenFiles(api->target().process);
  return api;
}

absl::StatusOr<bench::Reply> HostileApi::Post(absl::string_view body) const {
  absl::StatusOr<bench::Connection> connection =
      bench::Connection::Open(target().port);
  if (!connection.ok()) return connection.status();
  return connection->Exchange(bench::PostRequest(target(), body));
}

absl::Status HostileApi::ServeGoodClient() {
  const bench::GroupOperations group =
      bench::PlainGroup(absl::StrCat("good-", ++good_clients_), {"report"});
  const absl::StatusOr<std::unique_ptr<bench::Subscribers>> subscriber =
      bench::Subscribers::Open(target(), {.subscription = group.subscribe});
  if (!subscriber.ok()) return subscriber.status();
  absl::StatusOr<bench::Connection> publisher =
      bench::Connection::Open(target().port);
  if (!publisher.ok()) return publisher.status();
  const absl::StatusOr<bench::Reply> reply = publisher->Exchange(
      bench::PostRequest(target(), group.report(0, 0, "v")));
  if (!reply.ok()) return reply.status();
  if (reply->status != 200 || absl::StrContains(reply->body, "errors")) {
    return absl::InternalError(absl::StrCat(reply->status, " ", reply->body));
  }
  bool delivered = false;
  const absl::Time deadline = absl::Now() + kGuard;
  while (!delivered && absl::Now() < deadline) {
    absl::Status received =
        (*subscriber)->Receive(kGuard, [&](int, absl::string_view) {
          delivered = true;
        });
    if (!received.ok()) return received;
  }
  if (delivered) return absl::OkStatus();
  return absl::DeadlineExceededError("a good client was not sent its report");
}

absl::Status HostileApi::AwaitClosedSockets() const {
  const absl::Time deadline = absl::Now() + kGuard;
  int open = 0;
  do {
    open = CountOpenFiles(target().process);
    if (open <= files_at_first_ + kOtherFiles) return absl::OkStatus();
    std::this_thread::yield();
  } while (absl::Now() < deadline);
  return absl::DeadlineExceededError(
      absl::StrCat(open, " files are still open, ", files_at_first_,
                   " were when the cloud was started"));
}

}  // namespace byoshin::tests
