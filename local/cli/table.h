// Text in columns.
//
//   FormatTable({"QUEUE", "WAITING"}, {{"jobs", "12"}}, {});
#ifndef BYOSHIN_LOCAL_CLI_TABLE_H_
#define BYOSHIN_LOCAL_CLI_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/env/environment.h"
#include "local/cli/terminal.h"

namespace byoshin::local::cli {

// The medium that a table is printed on.
struct Paper {
  // Characters in a line; 0 if there is no limit.
  std::size_t columns = 0;
  // Replaces what was cut out.
  std::string ellipsis = "...";
};

// As wide as the terminal if a person reads it; without limit in a pipe.
Paper PaperOf(const Terminal& terminal, const env::Environment& environment);

// Columns as wide as they need to be, two spaces apart; numbers to the right.
// If that is too wide, the columns of `names` are shortened: first generated
// names to what ShortName() says, then the longest in their middle.
std::string FormatTable(const std::vector<std::string>& header,
                        std::vector<std::vector<std::string>> rows,
                        const Paper& paper,
                        const std::vector<std::size_t>& names = {});

// "Collector" of "stack-Collector-1ABCDEFGHIJK", which is how CloudFormation
// names what a template leaves unnamed; any other name as it is.
std::string ShortName(absl::string_view name);

// `text`, its end replaced by `ellipsis` if it has more than `bytes` bytes.
// Cuts between characters, if it is UTF-8.
std::string CutEnd(absl::string_view text, std::size_t bytes,
                   absl::string_view ellipsis);

// `text`, its middle replaced by `ellipsis` if it has more than `width`
// characters.
std::string CutMiddle(absl::string_view text, std::size_t width,
                      absl::string_view ellipsis);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_TABLE_H_
