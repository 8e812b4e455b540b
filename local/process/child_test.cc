#include "local/process/child.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/sync/testing/no_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::local::process {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;

// A child whose output and end a test waits for.
class Watched {
 public:
  explicit Watched(std::string script) {
    options.argv = {"/bin/sh", "-c", std::move(script)};
    options.environment = {{"GIVEN", "yes"}};
    options.on_output = [this](Child::Stream stream, absl::string_view bytes) {
      const std::lock_guard<std::mutex> lock(mutex_);
      absl::StrAppend(stream == Child::Stream::kOutput ? &output_ : &error_,
                      bytes);
      if (absl::StrContains(output_, "ready\n") &&
          !std::exchange(is_ready_, true)) {
        ready_.set_value();
      }
    };
    options.on_exit = [this](const ExitStatus& exit) { exit_.set_value(exit); };
  }

  absl::Status Start() {
    absl::StatusOr<std::unique_ptr<Child>> started = Child::Start(options);
    if (!started.ok()) return started.status();
    child = *std::move(started);
    return absl::OkStatus();
  }

  // Returns once the child has written "ready".
  void AwaitReady() { ready_.get_future().wait(); }
  ExitStatus AwaitExit() { return exit_.get_future().get(); }

  std::string output() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return output_;
  }
  std::string error() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return error_;
  }

  Child::Options options;

 private:
  std::mutex mutex_;
  std::string output_;
  std::string error_;
  bool is_ready_ = false;
  std::promise<void> ready_;
  std::promise<ExitStatus> exit_;

 public:
  // Last: its thread uses the rest.
  std::unique_ptr<Child> child;
};

TEST(Child, HandsOverBothStreamsAndTheExitStatus) {
  Watched watched("echo out; echo err >&2; exit 3");
  ASSERT_TRUE(watched.Start().ok());
  EXPECT_EQ(watched.AwaitExit().ToString(), "exit status 3");
  EXPECT_EQ(watched.output(), "out\n");
  EXPECT_EQ(watched.error(), "err\n");
}

TEST(Child, HasTheGivenEnvironmentAndNoOther) {
  ASSERT_EQ(setenv("OURS", "secret", /*overwrite=*/1), 0);
  Watched watched("echo given=$GIVEN ours=$OURS");
  ASSERT_TRUE(watched.Start().ok());
  watched.AwaitExit();
  EXPECT_EQ(watched.output(), "given=yes ours=\n");
}

TEST(Child, InheritsNoDescriptorButTheStandardOnes) {
  // Without close-on-exec, as a library might leave it; and numbered far above
  // those that the shell and ls open for themselves.
  constexpr int kLeaked = 100;
  ASSERT_EQ(dup2(STDOUT_FILENO, kLeaked), kLeaked);
  Watched watched("ls /proc/$$/fd");
  ASSERT_TRUE(watched.Start().ok());
  watched.AwaitExit();
  close(kLeaked);
  const std::vector<std::string> descriptors =
      absl::StrSplit(watched.output(), '\n', absl::SkipEmpty());
  EXPECT_THAT(descriptors, IsSupersetOf({"0", "1", "2"}));
  EXPECT_THAT(descriptors, Not(Contains(absl::StrCat(kLeaked))));
}

TEST(Child, RunsWhereItIsTold) {
  Watched watched("pwd");
  watched.options.working_directory = "/usr";
  ASSERT_TRUE(watched.Start().ok());
  watched.AwaitExit();
  EXPECT_EQ(watched.output(), "/usr\n");
}

TEST(Child, FindsARelativeExecutableFromWhereWeRun) {
  Watched watched("pwd");
  watched.options.argv.front() = std::filesystem::relative("/bin/sh");
  watched.options.working_directory = "/usr";
  const absl::Status started = watched.Start();
  ASSERT_TRUE(started.ok()) << started;
  watched.AwaitExit();
  EXPECT_EQ(watched.output(), "/usr\n");
}

TEST(Child, SaysWhyItCannotBeStarted) {
  Watched watched("");
  watched.options.argv = {"/no/such/program"};
  const absl::Status status = watched.Start();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(absl::StrContains(status.message(), "/no/such/program"));
}

TEST(Child, IsKilledTogetherWithItsOwnChildren) {
  Watched watched("sleep 1000 & echo $!; echo ready; wait");
  ASSERT_TRUE(watched.Start().ok());
  watched.AwaitReady();
  const std::vector<std::string> lines = absl::StrSplit(watched.output(), '\n');
  pid_t grandchild = 0;
  ASSERT_TRUE(absl::SimpleAtoi(lines.front(), &grandchild));
  const int descriptor =
      static_cast<int>(syscall(SYS_pidfd_open, grandchild, /*flags=*/0));
  ASSERT_GE(descriptor, 0);
  watched.child->Kill();
  EXPECT_EQ(watched.AwaitExit().ToString(), "signal 9");
  // Becomes readable when it ends, which is long before the 1000 s or the
  // test's time is over.
  pollfd end = {descriptor, POLLIN, 0};
  EXPECT_EQ(poll(&end, 1, /*timeout=*/-1), 1);
  close(descriptor);
}

TEST(Child, LeavesNoProcessBehindWhenItEndsByItself) {
  Watched watched("sleep 1000 & echo $!; exit 0");
  ASSERT_TRUE(watched.Start().ok());
  // The grandchild holds the pipes open; the end is seen all the same.
  EXPECT_EQ(watched.AwaitExit().ToString(), "exit status 0");
}

