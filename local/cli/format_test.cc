#include "local/cli/format.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cli/terminal.h"
#include "local/cli/testing_terminal.h"

namespace byoshin::local::cli {
namespace {

TEST(FormatTable, AlignsTextLeftAndNumbersRight) {
  EXPECT_EQ(FormatTable({"NAME", "N"}, {{"a", "1"}, {"longer", "100"}}),
            "NAME      N\n"
            "a         1\n"
            "longer  100\n");
  EXPECT_EQ(FormatTable({"名", "X"}, {{"秒針", "a"}, {"b", "c"}}),
            "名   X\n"
            "秒針  a\n"
            "b   c\n");
  EXPECT_EQ(FormatTable({"A", "B"}, {}), "A  B\n");
}

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

TEST(FormatStatus, ShowsWhatThereIsAndADashForTheRest) {
  const Json::Value status = *json::ParseValue(R"({
    "now": 1764671000000,
    "records": {"total": 2, "first": 1764670995000, "last": null},
    "deadLetters": 1,
    "queues": [{"name": "jobs", "visible": 1, "delayed": 2, "inFlight": 3,
                "retries": 4, "oldest": null, "deadLetterQueue": null}],
    "functions": [{"name": "f", "invocations": 7, "errors": 0, "timeouts": 0,
                   "throttles": 0, "coldStarts": 1, "running": 1, "idle": 2,
                   "durationMs": {"p50": 1.25, "p99": 10}, "initMs": null},
                  {"name": "g", "invocations": 0, "durationMs": null}],
    "apis": [{"name": "Orders", "url": "http://127.0.0.1:4566/x"}]})");
  EXPECT_EQ(
      FormatStatus(status),
      "time          2025-12-02T10:23:20Z\n"
      "records       2, 2025-12-02T10:23:15Z to -\n"
      "dead letters  1 (`byoshin queues --dead-letters` shows them)\n"
      "\n"
      "QUEUE  VISIBLE  DELAYED  IN FLIGHT  RETRIES  OLDEST  DEAD LETTERS GO "
      "TO\n"
      "jobs         1        2          3        4       -                  "
      " -\n"
      "\n"
      "FUNCTION  INVOKED  ERRORS  TIME-OUTS  THROTTLED  COLD  WARM NOW     P50"
      "      P99\n"
      "f               7       0          0          0     1         3  1.2 ms"
      "  10.0 ms\n"
      "g               0       -          -          -     -         -       -"
      "        -\n"
      "\n"
      "REST API  ADDRESS\n"
      "Orders    http://127.0.0.1:4566/x\n");
}

}  // namespace
}  // namespace byoshin::local::cli
