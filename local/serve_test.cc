// The command line of //local:serve, and the program itself.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/socket_client.h"
#include "local/serve_flags.h"
#include "local/store/sqlite_store.h"
#include "local/version.h"

namespace byoshin::local {
namespace {

// Relative to where tests are run.
constexpr char kProgram[] = "local/serve";

absl::StatusOr<ServeFlags> Parse(const std::vector<std::string>& arguments) {
  return ParseServeFlags(arguments, env::FromMap({{"HOME", "/home/me"}}));
}

TEST(ServeFlags, HaveDefaults) {
  const auto flags = Parse({});
  ASSERT_TRUE(flags.ok()) << flags.status();
  EXPECT_EQ(flags->cloud.gateway.port, 4566);
  EXPECT_EQ(flags->cloud.gateway.address, "127.0.0.1");
  EXPECT_EQ(flags->cloud.data_directory, "/home/me/.local/share/byoshin");
  EXPECT_EQ(flags->cloud.durability, Durability::kProcessCrash);
  EXPECT_TRUE(flags->cloud.credentials.empty());
  EXPECT_FALSE(flags->access_log);
  EXPECT_FALSE(flags->help);
}

TEST(ServeFlags, AreRead) {
  const auto flags =
      Parse({"--port=0", "--address=::1", "--data=/d", "--durability=full",
             "--credentials=a:b:c/+=", "--credentials=d-_.:e",
             "--allow-origin=http://localhost:3000",
             "--allow-origin=https://app.example.com", "--allow-host=Box",
             "--access-log"});
  ASSERT_TRUE(flags.ok()) << flags.status();
  EXPECT_EQ(flags->cloud.gateway.port, 0);
  EXPECT_EQ(flags->cloud.gateway.address, "::1");
  EXPECT_EQ(flags->cloud.data_directory, "/d");
  EXPECT_EQ(flags->cloud.durability, Durability::kPowerLoss);
  ASSERT_EQ(flags->cloud.credentials.size(), 2);
  EXPECT_EQ(flags->cloud.credentials[0].access_key_id, "a");
  EXPECT_EQ(flags->cloud.credentials[0].secret_access_key.Reveal(), "b:c/+=");
  EXPECT_EQ(flags->cloud.credentials[1].access_key_id, "d-_.");
  EXPECT_EQ(flags->cloud.gateway.allowed_origins,
            (std::vector<std::string>{"http://localhost:3000",
                                      "https://app.example.com"}));
  EXPECT_EQ(flags->cloud.gateway.allowed_hosts,
            std::vector<std::string>{"box"});
  EXPECT_TRUE(flags->access_log);
  EXPECT_TRUE(Parse({"--help"})->help);
  EXPECT_TRUE(Parse({"--version"})->version);
  EXPECT_EQ(Parse({"--in-memory"})->cloud.data_directory, "");
}

TEST(ServeFlags, FindTheDataDirectory) {
  const auto data = [](std::vector<std::string> arguments,
                       std::map<std::string, std::string> variables) {
    const auto flags =
        ParseServeFlags(arguments, env::FromMap(std::move(variables)));
    return flags.ok() ? flags->cloud.data_directory
                      : std::string(flags.status().message());
  };
  EXPECT_EQ(data({}, {{"BYOSHIN_DATA", "/d"}, {"HOME", "/h"}}), "/d");
  const std::string here = std::filesystem::current_path();
  EXPECT_EQ(data({"--data=x"}, {{"BYOSHIN_DATA", "/d"}}), here + "/x");
  EXPECT_EQ(data({}, {{"BYOSHIN_DATA", "d"}}), here + "/d");
  EXPECT_EQ(data({}, {{"HOME", "h"}}), here + "/h/.local/share/byoshin");
  EXPECT_EQ(data({"--data=x"}, {{"BUILD_WORKING_DIRECTORY", "/w"}}), "/w/x");
  EXPECT_EQ(data({"--data=/x"}, {{"BUILD_WORKING_DIRECTORY", "/w"}}), "/x");
  EXPECT_TRUE(absl::StrContains(data({}, {}), "--in-memory"));
}

TEST(ServeFlags, RequireCredentialsIfOtherHostsAreServed) {
  for (const char* flag :
       {"--address=0.0.0.0", "--address=::", "--address=192.0.2.1",
        "--address=::ffff:192.0.2.1", "--allow-host=box"}) {
    for (const std::vector<std::string>& more : {std::vector<std::string>{},
                                                 {"--credentials=test:test"},
                                                 {"--in-memory"}}) {
      std::vector<std::string> arguments = more;
      arguments.push_back(flag);
      const auto flags = Parse(arguments);
      EXPECT_EQ(flags.status().code(), absl::StatusCode::kInvalidArgument);
      EXPECT_TRUE(absl::StrContains(flags.status().message(),
                                    "requires --credentials=KEY:SECRET"))
          << flags.status();
    }
    EXPECT_TRUE(Parse({flag, "--credentials=test:secret"}).ok()) << flag;
    EXPECT_TRUE(Parse({flag, "--help"}).ok()) << flag;
  }
  for (const char* address : {"127.0.0.1", "127.0.0.2", "::1"}) {
    EXPECT_TRUE(Parse({absl::StrCat("--address=", address)}).ok()) << address;
  }
}

TEST(ServeFlags, AreRefusedIfTheyMakeNoSense) {
  for (const char* argument :
       {"--port=", "--port=x", "--port=-1", "--port=65536", "--durability=some",
        "--credentials=", "--credentials=a",
        "--credentials=a:", "--credentials=:b", "--credentials=a/b:c",
        "--allow-origin=*", "--allow-host=", "--data=", "--nonsense", "4566"}) {
    const auto flags = Parse({argument});
    EXPECT_EQ(flags.status().code(), absl::StatusCode::kInvalidArgument)
        << argument;
  }
  EXPECT_EQ(Parse({"--data=/x", "--in-memory"}).status().message(),
            "--data and --in-memory contradict each other; leave one of them "
            "out");
  EXPECT_EQ(Parse({"--data="}).status().message(),
            "--data requires a directory");
  // A secret does not get into messages, however it is misspelled.
  for (const char* argument : {"--credentials=a/HIDDEN", "--secret=HIDDEN"}) {
    EXPECT_FALSE(
        absl::StrContains(Parse({argument}).status().message(), "HIDDEN"));
  }
}

// The program under test. All it is told is its arguments.
class Program {
 public:
  explicit Program(std::vector<std::string> arguments) {
    int out[2];
    int err[2];
    EXPECT_EQ(pipe(out), 0);
    EXPECT_EQ(pipe(err), 0);
    std::vector<char*> argv = {const_cast<char*>(kProgram)};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(out[1], STDOUT_FILENO);
      dup2(err[1], STDERR_FILENO);
      for (int fd : {out[0], out[1], err[0], err[1]}) close(fd);
      execv(kProgram, argv.data());
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
  // Waits until it says that it listens.
  std::uint16_t ReadPort() {
    const std::string line = ReadLine();
    EXPECT_TRUE(absl::StrContains(line, "\"message\":\"listening\"")) << line;
    constexpr absl::string_view kBefore = "http://127.0.0.1:";
    const std::size_t at = line.find(kBefore.data());
    if (at == std::string::npos) return 0;
    const std::string rest = line.substr(at + kBefore.size());
    int port = 0;
    EXPECT_TRUE(absl::SimpleAtoi(rest.substr(0, rest.find('"')), &port));
    return static_cast<std::uint16_t>(port);
  }

  void Signal(int signal) { kill(pid_, signal); }

  // Waits for the end: the exit code, or minus the signal.
  int Wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t pid_ = -1;
  FILE* out_ = nullptr;
  FILE* err_ = nullptr;
};

TEST(Serve, SaysHowToUseItAndEndsWhenAsked) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Program program({"--port=0", "--in-memory"});
    const std::uint16_t port = program.ReadPort();
    http::testing::SocketClient client(port);
    client.Send("GET /_byoshin/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const http::Response health = client.ReadResponse();
    EXPECT_EQ(health.status, 200);
    EXPECT_EQ(health.body, R"({"services":["dynamodb","sqs"],"status":"ok"})");
    program.Signal(signal);
    EXPECT_EQ(program.Wait(), 0);
    const std::string errors = program.ReadErrors();
    EXPECT_TRUE(absl::StrContains(
        errors,
        absl::StrCat("export AWS_ENDPOINT_URL=http://127.0.0.1:", port, "\n")))
        << errors;
    EXPECT_TRUE(absl::StrContains(errors, "AWS_ACCESS_KEY_ID=test"));
  }
}

TEST(Serve, DoesNotShowSecrets) {
  Program program({"--port=0", "--in-memory", "--credentials=me:HIDDEN"});
  program.ReadPort();
  program.Signal(SIGTERM);
  EXPECT_EQ(program.Wait(), 0);
  const std::string errors = program.ReadErrors();
  EXPECT_TRUE(absl::StrContains(errors, "AWS_ACCESS_KEY_ID=me")) << errors;
  EXPECT_FALSE(absl::StrContains(errors, "HIDDEN")) << errors;
}

TEST(Serve, SaysThatThePortIsTaken) {
  Program first({"--port=0", "--in-memory"});
  const std::string port = absl::StrCat("--port=", first.ReadPort());
  Program second({port, "--in-memory"});
  EXPECT_EQ(second.Wait(), 1);
  const std::string errors = second.ReadErrors();
  EXPECT_TRUE(absl::StrContains(errors, "cannot listen on 127.0.0.1:"))
      << errors;
  EXPECT_TRUE(absl::StrContains(errors, "--port=0")) << errors;
}

TEST(Serve, SaysThatAnotherHasTheData) {
  const std::string data =
      absl::StrCat("--data=", ::testing::TempDir(), "/serve_test/taken");
  Program first({"--port=0", data});
  first.ReadPort();
  Program second({"--port=0", data});
  EXPECT_EQ(second.Wait(), 1);
  const std::string errors = second.ReadErrors();
  EXPECT_TRUE(absl::StrContains(errors, ".db")) << errors;
  EXPECT_TRUE(absl::StrContains(errors, "--data=DIR")) << errors;
}

TEST(Serve, SaysThatDataCannotBeKeptThere) {
  Program program({"--port=0", "--data=/dev/null/data"});
  EXPECT_EQ(program.Wait(), 1);
  EXPECT_TRUE(absl::StrContains(program.ReadErrors(),
                                "cannot make the folder /dev/null/data"
                                ": Not a directory\nChoose another place"));
}

TEST(Serve, ExplainsItself) {
  Program help({"--help"});
  EXPECT_TRUE(absl::StrContains(help.ReadLine(), "SQS and DynamoDB"));
  Program version({"--version"});
  EXPECT_EQ(version.ReadLine(), absl::StrCat("byoshin ", kVersion));
  Program wrong({"--prot=1"});
  EXPECT_EQ(wrong.Wait(), 1);
  EXPECT_TRUE(absl::StrContains(
      wrong.ReadErrors(),
      "unknown flag --prot, perhaps --port was meant; see --help"));
}

}  // namespace
}  // namespace byoshin::local
