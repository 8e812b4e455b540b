#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ios>
#include <map>
#include <new>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/sync/testing/no_threads.h"
#include "local/applications/applications.h"
#include "local/cli/access_flags.h"
#include "local/cli/all_commands.h"
#include "local/cli/arguments.h"
#include "local/cli/command.h"
#include "local/cli/testing_commands.h"
#include "local/cli/up_command.h"
#include "local/store/sqlite_store.h"
#include "local/version.h"

namespace byoshin::local::cli {
namespace {

constexpr char kStatus[] = R"({
  "now": 1764671000000,
  "queues": [{"name": "jobs", "deadLetterQueue": "dead"},
             {"name": "dead", "deadLetterQueue": null}],
  "functions": [{"name": "s-SenderFunction-1"}, {"name": "s-Collector-2"}]})";

class CommandsTest : public CommandTest {
 protected:
  int Run(const std::vector<std::string>& words) {
    return CommandTest::Run(AllCommands(applications::AllApplications()),
                            words);
  }
};

TEST_F(CommandsTest, ExplainThemselves) {
  EXPECT_EQ(Run({"--help"}), 0);
  EXPECT_TRUE(absl::StrContains(terminal_.printed,
                                "  records     print what was collected\n"));
  terminal_.printed.clear();
  EXPECT_EQ(Run({}), 2);
  EXPECT_TRUE(absl::StrContains(terminal_.printed, "Usage: byoshin COMMAND"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"help", "logs"},
        {"logs", "--help"},
        {"logs", "-f", "-h"}}) {
    terminal_.printed.clear();
    EXPECT_EQ(Run(words), 0);
    EXPECT_TRUE(absl::StrContains(terminal_.printed, "-f, --follow"));
  }
}

TEST_F(CommandsTest, TellTheirVersion) {
  for (const char* word : {"--version", "version"}) {
    terminal_.printed.clear();
    EXPECT_EQ(Run({word}), 0);
    EXPECT_EQ(terminal_.printed, absl::StrCat("byoshin ", kVersion, "\n"));
  }
}

TEST_F(CommandsTest, SayWhatWasNotUnderstood) {
  EXPECT_EQ(Run({"record"}), 2);
  EXPECT_EQ(terminal_.noted,
            "byoshin: there is no command \"record\", perhaps records was "
            "meant; `byoshin --help` lists them\n");
  terminal_.noted.clear();
  EXPECT_EQ(Run({"records", "--format=xml"}), 2);
  EXPECT_EQ(terminal_.noted,
            "byoshin records: --format=xml is not one of table, csv and "
            "json\n");
}

TEST_F(CommandsTest, SayHowToStartACloudThatDoesNotAnswer) {
  http_.Fail(absl::UnavailableError("connection refused"));
  EXPECT_EQ(Run({"status"}), 1);
  EXPECT_EQ(terminal_.noted,
            "byoshin status: no local cloud answers at http://127.0.0.1:4566; "
            "start it with `byoshin up`, or say where it is with "
            "--endpoint=URL (connection refused)\n");
}

TEST_F(CommandsTest, PassOnWhatTheCloudSaysIsWrong) {
  Answer(kStatus);
  http_.Answer({.status = 404, .body = R"({"error":"no queue \"x\""})"});
  EXPECT_EQ(Run({"redrive"}), 1);
  EXPECT_EQ(terminal_.noted, "byoshin redrive: no queue \"x\"\n");
}

TEST_F(CommandsTest, RedriveEveryDeadLetterQueueThereIs) {
  Answer(kStatus);
  Answer(R"({"moved":2})");
  EXPECT_EQ(Run({"redrive"}), 0);
  EXPECT_EQ(terminal_.printed, "dead: 2 moved back\n");
  EXPECT_EQ(http_.requests()[1].method, "POST");
  EXPECT_EQ(http_.requests()[1].body, R"({"queue":"dead"})");
  EXPECT_EQ(http::testing::HeaderOf(http_.requests()[1], "X-Byoshin-Request"),
            "1");
}

