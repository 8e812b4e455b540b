#include "core/log/stdout_sink.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::log {
namespace {

class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe(fds_.data()), 0); }
  ~Pipe() {
    CloseWriter();
    close(fds_[0]);
  }

  int writer() const { return fds_[1]; }
  void CloseWriter() {
    if (fds_[1] >= 0) close(fds_[1]);
    fds_[1] = -1;
  }

  std::string ReadToEnd() {
    std::string text;
    std::array<char, 4096> buffer;
    for (ssize_t n; (n = read(fds_[0], buffer.data(), buffer.size())) > 0;) {
      text.append(buffer.data(), static_cast<size_t>(n));
    }
    return text;
  }

  // As many bytes as one read gives, at most as many as the buffer holds.
  std::string ReadOnce() {
    std::array<char, 65536> buffer;
    const ssize_t n = read(fds_[0], buffer.data(), buffer.size());
    return std::string(buffer.data(), n < 0 ? 0 : static_cast<size_t>(n));
  }

 private:
  std::array<int, 2> fds_;
};

TEST(StdoutSink, EndsEachLine) {
  Pipe pipe;
  StdoutSink sink(pipe.writer());
  sink.WriteLine("{}");
  sink.WriteLine("");
  pipe.CloseWriter();
  EXPECT_EQ(pipe.ReadToEnd(), "{}\n\n");
}

TEST(StdoutSink, WritesALineAtOnceWithItsEnd) {
  Pipe pipe;
  StdoutSink sink(pipe.writer());
  sink.WriteLine("line");
  EXPECT_EQ(pipe.ReadOnce(), "line\n");
}

TEST(StdoutSink, WritesAllOfALineThatTheSystemTakesInParts) {
  Pipe pipe;
  ASSERT_EQ(fcntl(pipe.writer(), F_SETFL, O_NONBLOCK), 0);
  StdoutSink sink(pipe.writer());
  const std::string line(1'000'000, 'x');  // more than a pipe holds
  std::thread writer([&] {
    sink.WriteLine(line);
    pipe.CloseWriter();
  });
  EXPECT_EQ(pipe.ReadToEnd(), line + "\n");
  writer.join();
}

TEST(StdoutSink, KeepsTheLinesOfThreadsApart) {
  Pipe pipe;
  StdoutSink sink(pipe.writer());
  std::vector<std::thread> writers;
  for (char c = 'a'; c < 'e'; ++c) {
    writers.emplace_back([&sink, c] {
      const std::string line(10'000, c);
      for (int i = 0; i < 50; ++i) sink.WriteLine(line);
    });
  }
  std::thread closer([&] {
    for (std::thread& writer : writers) writer.join();
    pipe.CloseWriter();
  });
  const std::vector<std::string> lines = absl::StrSplit(pipe.ReadToEnd(), '\n');
  closer.join();

  std::map<std::string, int> counts;
  for (const std::string& line : lines) ++counts[line];
  EXPECT_EQ(counts.size(), 5);  // four, and the empty one after the last
  for (char c = 'a'; c < 'e'; ++c) {
    EXPECT_EQ(counts[std::string(10'000, c)], 50) << c;
  }
}

TEST(StdoutSink, DropsALineThatCannotBeWritten) {
  Pipe pipe;
  const int fd = pipe.writer();
  pipe.CloseWriter();
  StdoutSink sink(fd);
  sink.WriteLine("nobody will see this");
}

}  // namespace
}  // namespace byoshin::log
