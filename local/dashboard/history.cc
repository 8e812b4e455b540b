#include "local/dashboard/history.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::dashboard {

void LogHistory::Add(absl::Time time, absl::string_view function,
                     absl::string_view text) {
  lines_.push_back({.id = ++last_id_,
                    .time = time,
                    .function = std::string(function),
                    .text = std::string(text)});
  bytes_ += text.size();
  while (lines_.size() > limits_.lines || bytes_ > limits_.bytes) {
    bytes_ -= lines_.front().text.size();
    lines_.pop_front();
  }
}

void LogHistory::Clear() {
  lines_.clear();
  bytes_ = 0;
}

LogPage LogHistory::Find(const LogQuery& query) const {
  const std::string wanted = absl::AsciiStrToLower(query.text);
  const auto matches = [&](const LogLine& line) {
    return (query.function.empty() || line.function == query.function) &&
           (wanted.empty() ||
            absl::StrContains(absl::AsciiStrToLower(line.text), wanted));
  };
  const auto limit = static_cast<std::size_t>(query.limit);
  LogPage page{.next = last_id_};
  if (!query.after.has_value()) {
    for (auto line = lines_.rbegin();
         line != lines_.rend() && page.lines.size() < limit; ++line) {
      if (matches(*line)) page.lines.push_back(*line);
    }
    std::reverse(page.lines.begin(), page.lines.end());
    return page;
  }
  for (const LogLine& line : lines_) {
    if (line.id <= *query.after || !matches(line)) continue;
    if (page.lines.size() == limit) {
      page.next = page.lines.back().id;
      break;
    }
    page.lines.push_back(line);
  }
  return page;
}

}  // namespace byoshin::local::dashboard