TEST_F(CommandsTest, RedriveTellsWhatCanNotBeMovedBack) {
  Answer(R"({"queues":[
      {"name":"jobs","visible":1,"deadLetterQueue":"dead",
       "holdsDeadLetters":false},
      {"name":"dead","visible":2,"deadLetterQueue":null,
       "holdsDeadLetters":true},
      {"name":"unsent","visible":3,"deadLetterQueue":null,
       "holdsDeadLetters":true},
      {"name":"unfired","visible":0,"deadLetterQueue":null,
       "holdsDeadLetters":true}]})");
  Answer(R"({"moved":2})");
  EXPECT_EQ(Run({"redrive"}), 0);
  EXPECT_EQ(http_.requests().size(), 2);
  EXPECT_EQ(terminal_.printed,
            "dead: 2 moved back\n"
            "unsent: 3 left, as there is no queue to move them back to "
            "(`byoshin queues --dead-letters` shows them)\n");
  http_.Answer({.status = 409, .body = R"({"error":"no queue for unsent"})"});
  EXPECT_EQ(Run({"redrive", "unsent"}), 1);
  EXPECT_EQ(terminal_.noted, "byoshin redrive: no queue for unsent\n");
}

TEST_F(CommandsTest, PrintDeadLetters) {
  Answer(kStatus);
  Answer(R"({"total":3,"messages":[{"queue":"dead","sent":1764671000000,
             "receives":5,"id":"m-1","body":"{\"a\":\n1}"}]})");
  EXPECT_EQ(Run({"queues", "--dead-letters"}), 0);
  EXPECT_TRUE(
      absl::EndsWith(terminal_.printed,
                     "\n2025-12-02T10:23:20Z  dead  received 5 times  m-1\n"
                     "{\"a\":\n1}\n"
                     "\nand 2 more\n"))
      << terminal_.printed;
}

TEST_F(CommandsTest, FollowTheLog) {
  Answer(kStatus);
  Answer(R"({"lines":[{"id":7,"t":1764671000000,"function":"f","text":"a"}],
             "next":7})");
  Answer(R"({"lines":[],"next":7})");
  Answer(R"({"cursor":"c1"})");
  Answer(R"({"lines":[{"id":8,"t":1764671000000,"function":"f","text":"b"}],
             "next":8})");
  http_.Answer({.status = 500, .body = "{}"});
  EXPECT_EQ(Run({"logs", "-f", "--function=collector", "--grep=x y"}), 1);
  EXPECT_EQ(terminal_.printed,
            "2025-12-02T10:23:20.000Z  f  a\n"
            "2025-12-02T10:23:20.000Z  f  b\n");
  EXPECT_EQ(Url(1),
            "http://127.0.0.1:4566/_byoshin/api/logs?function=s-Collector-2&q="
            "x%20y&limit=100");
  EXPECT_TRUE(absl::StrContains(Url(2), "after=7"));
  EXPECT_TRUE(absl::StrContains(Url(3), "/updates?after="));
}

TEST_F(CommandsTest, FindTheLogOfAFunctionOrAGroup) {
  Answer(kStatus);
  EXPECT_EQ(Run({"logs", "--function=nobody"}), 1);
  EXPECT_EQ(terminal_.noted,
            "byoshin logs: there is no function \"nobody\"; there are: "
            "s-SenderFunction-1, s-Collector-2\n");
  terminal_.noted.clear();
  Answer(kStatus);
  EXPECT_EQ(Run({"logs", "--function=s-"}), 1);
  EXPECT_EQ(terminal_.noted,
            "byoshin logs: several functions have \"s-\" in their names: "
            "s-SenderFunction-1, s-Collector-2\n");
  Answer(R"({"lines":[{"id":7,"t":1764671000000,"function":"/api/access",
             "text":"{\"level\":\"INFO\"}"}],"next":7})");
  EXPECT_EQ(Run({"logs", "--function=/api/access", "--raw"}), 0);
  EXPECT_EQ(Url(2),
            "http://127.0.0.1:4566/_byoshin/api/logs?function=%2Fapi%2Faccess&"
            "limit=100");
  EXPECT_EQ(terminal_.printed, "{\"level\":\"INFO\"}\n");
}

