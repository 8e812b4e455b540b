// What functions and the cloud write about them: lines in groups, as CloudWatch
// Logs has them, the newest in memory, more in files, all within bounds.
//
//   Logs logs(clock, {.folder = "/data/logs"});
//   logs.Write({.group = "/aws/lambda/sender", .stream = "…", .text =
//   "hello"}); for (const LogLine& line : logs.Tail("/aws/lambda/sender", 100))
//   ... Logs::SubscriptionId id = logs.Subscribe([](const LogLine& line) { ...
//   });
#ifndef BYOSHIN_LOCAL_LAMBDA_LOGS_H_
#define BYOSHIN_LOCAL_LAMBDA_LOGS_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/clock.h"

namespace byoshin::local::lambda {

// Streams of a group in which the cloud tells what it could not do with the
// function: of a mapping, followed by its UUID, and of asynchronous invocation.
inline constexpr char kEventSourceStream[] = "event-source/";
inline constexpr char kAsyncStream[] = "asynchronous-invocations";

struct LogLine {
  // On the cloud's clock; set by Write().
  absl::Time time;
  std::string group{};
  std::string stream{};
  // Without its line break; any bytes, but no '\n'.
  std::string text{};
  // Counts the lines of the group since the start; set by Write().
  std::uint64_t number = 0;
};

// Thread-safe.
class Logs {
 public:
  using Subscriber = std::function<void(const LogLine& line)>;
  using SubscriptionId = std::uint64_t;

  struct Options {
    // Holds a file for each group, "<group>.log", and the one before it,
    // "<group>.log.1"; slashes of the group's name become plus signs. Empty:
    // no files.
    std::string folder{};
    // Of each group in memory, and of each file.
    std::size_t max_memory_bytes = std::size_t{1} << 20;
    std::size_t max_file_bytes = std::size_t{8} << 20;
  };

  // The clock outlives the logs.
  Logs(time::Clock& clock, Options options);
  Logs(const Logs&) = delete;
  Logs& operator=(const Logs&) = delete;
  ~Logs();

  // A file that cannot be written (a full disk) costs the file's lines, not the
  // function: file_error() says so.
  void Write(LogLine line);

  // Hands what was written to the system, so that it survives us.
  void Flush(absl::string_view group);

  // The newest lines of a group, oldest first: those since the start, and what
  // the file had before.
  std::vector<LogLine> Tail(absl::string_view group, std::size_t max_lines);

  // The names of all groups that were written to, also by earlier runs.
  std::vector<std::string> Groups();

  // Forgets the group's lines, and removes its files.
  void Remove(absl::string_view group);

  // `subscriber` is called with every line from now on, on the thread that
  // writes it; it must neither block nor call the logs.
  SubscriptionId Subscribe(Subscriber subscriber);
  // Once this returns, the subscriber is not called any more.
  void Unsubscribe(SubscriptionId id);

  // The last error of a file; empty if there was none.
  std::string file_error();

 private:
  struct Group;

  Group& FindGroup(absl::string_view name);
  void Load(Group& group);
  void WriteFile(Group& group, const LogLine& line);
  void OpenFile(Group& group);
  void Remember(Group& group, LogLine line);

  time::Clock& clock_;
  const Options options_;

  std::mutex mutex_;  // guards all below
  std::map<std::string, std::unique_ptr<Group>, std::less<>> groups_;
  std::map<SubscriptionId, Subscriber> subscribers_;
  SubscriptionId last_subscription_ = 0;
  std::string file_error_;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_LOGS_H_
