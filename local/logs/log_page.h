// Pages of log lines, forward and backward, as in GetLogEvents and
// FilterLogEvents.
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

// The position of a line in its group: its time in milliseconds, and its number
// among the lines of that time.
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
  // The tokens of the next and the previous page. At the end, a token is
  // followed by itself, which is how clients detect the end.
  std::string forward_token{};
  std::string backward_token{};
};

// `lines` are sorted by position. InvalidParameterException if the token is
// invalid.
absl::StatusOr<LogPage> LogPageOf(const std::vector<LogLine>& lines,
                                  const LogPageRequest& request);

}  // namespace byoshin::local::logs

#endif  // BYOSHIN_LOCAL_LOGS_LOG_PAGE_H_
