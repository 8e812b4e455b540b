#include "local/cli/format.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <string>

#include "core/json/value.h"

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

TEST(FormatLogLine, LetsNoControlCharacterThrough) {
  Json::Value line;
  line["t"] = Json::Int64{1764671000000};
  line["function"] = "Collector";
  line["text"] =
      "a\x1b[31mb\r\n\tc\xC2\x9B"
      "d\xFF 秒";
  EXPECT_EQ(FormatLogLine(line),
            "2025-12-02T10:23:20Z  Collector  "
            "a\\x1b[31mb\\r\\n\tc\\xc2\\x9bd\\xff 秒\n");
}

TEST(FormatStatus, ShowsWhatThereIsAndADashForTheRest) {
  const Json::Value status = *json::ParseValue(R"({
    "now": 1764671000000,
    "records": {"total": 2, "first": 1764670995000, "last": null},
    "deadLetters": 1,
    "queues": [{"name": "jobs", "visible": 1, "delayed": 2, "inFlight": 3,
                "retries": 4, "oldest": null, "deadLetterQueue": null}],
    "functions": [{"name": "f", "invocations": 7, "errors": 0, "timeouts": 0,
                   "throttles": 0, "coldStarts": 1, "running": 0,
                   "durationMs": {"p50": 1.25, "p99": 10}, "initMs": null},
                  {"name": "g", "invocations": 0, "durationMs": null}]})");
  EXPECT_EQ(
      FormatStatus(status),
      "time          2025-12-02T10:23:20Z\n"
      "records       2, 2025-12-02T10:23:15Z to -\n"
      "dead letters  1\n"
      "\n"
      "QUEUE  VISIBLE  DELAYED  IN FLIGHT  RETRIES  OLDEST  DEAD LETTERS GO "
      "TO\n"
      "jobs         1        2          3        4       -                  "
      " -\n"
      "\n"
      "FUNCTION  INVOKED  ERRORS  TIME-OUTS  THROTTLED  COLD  RUNNING     P50  "
      "    P99\n"
      "f               7       0          0          0     1        0  1.2 ms  "
      "10.0 ms\n"
      "g               0       -          -          -     -        -       -  "
      "      -\n");
}

}  // namespace
}  // namespace byoshin::local::cli