TEST(Child, IsGoneOnceItIsDestroyed) {
  Watched watched("echo ready; sleep 1000");
  ASSERT_TRUE(watched.Start().ok());
  watched.AwaitReady();
  const pid_t pid = watched.child->pid();
  watched.child.reset();
  EXPECT_EQ(kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(Child, DrainsWhatWasWrittenBeforeItSpokeElsewhere) {
  Watched watched("echo before; echo ready; cat");
  watched.options.input = Child::Input::kOpen;
  ASSERT_TRUE(watched.Start().ok());
  watched.AwaitReady();
  watched.child->DrainOutput();
  EXPECT_EQ(watched.output(), "before\nready\n");
  watched.child->CloseInput();
  EXPECT_EQ(watched.AwaitExit().ToString(), "exit status 0");
}

TEST(Child, IsAnotherUserInANamespaceOfItsOwn) {
  Watched watched("id -u; id -g; touch mine; stat -c %u mine; rm mine");
  watched.options.working_directory = ::testing::TempDir();
  watched.options.environment["PATH"] = "/usr/bin:/bin";
  watched.options.run_as =
      RunAs{.way = RunAs::Way::kNamespace, .user = 4321, .group = 8765};
  const absl::Status started = watched.Start();
  ASSERT_TRUE(started.ok()) << started;
  EXPECT_EQ(watched.AwaitExit().ToString(), "exit status 0");
  EXPECT_EQ(watched.output(), "4321\n8765\n4321\n") << watched.error();
}

TEST(Child, ReachesRevealedFoldersBelowClosedOnes) {
  const std::string closed = absl::StrCat(
      std::filesystem::canonical(::testing::TempDir()).string(), "/closed");
  for (const char* name : {"/data/inner", "/programs", "/secret"}) {
    std::filesystem::create_directories(absl::StrCat(closed, name));
  }
  ASSERT_EQ(chmod(closed.c_str(), S_IRWXU), 0);
  Watched watched("cd ..; ls; ls data; touch data/written x");
  watched.options.working_directory = absl::StrCat(closed, "/data");
  watched.options.environment["PATH"] = "/usr/bin:/bin";
  watched.options.run_as =
      RunAs{.way = RunAs::Way::kNamespace,
            .user = 4321,
            .group = 8765,
            .revealed_folders = {closed + "/data", closed + "/programs"}};
  const absl::Status started = watched.Start();
  ASSERT_TRUE(started.ok()) << started;
  watched.AwaitExit();
  EXPECT_EQ(watched.output(), "data\nprograms\ninner\n") << watched.error();
  // The folder itself is there, and what only looked like the closed one is
  // not.
  EXPECT_TRUE(std::filesystem::exists(closed + "/data/written"));
  EXPECT_FALSE(std::filesystem::exists(closed + "/x"));
  std::filesystem::remove_all(closed);
}

TEST(Child, SaysThatItMayNotBecomeAnotherUser) {
  Watched watched("true");
  // No user has this number: (uid_t)-1 stands for "unchanged".
  watched.options.run_as =
      RunAs{.way = RunAs::Way::kNamespace, .user = ~0U, .group = ~0U};
  const absl::Status started = watched.Start();
  EXPECT_FALSE(started.ok());
  EXPECT_TRUE(absl::StrContains(started.message(), "starting /bin/sh"));
}

TEST(Child, GetsASignalByItself) {
  Watched watched(
      "trap 'echo asked; exit 5' INT; echo ready; sleep 1000 & wait");
  ASSERT_TRUE(watched.Start().ok());
  watched.AwaitReady();
  watched.child->Signal(SIGINT);
  EXPECT_EQ(watched.AwaitExit().ToString(), "exit status 5");
  EXPECT_EQ(watched.output(), "ready\nasked\n");
}

TEST(Child, IsNotStartedWithoutAThreadToWatchIt) {
  Watched watched("exit 0");
  const sync::testing::NoThreads no_threads;
  EXPECT_TRUE(absl::IsResourceExhausted(watched.Start()));
}

TEST(Child, MayOpenAsManyFilesAsOnLambda) {
  Watched watched("ulimit -n; ulimit -Hn");
  ASSERT_TRUE(watched.Start().ok());
  watched.AwaitExit();
  EXPECT_EQ(watched.output(), "1024\n1024\n");
}

TEST(Child, InheritsTheLimitOfOpenFilesIfItIsTold) {
  rlimit limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  Watched watched("ulimit -n; ulimit -Hn");
  watched.options.open_files = Child::OpenFiles::kInherited;
  ASSERT_TRUE(watched.Start().ok());
  watched.AwaitExit();
  EXPECT_EQ(watched.output(),
            absl::StrCat(limit.rlim_cur, "\n", limit.rlim_max, "\n"));
}

TEST(Child, GetsNoMoreMemoryThanItsLimit) {
  // The shell builds a string of 64 MiB, twice as much as it may have.
  Watched watched(
      "x=0123456789abcdef; i=0; while [ $i -lt 22 ]; do x=$x$x; i=$((i+1)); "
      "done; echo survived");
  watched.options.max_data_bytes = std::uint64_t{32} << 20;
  ASSERT_TRUE(watched.Start().ok());
  watched.AwaitExit();
  EXPECT_EQ(watched.output(), "");
}

}  // namespace
}  // namespace byoshin::local::process
