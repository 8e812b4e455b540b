#include "local/lambda/environment_log.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/sync/mutex.h"

namespace byoshin::local::lambda {

void EnvironmentLog::WriteOutput(process::Child::Stream stream,
                                 absl::string_view bytes) {
  const sync::MutexLock lock(mutex_);
  const std::size_t room = kMaxLogBytesPerExecution - printed_bytes_;
  if (bytes.size() > room) {
    dropped_bytes_ += bytes.size() - room;
    bytes = bytes.substr(0, room);
  }
  printed_bytes_ += bytes.size();
  std::string& partial = partial_[static_cast<int>(stream)];
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::size_t size =
        std::min({end, bytes.size(), kMaxLogLineBytes - partial.size()});
    partial.append(bytes.data(), size);
    bytes.remove_prefix(size);
    if (size == end) {
      WriteLine(partial);
      partial.clear();
      bytes.remove_prefix(1);
    } else if (partial.size() == kMaxLogLineBytes) {
      WritePartial(partial);
    }
  }
}

void EnvironmentLog::WriteSystem(absl::string_view line) {
  const sync::MutexLock lock(mutex_);
  WriteLine(line);
}

void EnvironmentLog::Begin() {
  const sync::MutexLock lock(mutex_);
  tail_.clear();
  printed_bytes_ = 0;
  dropped_bytes_ = 0;
}

void EnvironmentLog::Finish() {
  const sync::MutexLock lock(mutex_);
  for (std::string& partial : partial_) WritePartial(partial);
  if (dropped_bytes_ == 0) return;
  WriteLine(absl::StrCat("[log of this execution cut off: ", dropped_bytes_,
                         " bytes beyond the limit of ",
                         kMaxLogBytesPerExecution, " were dropped]"));
  dropped_bytes_ = 0;
}

std::string EnvironmentLog::Tail() const {
  const sync::MutexLock lock(mutex_);
  return tail_.size() <= kLogTailBytes
             ? tail_
             : tail_.substr(tail_.size() - kLogTailBytes);
}

void EnvironmentLog::WriteLine(absl::string_view text) {
  absl::StrAppend(&tail_, text, "\n");
  // Only now and then, to keep it cheap.
  if (tail_.size() > 4 * kLogTailBytes) {
    tail_.erase(0, tail_.size() - kLogTailBytes);
  }
  logs_.Write({.time = {},
               .group = group_,
               .stream = stream_,
               .text = std::string(text)});
}

void EnvironmentLog::WritePartial(std::string& partial) {
  if (partial.empty()) return;
  WriteLine(partial);
  partial.clear();
}

}  // namespace byoshin::local::lambda
