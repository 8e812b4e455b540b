#include "local/cli/format.h"

#include <gtest/gtest.h>
#include <json/json.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cli/escape.h"
#include "local/cli/terminal.h"
#include "local/cli/testing_terminal.h"

namespace byoshin::local::cli {
namespace {

TEST(CsvField, QuotesWhatNeedsIt) {
  EXPECT_EQ(CsvField("plain"), "plain");
  EXPECT_EQ(CsvField("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
}

// What is painted stands between < and >.
class PaintingTerminal final : public Terminal {
 public:
  bool Print(absl::string_view) override { return true; }
  void Note(absl::string_view) override {}
  bool is_interactive() const override { return true; }
  bool notes_are_interactive() const override { return true; }
  int columns() const override { return 80; }
  std::string Paint(Colour colour, absl::string_view text) const override {
    return absl::StrCat(colour == Colour::kRed      ? "<red "
                        : colour == Colour::kYellow ? "<yellow "
                                                    : "<",
                        text, ">");
  }
};

std::string LogLine(const std::string& text, const Terminal& terminal) {
  Json::Value line;
  line["t"] = Json::Int64{1764671000017};
  line["function"] = "Collector";
  line["text"] = text;
  return FormatLogLine(line, terminal);
}

TEST(FormatLogLine, LetsNoControlCharacterThrough) {
  const TestingTerminal plain;
  EXPECT_EQ(LogLine("a\x1b[31mb\r\n\tc\xC2\x9B"
                    "d\xFF 秒",
                    plain),
            "2025-12-02T10:23:20.017Z  Collector  "
            "a\\x1b[31mb\\r\\n\tc\\xc2\\x9bd\\xff 秒\n");
  EXPECT_EQ(LogLine(R"({"message":"\u001b[2J","\u0007":"\u0007"})", plain),
            "2025-12-02T10:23:20.017Z  Collector  \\x1b[2J  \\x07=\\x07\n");
}

TEST(FormatLogLine, ShowsWhatAJsonLineSays) {
  const TestingTerminal plain;
  EXPECT_EQ(
      LogLine(R"({"timestamp":"2025-12-02T10:23:20.017Z","level":"INFO",)"
              R"("requestId":"r","message":"count stored","count":3,"a":null})",
              plain),
      "2025-12-02T10:23:20.017Z  Collector  INFO   count stored  a=  "
      "count=3\n");
  EXPECT_EQ(LogLine(R"({"time":"t","type":"platform.report",)"
                    R"("record":{"status":"success"}})",
                    plain),
            "2025-12-02T10:23:20.017Z  Collector  platform.report  "
            "record={\"status\":\"success\"}\n");
  EXPECT_EQ(LogLine(R"({"_aws":{"Timestamp":1},"SlotsStored":1})", plain),
            "2025-12-02T10:23:20.017Z  Collector  SlotsStored=1\n");
  EXPECT_EQ(LogLine("[1]", plain),
            "2025-12-02T10:23:20.017Z  Collector  [1]\n");
}

TEST(FormatLogLine, PaintsWhatIsBad) {
  const PaintingTerminal terminal;
  EXPECT_EQ(LogLine(R"({"level":"ERROR","message":"m"})", terminal),
            "<2025-12-02T10:23:20.017Z>  Collector  <red ERROR>  m\n");
  EXPECT_EQ(LogLine(R"({"level":"WARN","message":"m"})", terminal),
            "<2025-12-02T10:23:20.017Z>  Collector  <yellow WARN >  m\n");
}

TEST(FormatStatus, SaysWhichStackARowIsOfIfThereAreSeveral) {
  const Json::Value status = *json::ParseValue(R"({
    "now": 1764671000000, "deadLetters": 0,
    "stacks": [{"name": "blog"}, {"name": "shop"}],
    "queues": [{"stack": "blog", "name": "jobs", "visible": 1},
               {"stack": "shop", "name": "jobs", "visible": 2}],
    "functions": [{"stack": "shop", "name": "f", "invocations": 7}],
    "apis": [{"stack": "blog", "name": "Posts", "url": "http://x"}]})");
  const std::string text = FormatStatus(status, "", {});
  for (const char* row : {"STACK  QUEUE  VISIBLE", "blog   jobs         1",
                          "shop   jobs         2", "shop   f             7",
                          "blog   Posts     http://x"}) {
    EXPECT_TRUE(absl::StrContains(text, row)) << row << "\n" << text;
  }
}

TEST(FormatStatus, ShowsWhatThereIsAndADashForTheRest) {
  const Json::Value status = *json::ParseValue(R"({
    "now": 1764671000000,
    "deadLetters": 1,
    "queues": [{"name": "jobs", "visible": 1, "delayed": 2, "inFlight": 3,
                "retries": 4, "oldest": null, "deadLetterQueue": null}],
    "functions": [{"name": "f", "invocations": 7, "errors": 1, "timeouts": 0,
                   "partialFailures": 3,
                   "throttles": 0, "coldStarts": 1, "environments": 3,
                   "durationMs": {"p50": 1.25, "p99": 10}, "initMs": null},
                  {"name": "g", "invocations": 0, "durationMs": null}],
    "apis": [{"name": "Orders", "url": "http://127.0.0.1:4566/x"}]})");
  EXPECT_EQ(
      FormatStatus(status, "orders        5\n", {}),
      "time          2025-12-02T10:23:20Z\n"
      "orders        5\n"
      "dead letters  1 (`byoshin queues --dead-letters` shows them)\n"
      "\n"
      "QUEUE  VISIBLE  DELAYED  IN FLIGHT  RETRIES  OLDEST  DEAD LETTERS TO\n"
      "jobs         1        2          3        4       -                -\n"
      "\n"
      "FUNCTION  CALLS  ERRORS  TIMEOUTS  THROTTLED  COLD  WARM     P50    "
      "P99\n"
      "f             7       4         0          0     1     3  1.3 ms  10 "
      "ms\n"
      "g             0       -         -          -     -     -       -      "
      "-\n"
      "\n"
      "REST API  ADDRESS\n"
      "Orders    http://127.0.0.1:4566/x\n");
}

TEST(EscapeForTerminal, LetsNothingThroughThatDrivesATerminal) {
  constexpr absl::string_view kSeal = "\x01seal";
  EXPECT_EQ(EscapeForTerminal("a\tb\nc\r\nd \xC3\xA9\n", kSeal),
            "a\tb\nc\r\nd \xC3\xA9\n");
  EXPECT_EQ(EscapeForTerminal(absl::StrCat("\r[##] ", kSeal, "\x1b[31mred",
                                           kSeal, "\x1b[0m\n"),
                              kSeal),
            "\r[##] \x1b[31mred\x1b[0m\n");
  EXPECT_EQ(EscapeForTerminal("\x1b]0;title\x07 \x1b[31m x\ry\b", kSeal),
            "\\x1b]0;title\\x07 \\x1b[31m x\\ry\\x08");
  // A control character in two bytes, and bytes that are no UTF-8.
  EXPECT_EQ(EscapeForTerminal("\xC2\x9B"
                              "2J\xFF\x7F",
                              kSeal),
            "\\xc2\\x9b2J\\xff\\x7f");
  EXPECT_EQ(EscapeForTerminal("", kSeal), "");
  EXPECT_EQ(EscapeForTerminal(kSeal, kSeal), "\\x01seal");
}

// What reaches the other end of a pipe.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe(ends_), 0); }
  ~Pipe() { close(ends_[0]); }
  int input() const { return ends_[1]; }
  std::string Read() {
    close(ends_[1]);
    std::string text(1000, '\0');
    text.resize(read(ends_[0], text.data(), text.size()));
    return text;
  }

 private:
  int ends_[2];
};

TEST(NewTerminal, EscapesWhatAPersonReadsAndNothingElse) {
  using Reader = TerminalFiles::Reader;
  const std::string text = "\x1b[31m\x1b[2Jhello\n";
  for (const Reader reader : {Reader::kPerson, Reader::kProgram}) {
    Pipe output, error;
    const std::unique_ptr<Terminal> terminal =
        NewTerminal({.output = output.input(),
                     .error = error.input(),
                     .output_reader = reader,
                     .error_reader = reader,
                     .colours = reader == Reader::kPerson});
    terminal->Print(text);
    terminal->Print(terminal->Paint(Colour::kRed, "x"));
    terminal->Note(text);
    const bool person = reader == Reader::kPerson;
    const std::string shown = person ? "\\x1b[31m\\x1b[2Jhello\n" : text;
    EXPECT_EQ(output.Read(), shown + (person ? "\x1b[31mx\x1b[0m" : "x"));
    EXPECT_EQ(error.Read(), shown);
  }
}

TEST(FormatStatus, FitsAnEightyColumnTerminalAndIsWholeInAPipe) {
  const Json::Value status = *json::ParseValue(R"({
    "now": 1764671000000,
    "deadLetters": 0,
    "queues": [{"name": "byoshin-SlotQueue-1ABCDEFGHIJK", "visible": 12345,
                "delayed": 12, "inFlight": 180, "retries": 12345,
                "oldest": 1764669000000,
                "deadLetterQueue": "byoshin-SlotDeadLetterQueue-2ABCDEFGHIJK"}],
    "functions": [{"name": "byoshin-CollectorFunction-3ABCDEFGHIJK",
                   "invocations": 172800, "errors": 100, "timeouts": 10,
                   "throttles": 0, "coldStarts": 12, "environments": 3,
                   "durationMs": {"p50": 1.25, "p99": 12345}, "initMs": null}],
    "apis": [{"name": "AI Employee Mock API",
              "url": "http://127.0.0.1:4566/restapis/thoaenqs2r0r/prod/_user_request_"}]})");
  EXPECT_EQ(
      FormatStatus(status, "", {.columns = 80, .ellipsis = "…"}),
      "time          2025-12-02T10:23:20Z\n"
      "dead letters  0\n"
      "\n"
      "QUEUE      VISIBLE  DELAYED  IN FLIGHT  RETRIES  OLDEST  DEAD LETTERS "
      "TO\n"
      "SlotQueue    12345       12        180    12345  33 min  "
      "SlotDeadLetterQueue\n"
      "\n"
      "FUNCTION          CALLS  ERRORS  TIMEOUTS  THROTTLED  COLD  WARM     "
      "P50     P99\n"
      "Collect…unction  172800     100        10          0    12     3  1.3 "
      "ms  12.3 s\n"
      "\n"
      "REST API         ADDRESS\n"
      "AI Empl…ock API  "
      "http://127.0.0.1:4566/restapis/thoaenqs2r0r/prod/_user_request_\n");
  const std::string whole = FormatStatus(status, "orders        5\n", {});
  for (const char* name :
       {"byoshin-SlotDeadLetterQueue-2ABCDEFGHIJK",
        "byoshin-CollectorFunction-3ABCDEFGHIJK", "AI Employee Mock API"}) {
    EXPECT_TRUE(absl::StrContains(whole, name)) << whole;
  }
}

}  // namespace
}  // namespace byoshin::local::cli
