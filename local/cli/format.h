// What the cloud answers, as text for a terminal.
#ifndef BYOSHIN_LOCAL_CLI_FORMAT_H_
#define BYOSHIN_LOCAL_CLI_FORMAT_H_

#include <json/forwards.h>

#include <string>

#include "absl/strings/string_view.h"
#include "local/cli/table.h"
#include "local/cli/terminal.h"

namespace byoshin::local::cli {

// A field of a CSV line (RFC 4180), in quotes where it needs them.
std::string CsvField(absl::string_view text);

// "2026-01-31T09:00:05Z" from milliseconds; "-" for null.
std::string FormatMillis(const Json::Value& millis);
// "-" for null.
std::string FormatCount(const Json::Value& count);

// Answers of the cloud's API, by name: see local/dashboard/api.md.
// `of_applications` are lines that applications add.
std::string FormatStatus(const Json::Value& status,
                         const std::string& of_applications,
                         const Paper& paper);
std::string FormatQueues(const Json::Value& status, const Paper& paper);
// A log line in readable form: time, function, level, message, and the other
// members as name=value. A line that is not a JSON object is shown unchanged.
std::string FormatLogLine(const Json::Value& line, const Terminal& terminal);
// On a terminal the body is on one line; a file gets the bytes unchanged.
std::string FormatDeadLetter(const Json::Value& letter,
                             const Terminal& terminal);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_FORMAT_H_