TEST_F(CommandsTest, GiveAFileTheBytesAsTheyAre) {
  Answer(R"({"lines":[{"id":7,"t":1764671000000,"function":"/f",
             "text":"\u001b[2J"}],"next":7})");
  EXPECT_EQ(Run({"logs", "--raw"}), 0);
  Answer(kStatus);
  Answer(R"({"total":1,"messages":[{"queue":"dead","sent":1764671000000,
             "receives":5,"id":"1","body":"a\n\u001b[2J"}]})");
  EXPECT_EQ(Run({"queues", "--dead-letters"}), 0);
  EXPECT_TRUE(absl::StartsWith(terminal_.printed, "\x1b[2J\n"));
  EXPECT_TRUE(absl::EndsWith(terminal_.printed, "\na\n\x1b[2J\n"))
      << terminal_.printed;
}

TEST_F(CommandsTest, SayThatAFolderIsNoEvent) {
  Answer(kStatus);
  EXPECT_EQ(Run({"invoke", "sender", "/"}), 1);
  EXPECT_EQ(terminal_.noted, "byoshin invoke: cannot read /: Is a directory\n");
}

TEST_F(CommandsTest, SayThatAnAnswerIsNotTheClouds) {
  for (const char* answer : {"[]", "5", "\"x\"", "null"}) {
    for (const char* command : {"status", "queues", "records", "logs"}) {
      terminal_.noted.clear();
      Answer(answer);
      EXPECT_EQ(Run({command}), 1);
      EXPECT_TRUE(
          absl::StrContains(terminal_.noted, "is that the local cloud?"))
          << terminal_.noted;
    }
  }
}

TEST_F(CommandsTest, TellOfAnExceptionLikeOfAnyError) {
  Answer(R"({"now":{},"functions":5})");
  EXPECT_EQ(Run({"invoke", "sender"}), 1);
  EXPECT_TRUE(absl::StartsWith(terminal_.noted, "byoshin invoke: "))
      << terminal_.noted;
}

TEST_F(CommandsTest, SayWhatTheSystemHasTooLittleOf) {
  const auto note_of = [this](std::function<void()> fail) {
    terminal_.noted.clear();
    const Command command{
        .spec = {.name = "try"},
        .run = [fail = std::move(fail)](const Arguments&, CommandContext&) {
          fail();
          return absl::OkStatus();
        }};
    EXPECT_EQ(CommandTest::Run({command}, {"try"}), 1);
    return terminal_.noted;
  };
  EXPECT_EQ(note_of([] {
              const sync::testing::NoThreads no_threads;
              std::thread([] {}).join();
            }),
            "byoshin try: cannot start a thread: raise the limits of address "
            "space (ulimit -v), of processes (ulimit -u) or of the "
            "container\n");
  EXPECT_EQ(note_of([] { throw std::bad_alloc(); }),
            "byoshin try: out of memory: raise the limit of address space "
            "(ulimit -v) or that of the container\n");
}

TEST_F(CommandsTest, RefuseToSimulatePartsOfAMinute) {
  EXPECT_EQ(Run({"simulate", "--for=30s"}), 2);
  EXPECT_EQ(terminal_.noted,
            "byoshin simulate: --for=30s is not a whole number of minutes, "
            "such as 1m or 24h\n");
}

class PathsTest : public CommandsTest {
 protected:
  PathsTest() {
    std::filesystem::create_directories(folder_);
    environment_ = env::FromMap({{"BUILD_WORKING_DIRECTORY", folder_}});
  }

  const std::string folder_ = testing::TempDir() + "/where_bazel_was_called";
};

TEST_F(PathsTest, OfEventsAreFromWhereBazelWasCalled) {
  std::ofstream(folder_ + "/event.json") << R"({"n":1})";
  Answer(kStatus);
  Answer("{}");
  EXPECT_EQ(Run({"invoke", "sender", "event.json"}), 0) << terminal_.noted;
  EXPECT_EQ(http_.requests()[1].body, R"({"n":1})");
}

