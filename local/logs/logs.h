// Log lines in groups and streams, as in CloudWatch Logs: the newest of each
// group in memory, more of them in files, both of limited size.
//
//   Logs logs(clock, {.folder = "/data/logs"});
//   logs.Write({.group = group, .stream = "s", .text = "hello"});
//   for (const LogLine& line : logs.Tail(group, 100)) Print(line);
//   Logs::SubscriptionId id = logs.Subscribe(Print);
#ifndef BYOSHIN_LOCAL_LOGS_LOGS_H_
#define BYOSHIN_LOCAL_LOGS_LOGS_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::local::logs {

struct LogLine {
  // On the cloud's clock; set by Write().
  absl::Time time;
  std::string group{};
  std::string stream{};
  // Without the line break; any other bytes.
  std::string text{};
  // The number of the line in its group since the start; set by Write().
  std::uint64_t number = 0;
};

// "/byoshin/x" from "arn:aws:logs:us-east-1:000000000000:log-group:/byoshin/x",
// with or without ":*" at its end; what is not such an ARN is returned as it
// is.
std::string GroupOfArn(absl::string_view arn);

// Thread-safe.
class Logs {
 public:
  using Subscriber = std::function<void(const LogLine& line)>;
  using SubscriptionId = std::uint64_t;

  struct Options {
    // The folder of a file for each group, "<group>.log", and its predecessor,
    // "<group>.log.1"; slashes in the group's name become plus signs. If empty,
    // no files are written.
    std::string folder{};
    // The maximum size of each group in memory and of each file.
    std::size_t max_memory_bytes = std::size_t{1} << 20;
    std::size_t max_file_bytes = std::size_t{8} << 20;
  };

  // The clock must outlive the logs.
  Logs(time::Clock& clock, Options options);
  Logs(const Logs&) = delete;
  Logs& operator=(const Logs&) = delete;
  ~Logs();

  // If a file can't be written (a full disk), lines are missing from the file,
  // but the function continues: file_error() has the error.
  void Write(LogLine line);

  // Passes what was written to the system, so that it survives a crash of this
  // process.
  void Flush(absl::string_view group);

  // The newest lines of a group, oldest first, including those of earlier runs
  // in the file.
  std::vector<LogLine> Tail(absl::string_view group, std::size_t max_lines);

  // The names of all groups that were written to, including by earlier runs.
  std::vector<std::string> Groups();

  // Forgets the group's lines, and removes its files.
  void Remove(absl::string_view group);

  // `subscriber` is called with every new line, on the thread that writes it.
  // It must not block or call the logs.
  SubscriptionId Subscribe(Subscriber subscriber);
  // Once this returns, the subscriber is no longer called.
  void Unsubscribe(SubscriptionId id);

  // The last error of a file; empty if there was none.
  std::string file_error();

 private:
  struct Group;

  Group& FindGroup(absl::string_view name)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Load(Group& group) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WriteFile(Group& group, const LogLine& line)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OpenFile(Group& group) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Remember(Group& group, LogLine line)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  time::Clock& clock_;
  const Options options_;

  sync::Mutex mutex_;
  std::map<std::string, std::unique_ptr<Group>, std::less<>> groups_
      ABSL_GUARDED_BY(mutex_);
  std::map<SubscriptionId, Subscriber> subscribers_ ABSL_GUARDED_BY(mutex_);
  SubscriptionId last_subscription_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string file_error_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::logs

#endif  // BYOSHIN_LOCAL_LOGS_LOGS_H_
