#include "local/logs/logs.h"

#include <errno.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/sync/mutex.h"
#include "local/files/private_file.h"

namespace byoshin::local::logs {
namespace {

// The size of a line in addition to its text.
constexpr std::size_t kLineOverheadBytes = 128;

std::size_t BytesOf(const LogLine& line) {
  return line.text.size() + kLineOverheadBytes;
}

constexpr char kFileTimeFormat[] = "%Y-%m-%dT%H:%M:%E3SZ";  // in UTC

// time, stream and text, with tabs between.
std::string ToFileLine(const LogLine& line) {
  return absl::StrCat(
      absl::FormatTime(kFileTimeFormat, line.time, absl::UTCTimeZone()), "\t",
      line.stream, "\t", line.text, "\n");
}

constexpr absl::string_view kFileSuffix = ".log";

// Names of groups have slashes, and no plus signs.
// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html
std::string FileNameOf(absl::string_view group) {
  return absl::StrCat(absl::StrReplaceAll(group, {{"/", "+"}}), kFileSuffix);
}

std::vector<std::string> GroupsOfFiles(const std::string& folder) {
  std::vector<std::string> groups;
  if (folder.empty()) return groups;
  std::error_code error;  // file_error() says that there are no files
  for (std::filesystem::directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    absl::string_view group = name;
    std::error_code gone;
    if (!absl::ConsumeSuffix(&group, kFileSuffix) ||
        entry->file_size(gone) == 0 || gone) {
      continue;  // to look for a group makes an empty file
    }
    groups.push_back(absl::StrReplaceAll(group, {{"+", "/"}}));
  }
  return groups;
}

bool FromFileLine(absl::string_view text, LogLine& line) {
  const std::vector<absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('\t', 2));
  std::string error;
  if (parts.size() != 3 ||
      !absl::ParseTime(absl::RFC3339_full, parts[0], &line.time, &error)) {
    return false;
  }
  line.stream = std::string(parts[1]);
  line.text = std::string(parts[2]);
  return true;
}

}  // namespace

std::string GroupOfArn(absl::string_view arn) {
  constexpr absl::string_view kBefore = ":log-group:";
  const std::size_t at = arn.find(kBefore);
  if (at != absl::string_view::npos) arn.remove_prefix(at + kBefore.size());
  return std::string(absl::StripSuffix(arn, ":*"));
}

struct Logs::Group {
  std::string name;
  std::string path;  // empty if there are no files
  std::deque<LogLine> lines;
  std::uint64_t next_number = 0;
  std::size_t memory_bytes = 0;
  std::FILE* file = nullptr;
  std::size_t file_bytes = 0;

  ~Group() {
    if (file != nullptr) std::fclose(file);
  }
};

Logs::Logs(time::Clock& clock, Options options)
    : clock_(clock), options_(std::move(options)) {
  if (options_.folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(options_.folder, error);
  if (error) {
    file_error_ =
        absl::StrCat("creating ", options_.folder, ": ", error.message());
  }
}

Logs::~Logs() = default;

void Logs::Write(LogLine line) {
  const sync::MutexLock lock(mutex_);
  line.time = clock_.Now();
  Group& group = FindGroup(line.group);
  line.number = group.next_number++;
  WriteFile(group, line);
  for (const auto& [id, subscriber] : subscribers_) subscriber(line);
  Remember(group, std::move(line));
}

void Logs::Flush(absl::string_view group) {
  const sync::MutexLock lock(mutex_);
  std::FILE* file = FindGroup(group).file;
  if (file != nullptr) std::fflush(file);
}

std::vector<LogLine> Logs::Tail(absl::string_view group,
                                std::size_t max_lines) {
  const sync::MutexLock lock(mutex_);
  const std::deque<LogLine>& lines = FindGroup(group).lines;
  const std::size_t count = std::min(max_lines, lines.size());
  return {lines.end() - static_cast<std::ptrdiff_t>(count), lines.end()};
}

std::vector<std::string> Logs::Groups() {
  const sync::MutexLock lock(mutex_);
  std::set<std::string> names;
  for (const auto& [name, group] : groups_) names.insert(name);
  for (const std::string& name : GroupsOfFiles(options_.folder)) {
    names.insert(name);
  }
  return {names.begin(), names.end()};
}

void Logs::Remove(absl::string_view group) {
  const sync::MutexLock lock(mutex_);
  const std::string path = FindGroup(group).path;
  groups_.erase(std::string(group));
  if (path.empty()) return;
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  std::filesystem::remove(path + ".1", ignored);
}

Logs::SubscriptionId Logs::Subscribe(Subscriber subscriber) {
  const sync::MutexLock lock(mutex_);
  subscribers_.emplace(++last_subscription_, std::move(subscriber));
  return last_subscription_;
}

void Logs::Unsubscribe(SubscriptionId id) {
  const sync::MutexLock lock(mutex_);
  subscribers_.erase(id);
}

std::string Logs::file_error() {
  const sync::MutexLock lock(mutex_);
  return file_error_;
}

Logs::Group& Logs::FindGroup(absl::string_view name) {
  if (const auto found = groups_.find(std::string(name));
      found != groups_.end()) {
    return *found->second;
  }
  auto group = std::make_unique<Group>();
  group->name = std::string(name);
  if (!options_.folder.empty()) {
    group->path = absl::StrCat(options_.folder, "/", FileNameOf(name));
    Load(*group);
    OpenFile(*group);
  }
  return *groups_.emplace(std::string(name), std::move(group)).first->second;
}

// The lines of the previous run, without a last line that was cut off.
void Logs::Load(Group& group) {
  std::ifstream file(group.path, std::ios::binary);
  std::string text;
  while (std::getline(file, text)) {
    LogLine line{.time = {}, .group = group.name, .number = group.next_number};
    if (!FromFileLine(text, line)) continue;
    ++group.next_number;
    Remember(group, std::move(line));
  }
}

void Logs::OpenFile(Group& group) {
  group.file = AppendToPrivateFile(group.path);
  if (group.file == nullptr) {
    file_error_ = absl::StrCat("opening ", group.path, ": ", strerror(errno));
    return;
  }
  std::fseek(group.file, 0, SEEK_END);
  group.file_bytes = static_cast<std::size_t>(std::ftell(group.file));
}

void Logs::WriteFile(Group& group, const LogLine& line) {
  if (group.file == nullptr) return;
  const std::string text = ToFileLine(line);
  if (group.file_bytes + text.size() > options_.max_file_bytes) {
    std::fclose(std::exchange(group.file, nullptr));
    std::rename(group.path.c_str(), absl::StrCat(group.path, ".1").c_str());
    OpenFile(group);
    if (group.file == nullptr) return;
  }
  group.file_bytes += text.size();
  if (std::fwrite(text.data(), 1, text.size(), group.file) != text.size()) {
    file_error_ = absl::StrCat("writing ", group.path, ": ", strerror(errno));
  }
}

void Logs::Remember(Group& group, LogLine line) {
  group.memory_bytes += BytesOf(line);
  group.lines.push_back(std::move(line));
  while (group.memory_bytes > options_.max_memory_bytes &&
         group.lines.size() > 1) {
    group.memory_bytes -= BytesOf(group.lines.front());
    group.lines.pop_front();
  }
}

}  // namespace byoshin::local::logs