TEST_F(PathsTest, OfDataAreFromWhereBazelWasCalled) {
  // What can't be a folder for data is named in full.
  std::ofstream(folder_ + "/taken") << "something else";
  const std::string taken = folder_ + "/taken";
  EXPECT_EQ(Run({"up", "--port=0", "--api-port=0", "--data=taken"}), 1);
  EXPECT_TRUE(absl::StrContains(terminal_.noted, taken)) << terminal_.noted;
  terminal_.noted.clear();
  EXPECT_EQ(Run({"simulate", "--data=taken"}), 1);
  EXPECT_TRUE(absl::StrContains(terminal_.noted, taken)) << terminal_.noted;
  terminal_.noted.clear();
  environment_ = env::FromMap(
      {{"BUILD_WORKING_DIRECTORY", folder_}, {"BYOSHIN_DATA", "taken"}});
  EXPECT_EQ(Run({"up", "--port=0", "--api-port=0"}), 1);
  EXPECT_TRUE(absl::StrContains(terminal_.noted, taken)) << terminal_.noted;
}

TEST(UpOptions, SayWhatDataSurvives) {
  const auto options = [](const std::vector<std::string>& words) {
    return UpOptions(
        *ParseArguments(UpCommand(applications::AllApplications()).spec, words),
        env::FromMap({{"HOME", "/home/user"}}));
  };
  EXPECT_EQ(options({})->data_directory, "/home/user/.local/share/byoshin/up");
  EXPECT_EQ(options({})->durability, Durability::kProcessCrash);
  EXPECT_EQ(options({"--durability=full"})->durability, Durability::kPowerLoss);
  EXPECT_EQ(options({"--in-memory"})->data_directory, "");
  EXPECT_EQ(options({"--durability=much"}).status().message(),
            "--durability must be process or full, not \"much\"");
  EXPECT_EQ(options({"--in-memory", "--durability=full"}).status().message(),
            "--durability has no effect with --in-memory; leave one of them "
            "out");
}

TEST(UpOptions, SayWhoMayCall) {
  const auto options = [](const std::vector<std::string>& words) {
    return UpOptions(
        *ParseArguments(UpCommand(applications::AllApplications()).spec, words),
        env::FromMap({{"HOME", "/home/user"}}));
  };
  EXPECT_EQ(AcceptedCredentials(*options({})).access_key_id, "test");
  const auto given =
      options({"--credentials=mine:secret", "--credentials=other:x",
               "--allow-origin=http://localhost:3000",
               "--allow-host=host.docker.internal"});
  ASSERT_TRUE(given.ok()) << given.status();
  ASSERT_EQ(given->credentials.size(), 2);
  EXPECT_EQ(AcceptedCredentials(*given).access_key_id, "mine");
  EXPECT_EQ(given->gateway.allowed_origins,
            std::vector<std::string>{"http://localhost:3000"});
  EXPECT_EQ(given->gateway.allowed_hosts,
            std::vector<std::string>{"host.docker.internal"});
  EXPECT_FALSE(options({"--credentials=mine"}).ok());
  EXPECT_FALSE(options({"--allow-origin=*"}).ok());
  EXPECT_FALSE(options({"--allow-host=a:1"}).ok());
  EXPECT_EQ(options({"--allow-host=a"}).status().message(),
            "--allow-host requires --credentials=KEY:SECRET, other than "
            "test:test: everybody knows the default credentials, and web pages "
            "could use them");
}

TEST(UpOptions, SayWhichModelAnswers) {
  const auto options = [](const std::vector<std::string>& words) {
    return UpOptions(
        *ParseArguments(UpCommand(applications::AllApplications()).spec, words),
        env::FromMap(
            {{"HOME", "/home/user"}, {"BYOSHIN_MODEL_API_KEY", "key"}}));
  };
  EXPECT_EQ(options({})->bedrock.server_url, "");
  EXPECT_EQ(options({"--model=slow=5s"})->bedrock.fault.delay,
            absl::Seconds(5));
  const auto given =
      options({"--model-url=http://127.0.0.1:11434", "--model-name=qwen3:4b"});
  ASSERT_TRUE(given.ok()) << given.status();
  EXPECT_EQ(given->bedrock.server_url,
            "http://127.0.0.1:11434/v1/chat/completions");
  EXPECT_EQ(given->bedrock.server_model, "qwen3:4b");
  EXPECT_EQ(given->bedrock.server_key.Reveal(), "key");
  EXPECT_EQ(options({"--model-name=x"}).status().message(),
            "--model-name has no effect without --model-url");
  EXPECT_TRUE(absl::StartsWith(options({"--model=fast"}).status().message(),
                               "--model: fast is not one of none, slow"));
  EXPECT_FALSE(options({"--model-url=ollama"}).ok());
}

