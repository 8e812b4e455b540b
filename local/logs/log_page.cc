#include "local/logs/log_page.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/error.h"

namespace byoshin::local::logs {
namespace {

using Lines = std::vector<LogLine>;

constexpr absl::string_view kForward = "f/";
constexpr absl::string_view kBackward = "b/";
// The size of a line in an answer in addition to its text, as AWS counts it.
constexpr std::size_t kEventOverheadBytes = 26;
// Before all lines.
constexpr Position kBeginning = {-1, 0};

std::string TokenOf(absl::string_view direction, const Position& position) {
  return absl::StrCat(direction, std::get<0>(position), "/",
                      std::get<1>(position));
}

// Of "f/1700000000000/7".
std::optional<Position> PositionIn(absl::string_view token) {
  const std::vector<absl::string_view> parts = absl::StrSplit(token, '/');
  std::int64_t ms = 0;
  std::uint64_t number = 0;
  if (parts.size() != 3 || !absl::SimpleAtoi(parts[1], &ms) ||
      !absl::SimpleAtoi(parts[2], &number)) {
    return std::nullopt;
  }
  return Position(ms, number);
}

Position After(const Position& position) {
  return {std::get<0>(position), std::get<1>(position) + 1};
}

std::size_t IndexOf(const Lines& lines, const Position& position) {
  return static_cast<std::size_t>(
      std::lower_bound(lines.begin(), lines.end(), position,
                       [](const LogLine& line, const Position& p) {
                         return PositionOf(line) < p;
                       }) -
      lines.begin());
}

// Counts what fits into an answer.
class Room {
 public:
  explicit Room(std::size_t limit) : limit_(limit) {}
  bool Take(const LogLine& line) {
    bytes_ += line.text.size() + kEventOverheadBytes;
    return ++lines_ <= limit_ && (bytes_ <= kMaxAnswerBytes || lines_ == 1);
  }

 private:
  const std::size_t limit_;
  std::size_t lines_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

Position PositionOf(const LogLine& line) {
  return {absl::ToUnixMillis(line.time), line.number};
}

std::string EventId(const LogLine& line) {
  return absl::StrFormat("%020d%036u", absl::ToUnixMillis(line.time),
                         line.number);
}

absl::StatusOr<LogPage> LogPageOf(const Lines& lines,
                                  const LogPageRequest& request) {
  const bool forward = absl::StartsWith(request.token, kForward);
  const std::optional<Position> from = PositionIn(request.token);
  if (!request.token.empty() &&
      (!from.has_value() ||
       !(forward || absl::StartsWith(request.token, kBackward)))) {
    return ServiceError({.code = "InvalidParameterException",
                         .message = "The specified nextToken is invalid."});
  }
  LogPage page;
  Room room(request.limit);
  if (forward || (request.token.empty() && request.from_head)) {
    page.begin = forward ? IndexOf(lines, After(*from)) : 0;
    page.end = page.begin;
    while (page.end < lines.size() && room.Take(lines[page.end])) ++page.end;
  } else {
    page.end = from.has_value() ? IndexOf(lines, *from) : lines.size();
    page.begin = page.end;
    while (page.begin > 0 && room.Take(lines[page.begin - 1])) --page.begin;
  }
  const bool empty = page.begin == page.end;
  const Position last =
      empty ? from.value_or(kBeginning) : PositionOf(lines[page.end - 1]);
  page.forward_token = TokenOf(kForward, last);
  page.backward_token =
      TokenOf(kBackward, !empty    ? PositionOf(lines[page.begin])
                         : forward ? After(last)
                                   : last);
  return page;
}

}  // namespace byoshin::local::logs
