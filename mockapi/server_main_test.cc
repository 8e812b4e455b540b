// Runs the program itself: what it prints, and how it ends.
#include <json/json.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/testing/socket_client.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::mockapi {
namespace {

using ::byoshin::http::testing::SocketClient;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

// Relative to where tests are run.
constexpr char kProgram[] = "mockapi/server";

// The program under test, with PORT set as given, and an argument unless it is
// empty.
class Program {
 public:
  explicit Program(const std::string& port, const std::string& argument = "") {
    int out[2];
    int err[2];
    EXPECT_EQ(pipe(out), 0);
    EXPECT_EQ(pipe(err), 0);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(out[1], STDOUT_FILENO);
      dup2(err[1], STDERR_FILENO);
      for (int fd : {out[0], out[1], err[0], err[1]}) close(fd);
      setenv("PORT", port.c_str(), /*overwrite=*/1);
      execl(kProgram, kProgram, argument.empty() ? nullptr : argument.c_str(),
            nullptr);
      _exit(127);
    }
    close(out[1]);
    close(err[1]);
    out_ = fdopen(out[0], "r");
    err_ = fdopen(err[0], "r");
  }
  ~Program() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    fclose(out_);
    fclose(err_);
  }

  // One line, without its end; empty after the last.
  std::string ReadLine() {
    std::string line;
    for (int c; (c = fgetc(out_)) != EOF && c != '\n';) line += c;
    return line;
  }
  std::string ReadErrors() {
    std::string text;
    for (int c; (c = fgetc(err_)) != EOF;) text += c;
    return text;
  }
  // Where the server says that it listens.
  std::uint16_t ReadPort() {
    const absl::StatusOr<Json::Value> line = json::ParseValue(ReadLine());
    EXPECT_TRUE(line.ok()) << line.status();
    EXPECT_EQ((*line)["message"].asString(), "listening");
    const std::string url = (*line)["url"].asString();
    int port = 0;
    EXPECT_TRUE(absl::SimpleAtoi(url.substr(url.rfind(':') + 1), &port)) << url;
    return port;
  }

  void Signal(int signal) { kill(pid_, signal); }

  bool Running() const {
    siginfo_t ended = {};
    EXPECT_EQ(waitid(P_PID, pid_, &ended, WEXITED | WNOHANG | WNOWAIT), 0);
    return ended.si_pid == 0;
  }

  // Waits for the end: the exit code, or minus the signal.
  int Wait() {
    int status = 0;
    EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t pid_;
  FILE* out_;
  FILE* err_;
};

TEST(ServerMain, SaysWhereItListensAndHowToTryIt) {
  Program program("0");
  const std::uint16_t port = program.ReadPort();
  SocketClient client(port);
  client.Send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
  const http::Response response = client.ReadResponse();
  EXPECT_EQ(response.body, R"({"status":"ok"})");
  EXPECT_THAT(std::string(response.FindHeader("Date")),
              MatchesRegex("..., .. ... .... ..:..:.. GMT"));
  EXPECT_THAT(program.ReadLine(), HasSubstr(R"("target":"/health")"));
  program.Signal(SIGTERM);
  EXPECT_EQ(program.Wait(), 0);
  const std::string url = absl::StrCat("http://127.0.0.1:", port);
  EXPECT_THAT(program.ReadErrors(),
              HasSubstr(absl::StrCat("curl '", url, "/response_count?from=")));
}

TEST(ServerMain, EndsWellWhenInterrupted) {
  for (int signal : {SIGINT, SIGTERM}) {
    Program program("0");
    SocketClient idle(program.ReadPort());
    program.Signal(signal);
    EXPECT_EQ(program.Wait(), 0);
    EXPECT_EQ(idle.ReadUntilEnd(), "");
  }
}

TEST(ServerMain, FinishesTheRequestUnderWayWhenInterrupted) {
  Program program("0");
  const std::uint16_t port = program.ReadPort();
  SocketClient client(port);
  client.Send(
      "PUT /health HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
      "Content-Length: 1\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().status, 100);
  program.Signal(SIGTERM);
  while (SocketClient().Connect(port)) {
  }
  client.Send("x");
  const http::Response response = client.ReadResponse();
  EXPECT_EQ(response.status, 405);
  EXPECT_EQ(response.FindHeader("Connection"), "close");
  client.Close();
  EXPECT_EQ(program.Wait(), 0);
}

TEST(ServerMain, EndsAtOnceWhenInterruptedTwice) {
  Program program("0");
  const std::uint16_t port = program.ReadPort();
  SocketClient client(port);
  client.Send("GET / HTTP/1.1\r\n");
  program.Signal(SIGINT);
  while (SocketClient().Connect(port)) {
  }
  // Signals right after the first one are taken for the same request.
  while (program.Running()) program.Signal(SIGINT);
  EXPECT_EQ(program.Wait(), -SIGINT);
}

TEST(ServerMain, ExplainsThatThePortIsInUse) {
  Program first("0");
  const std::string port = absl::StrCat(first.ReadPort());
  Program second(port);
  EXPECT_EQ(second.Wait(), 1);
  EXPECT_THAT(second.ReadErrors(),
              AllOf(HasSubstr(absl::StrCat("127.0.0.1:", port)),
                    HasSubstr("in use"), HasSubstr("--port=")));
}

TEST(ServerMain, TakesThePortOfItsFlagBeforeThatOfTheVariable) {
  Program program("many", "--port=0");
  EXPECT_GT(program.ReadPort(), 0);
}

TEST(ServerMain, RefusesWhatItDoesNotKnow) {
  for (const char* argument : {"--prot=3001", "--prot", "3001"}) {
    Program program("0", argument);
    EXPECT_EQ(program.Wait(), 1) << argument;
    EXPECT_THAT(program.ReadErrors(), HasSubstr("see --help")) << argument;
  }
  Program wrong("0", "--port=many");
  EXPECT_EQ(wrong.Wait(), 1);
  EXPECT_THAT(wrong.ReadErrors(), HasSubstr("--port"));
}

TEST(ServerMain, ExplainsItselfWithHelp) {
  Program program("0", "--help");
  EXPECT_EQ(program.ReadLine(), "Runs the mock API that the scheduler polls.");
  EXPECT_EQ(program.Wait(), 0);
}

TEST(ServerMain, ExplainsAPortThatIsNone) {
  Program program("many");
  EXPECT_EQ(program.Wait(), 1);
  EXPECT_THAT(program.ReadErrors(),
              AllOf(HasSubstr("PORT"), HasSubstr("\"many\""),
                    HasSubstr("expected a number")));
}

}  // namespace
}  // namespace byoshin::mockapi
