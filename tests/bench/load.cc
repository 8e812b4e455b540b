#include "tests/bench/load.h"

#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "tests/bench/connection.h"

namespace byoshin::bench {
namespace {

constexpr int kEventsAtOnce = 64;
constexpr double kWarmUp = 0.2;  // of the duration

std::int64_t NowNanos() { return absl::GetCurrentTimeNanos(); }

// A connection and what it is in the middle of.
struct Line {
  Connection connection;
  std::unique_ptr<Conversation> conversation;
  std::int64_t operation_started = 0;  // 0: between two operations
};

// One run, on the calling thread.
class Load {
 public:
  explicit Load(const LoadOptions& options) : options_(options) {}

  absl::Status Connect(
      const std::function<std::unique_ptr<Conversation>(int)>& start);
  absl::Status Run();
  absl::StatusOr<LoadResult> Result();

 private:
  // Sends the next request, or counts the line as finished.
  absl::Status Advance(Line& line);
  absl::Status OnReadable(Line& line);

  const LoadOptions options_;
  std::vector<Line> lines_;
  int busy_ = 0;  // lines with an answer outstanding
  bool stopping_ = false;
  std::int64_t counted_from_ = 0;
  std::int64_t counted_to_ = 0;
  std::vector<std::int64_t> latencies_;
};

absl::Status Load::Connect(
    const std::function<std::unique_ptr<Conversation>(int)>& start) {
  for (int i = 0; i < options_.connections; ++i) {
    absl::StatusOr<Connection> connection = Connection::Open(options_.port);
    if (!connection.ok()) return connection.status();
    lines_.push_back({*std::move(connection), start(i)});
  }
  return absl::OkStatus();
}

absl::Status Load::Advance(Line& line) {
  if (stopping_ && line.operation_started == 0) {
    --busy_;
    return absl::OkStatus();
  }
  const absl::string_view request = line.conversation->Next();
  if (request.empty()) {
    --busy_;
    return absl::OkStatus();
  }
  if (line.operation_started == 0) line.operation_started = NowNanos();
  return line.connection.Send(request);
}

absl::Status Load::OnReadable(Line& line) {
  if (absl::Status status = line.connection.Receive(); !status.ok()) {
    return status;
  }
  std::optional<WireAnswer> answer = ReadAnswer(line.connection.received());
  if (!answer.has_value()) return absl::OkStatus();
  absl::StatusOr<bool> done = line.conversation->Take(*answer);
  if (!done.ok()) return done.status();
  line.connection.received().erase(0, answer->bytes);
  if (*done) {
    const std::int64_t now = NowNanos();
    if (line.operation_started >= counted_from_ && !stopping_) {
      latencies_.push_back(now - line.operation_started);
      counted_to_ = now;
    }
    line.operation_started = 0;
  }
  return Advance(line);
}

absl::Status Load::Run() {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return absl::ErrnoToStatus(errno, "epoll_create1");
  absl::Cleanup close_epoll = [epoll] { close(epoll); };
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.u64 = i;
    epoll_ctl(epoll, EPOLL_CTL_ADD, lines_[i].connection.descriptor(), &event);
  }
  const std::int64_t begin = NowNanos();
  const std::int64_t length = absl::ToInt64Nanoseconds(options_.duration);
  counted_from_ =
      begin + static_cast<std::int64_t>(kWarmUp * static_cast<double>(length));
  busy_ = static_cast<int>(lines_.size());
  for (Line& line : lines_) {
    if (absl::Status status = Advance(line); !status.ok()) return status;
  }
  std::array<epoll_event, kEventsAtOnce> events;
  while (busy_ > 0) {
    const int count = epoll_wait(epoll, events.data(), kEventsAtOnce, -1);
    // However slow the machine is, something is measured.
    stopping_ = NowNanos() - begin >= length && !latencies_.empty();
    for (int i = 0; i < count; ++i) {
      absl::Status status = OnReadable(lines_[events[i].data.u64]);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<LoadResult> Load::Result() {
  if (latencies_.empty()) {
    return absl::OutOfRangeError("nothing was answered in time to be counted");
  }
  std::sort(latencies_.begin(), latencies_.end());
  const auto at = [this](double part) {
    const auto index = static_cast<std::size_t>(
        part * static_cast<double>(latencies_.size() - 1));
    return absl::Nanoseconds(latencies_[index]);
  };
  return LoadResult{
      .per_second = static_cast<double>(latencies_.size()) /
                    (static_cast<double>(counted_to_ - counted_from_) / 1e9),
      .p50 = at(0.5),
      .p99 = at(0.99),
      .max = at(1)};
}

}  // namespace

absl::StatusOr<LoadResult> RunLoad(
    const LoadOptions& options,
    const std::function<std::unique_ptr<Conversation>(int connection)>& start) {
  Load load(options);
  absl::Status status = load.Connect(start);
  if (status.ok()) status = load.Run();
  if (!status.ok()) return status;
  return load.Result();
}

}  // namespace byoshin::bench