TEST(UpOptions, MakeTheDataFolderAbsolute) {
  const auto data = [](const std::vector<std::string>& words,
                       std::map<std::string, std::string> variables) {
    return UpOptions(
               *ParseArguments(UpCommand(applications::AllApplications()).spec,
                               words),
               env::FromMap(std::move(variables)))
        ->data_directory;
  };
  const std::string here = std::filesystem::current_path();
  EXPECT_EQ(data({"--data=x"}, {}), here + "/x");
  EXPECT_EQ(data({}, {{"BYOSHIN_DATA", "x"}}), here + "/x");
  EXPECT_EQ(data({}, {{"HOME", "x"}}), here + "/x/.local/share/byoshin/up");
}

TEST_F(PathsTest, OfArtifactsAreFromWhereBazelWasCalled) {
  for (const char* command : {"up", "simulate"}) {
    terminal_.noted.clear();
    EXPECT_EQ(Run({command, "--data=none", "--template=none.json"}), 1);
    EXPECT_TRUE(absl::StrContains(terminal_.noted, folder_ + "/none.json"))
        << terminal_.noted;
  }
}

TEST_F(CommandsTest, TickAndReset) {
  Answer(R"({"fired":["rule-1"]})");
  EXPECT_EQ(Run({"tick", "rule-1"}), 0);
  EXPECT_EQ(http_.requests()[0].body, R"({"rule":"rule-1"})");
  EXPECT_EQ(Run({"reset"}), 2);
  Answer(R"({"items":12,"messages":3})");
  EXPECT_EQ(Run({"reset", "--yes"}), 0);
  EXPECT_EQ(terminal_.printed,
            "fired rule-1\ndeleted 12 records and 3 messages\n");
}

TEST_F(CommandsTest, InvokeAFunctionByAPartOfItsName) {
  Answer(kStatus);
  http_.Answer({.status = 200,
                .headers = {{"X-Amz-Log-Result", "bG9nCg=="}},
                .body = R"({"ok":true})"});
  EXPECT_EQ(Run({"invoke", "sender", "-"}), 0);
  const http::Request& request = http_.requests()[1];
  EXPECT_EQ(request.url,
            "http://127.0.0.1:4566/2015-03-31/functions/s-SenderFunction-1/"
            "invocations");
  EXPECT_EQ(request.body, "input");
  EXPECT_TRUE(absl::StrContains(
      http::testing::HeaderOf(request, "Authorization"),
      "Credential=test/20251202/us-east-1/lambda/aws4_request"));
  EXPECT_EQ(terminal_.printed, "{\"ok\":true}\n");
  EXPECT_EQ(terminal_.noted, "log\n");
}

TEST_F(CommandsTest, InvokeTellsWhenTheFunctionFailed) {
  Answer(kStatus);
  http_.Answer({.status = 200,
                .headers = {{"X-Amz-Function-Error", "Unhandled"}},
                .body = R"({"errorMessage":"no"})"});
  EXPECT_EQ(Run({"invoke", "collector"}), 1);
  EXPECT_EQ(http_.requests()[1].body, "{}");
  EXPECT_EQ(terminal_.noted,
            "byoshin invoke: the function failed (Unhandled)\n");
  terminal_.noted.clear();
  Answer(kStatus);
  EXPECT_EQ(Run({"invoke", "nobody"}), 1);
  EXPECT_EQ(terminal_.noted,
            "byoshin invoke: there is no function \"nobody\"; there are: "
            "s-SenderFunction-1, s-Collector-2\n");
}

