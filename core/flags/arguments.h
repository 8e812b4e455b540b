// Parses command lines: a command, its flags, its words, and its help.
//
//   const CommandSpec kRecords = {
//       .name = "records",
//       .summary = "print what was collected",
//       .flags = {{.name = "since", .value = "TIME",
//                  .help = "from this time on", .default_value = "1h"}}};
//   absl::StatusOr<Arguments> arguments = ParseArguments(kRecords, words);
//   arguments->Get("since");
#ifndef BYOSHIN_CORE_FLAGS_ARGUMENTS_H_
#define BYOSHIN_CORE_FLAGS_ARGUMENTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::flags {

struct FlagSpec {
  std::string name{};
  // The name of its value in the help: "TIME". Empty for a flag without a
  // value.
  std::string value{};
  std::string help{};
  std::string default_value{};
  // "-f" for "--follow"; 0 if there is none.
  char letter = 0;
  // May be given several times.
  bool repeated = false;
};

struct WordSpec {
  std::string name{};  // "FUNCTION"
  std::string help{};
  bool required = true;
};

struct CommandSpec {
  std::string name{};
  std::string summary{};
  // After the list of flags: examples, formats.
  std::string details{};
  std::vector<WordSpec> words{};
  std::vector<FlagSpec> flags{};
  // The program's name on the command line. Empty for a program that is started
  // by Bazel: errors then say "see --help".
  std::string program = "byoshin";
};

// The parsed command line, including defaults.
class Arguments {
 public:
  bool Has(absl::string_view flag) const;
  // The value given last, or the default.
  std::string Get(absl::string_view flag) const;
  std::vector<std::string> All(absl::string_view flag) const;
  // The word at `index`; empty if it was left out.
  std::string Word(std::size_t index) const;

 private:
  friend absl::StatusOr<Arguments> ParseArguments(
      const CommandSpec& spec, const std::vector<std::string>& words);

  std::map<std::string, std::vector<std::string>> given_;
  std::map<std::string, std::string> defaults_;
  std::vector<std::string> words_;
};

// Flags are --name=value, --name value, --name or -n, anywhere among the words;
// after "--" come words only. InvalidArgument says what is wrong, with a
// suggestion.
absl::StatusOr<Arguments> ParseArguments(const CommandSpec& spec,
                                         const std::vector<std::string>& words);

// Parses every value of `flag` and appends the results to `out`. Stops at the
// first that can't be parsed.
template <typename T, typename Parse>
absl::Status ReadAll(const Arguments& arguments, absl::string_view flag,
                     Parse parse, std::vector<T>& out) {
  for (const std::string& text : arguments.All(flag)) {
    absl::StatusOr<T> parsed = parse(text);
    if (!parsed.ok()) return parsed.status();
    out.push_back(*std::move(parsed));
  }
  return absl::OkStatus();
}

// The output of --help.
std::string CommandHelp(const CommandSpec& spec);

// The word of `choices` that is most similar to `text`; empty if none is.
std::string Nearest(absl::string_view text,
                    const std::vector<std::string>& choices);

// Ten years: a longer duration is probably a typing error.
inline constexpr absl::Duration kLongestSpan = absl::Hours(10 * 365 * 24);

// "90s", "5m", "24h", "7d", also joined: "1h30m". InvalidArgument, naming
// `flag`, for anything else, including durations that are not positive or
// longer than kLongestSpan.
absl::StatusOr<absl::Duration> ParseSpan(absl::string_view flag,
                                         absl::string_view text);

// A span of whole minutes.
absl::StatusOr<absl::Duration> ParseMinutes(absl::string_view flag,
                                            absl::string_view text);

// An instant in ISO 8601 from 1970 on, "now", or a span before `now`.
absl::StatusOr<absl::Time> ParseWhen(absl::string_view flag,
                                     absl::string_view text, absl::Time now);

// From 0, which stands for any free one, to 65535.
absl::StatusOr<std::uint16_t> ParsePort(absl::string_view flag,
                                        absl::string_view text);

// A whole number from `least` to `most`.
absl::StatusOr<std::int64_t> ParseCount(absl::string_view flag,
                                        absl::string_view text,
                                        std::int64_t least, std::int64_t most);

}  // namespace byoshin::flags

#endif  // BYOSHIN_CORE_FLAGS_ARGUMENTS_H_
