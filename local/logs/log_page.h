// Lines of a log in pages, forwards and backwards from any of them, as
// GetLogEvents and FilterLogEvents give them.
//
//   absl::StatusOr<LogPage> page =
//       LogPageOf(lines, {.limit = 100, .token = token});
#ifndef BYOSHIN_LOCAL_LOGS_LOG_PAGE_H_
#define BYOSHIN_LOCAL_LOGS_LOG_PAGE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "local/logs/logs.h"

namespace byoshin::local::logs {

// The most that one answer holds.
// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetLogEvents.html
inline constexpr std::int64_t kMaxEvents = 10'000;
inline constexpr std::size_t kMaxAnswerBytes = std::size_t{1} << 20;
inline constexpr std::size_t kAllLines =
    std::numeric_limits<std::size_t>::max();

// Where a line stands in its group: its time in milliseconds, and its number
// among those of the same time.
using Position = std::tuple<std::int64_t, std::uint64_t>;
Position PositionOf(const LogLine& line);

// 56 digits, as AWS's.
std::string EventId(const LogLine& line);

struct LogPageRequest {
  std::size_t limit = 0;
  // Of an earlier page; empty for the first.
  std::string token{};
  // Where the first page is: the oldest lines, or the newest.
  bool from_head = false;
};

struct LogPage {
  std::size_t begin = 0;
  std::size_t end = 0;
  // For what follows, and for what was before. A token that leads to nothing
  // leads to itself, which is how clients know the end.
  std::string forward_token{};
  std::string backward_token{};
};

// `lines` are in the order of their positions. InvalidParameterException for a
// token that is none of ours.
absl::StatusOr<LogPage> LogPageOf(const std::vector<LogLine>& lines,
                                  const LogPageRequest& request);

}  // namespace byoshin::local::logs

#endif  // BYOSHIN_LOCAL_LOGS_LOG_PAGE_H_