TEST_F(CommandsTest, InvokeSaysWhyTheCloudRefusesIt) {
  Answer(kStatus);
  http_.Answer(
      {.status = 400,
       .body = R"({"__type":"ResourceNotFoundException","message":"gone"})"});
  EXPECT_EQ(Run({"invoke", "collector"}), 1);
  EXPECT_EQ(terminal_.printed, "");
  EXPECT_EQ(terminal_.noted,
            "byoshin invoke: the cloud refused the invocation: "
            "ResourceNotFoundException: gone\n");
  for (const char* code :
       {"UnrecognizedClientException", "InvalidSignatureException"}) {
    terminal_.noted.clear();
    Answer(kStatus);
    http_.Answer({.status = 400,
                  .body = absl::StrCat(R"({"__type":")", code,
                                       R"(","message":"wrong."})")});
    EXPECT_EQ(Run({"invoke", "collector"}), 1);
    EXPECT_EQ(
        terminal_.noted,
        absl::StrCat("byoshin invoke: the cloud refused the invocation: ", code,
                     ": wrong; set AWS_ACCESS_KEY_ID and "
                     "AWS_SECRET_ACCESS_KEY to credentials that the "
                     "cloud accepts (its --credentials; default "
                     "test:test)\n"));
  }
}

TEST_F(CommandsTest, DownRemovesTheStackOfAnApplicationAndSaysWhatStays) {
  Answer(R"({"removed": "byoshin", "retained": [
      {"logicalId": "Records", "type": "AWS::DynamoDB::Table",
       "physicalId": "records"}]})");
  Answer(R"({"removed": "shop", "retained": []})");
  EXPECT_EQ(Run({"down", "scheduler", "--endpoint=http://127.0.0.1:9"}), 0);
  EXPECT_EQ(Run({"down", "shop"}), 0);
  EXPECT_EQ(terminal_.printed,
            "removed the stack byoshin\n"
            "Its template retains these. If it is deployed again, they are "
            "part of it, with their data:\n"
            "RESOURCE  TYPE                  NAME\n"
            "Records   AWS::DynamoDB::Table  records\n"
            "removed the stack shop\n");
  EXPECT_EQ(Url(0), "http://127.0.0.1:9/_byoshin/api/remove-stack");
  EXPECT_EQ(http_.requests()[0].body, R"({"stack":"byoshin"})");
  EXPECT_EQ(http_.requests()[1].body, R"({"stack":"shop"})");
}

TEST_F(CommandsTest, DownRemovesNothingFromAFolderThatIsNotThere) {
  const std::string folder = testing::TempDir() + "/not-there";
  EXPECT_EQ(Run({"down", "shop", absl::StrCat("--data=", folder)}), 1);
  EXPECT_EQ(terminal_.noted,
            absl::StrCat("byoshin down: there is no stack \"shop\": ", folder,
                         " does not exist\n"));
  terminal_.noted.clear();
  EXPECT_EQ(Run({"down", "shop", "--data=x", "--endpoint=http://x"}), 2);
  EXPECT_EQ(terminal_.noted,
            "byoshin down: --data is for a cloud that does not run, --endpoint "
            "for one that does; leave one of them out\n");
}

TEST_F(CommandsTest, RefuseADataFolderWithoutANameOrBesideMemory) {
  for (const char* command : {"up", "simulate"}) {
    terminal_.noted.clear();
    EXPECT_EQ(Run({command, "--data="}), 2);
    EXPECT_EQ(terminal_.noted, absl::StrCat("byoshin ", command,
                                            ": --data requires a directory\n"));
  }
  terminal_.noted.clear();
  EXPECT_EQ(Run({"up", "--in-memory", "--data=x"}), 2);
  EXPECT_EQ(terminal_.noted,
            "byoshin up: --data and --in-memory contradict each other; leave "
            "one of them out\n");
}

TEST_F(CommandsTest, SayWhatIsWrongWithATemplateBeforeAnythingIsStarted) {
  const std::string path = testing::TempDir() + "/bad.template.json";
  for (const char* text : {"[]", "5", "\"x\"", "{}", R"({"Resources": []})"}) {
    std::ofstream(path) << text;
    for (const char* command : {"up", "simulate"}) {
      terminal_.noted.clear();
      EXPECT_NE(Run({command, absl::StrCat("--template=", path)}), 0) << text;
      EXPECT_NE(terminal_.noted, "") << text;
    }
  }
}

}  // namespace
}  // namespace byoshin::local::cli
