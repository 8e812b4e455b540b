#include "local/cli/command.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/sync/thread.h"
#include "local/cli/arguments.h"
#include "local/cli/terminal.h"
#include "local/version.h"

namespace byoshin::local::cli {
namespace {

constexpr int kSuccess = 0;
constexpr int kFailure = 1;
constexpr int kMisunderstood = 2;

bool IsHelp(absl::string_view word) { return word == "--help" || word == "-h"; }

bool IsVersion(absl::string_view word) {
  return word == "--version" || word == "version";
}

std::string Overview(const std::vector<Command>& commands) {
  std::size_t width = 0;
  for (const Command& command : commands) {
    width = std::max(width, command.spec.name.size());
  }
  std::string help =
      "byoshin: the local cloud, and what it collects\n"
      "\n"
      "Usage: byoshin COMMAND [FLAGS]\n"
      "\n";
  for (const Command& command : commands) {
    const std::string space(width - command.spec.name.size() + 2, ' ');
    absl::StrAppend(&help, "  ", command.spec.name, space, command.spec.summary,
                    "\n");
  }
  absl::StrAppend(&help,
                  "\n`byoshin COMMAND --help` explains a command, `byoshin "
                  "--version` prints the version.\n");
  return help;
}

const Command* Find(const std::vector<Command>& commands,
                    absl::string_view name) {
  for (const Command& command : commands) {
    if (command.spec.name == name) return &command;
  }
  return nullptr;
}

int Misunderstood(Terminal& terminal, absl::string_view what) {
  terminal.Note(absl::StrCat("byoshin: ", what, "\n"));
  return kMisunderstood;
}

int UnknownCommand(const std::vector<Command>& commands, Terminal& terminal,
                   absl::string_view name) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.spec.name);
  const std::string nearest = Nearest(name, names);
  return Misunderstood(
      terminal, absl::StrCat("there is no command \"", name, "\"",
                             nearest.empty() ? "" : ", perhaps ", nearest,
                             nearest.empty() ? "" : " was meant",
                             "; `byoshin --help` lists them"));
}

// An unexpected exception of a library is reported like any other error.
absl::Status RunGuarded(const Command& command, const Arguments& arguments,
                        CommandContext& context) {
  try {
    return command.run(arguments, context);
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) {
      return sync::NoThreadError();
    }
    return absl::InternalError(
        absl::StrCat("unexpected error: ", error.what()));
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        "out of memory: raise the limit of address space (ulimit -v) or that "
        "of the container");
  } catch (const std::exception& unexpected) {
    return absl::InternalError(
        absl::StrCat("unexpected error: ", unexpected.what()));
  }
}

}  // namespace

int RunCommand(const std::vector<Command>& commands,
               const std::vector<std::string>& words, CommandContext& context) {
  Terminal& terminal = context.terminal;
  const bool help_word = !words.empty() && words[0] == "help";
  if (words.empty() || IsHelp(words[0]) || (help_word && words.size() == 1)) {
    terminal.Print(Overview(commands));
    return words.empty() ? kMisunderstood : kSuccess;
  }
  if (IsVersion(words[0])) {
    terminal.Print(absl::StrCat("byoshin ", kVersion, "\n"));
    return kSuccess;
  }
  const std::string& name = help_word ? words[1] : words[0];
  const Command* command = Find(commands, name);
  if (command == nullptr) return UnknownCommand(commands, terminal, name);
  if (help_word || std::any_of(words.begin() + 1, words.end(), IsHelp)) {
    terminal.Print(CommandHelp(command->spec));
    return kSuccess;
  }
  const absl::StatusOr<Arguments> arguments = ParseArguments(
      command->spec, std::vector<std::string>(words.begin() + 1, words.end()));
  if (!arguments.ok()) {
    return Misunderstood(terminal, arguments.status().message());
  }
  const absl::Status status = RunGuarded(*command, *arguments, context);
  if (status.ok()) return kSuccess;
  // `byoshin records | head` is nothing to complain about.
  if (absl::IsCancelled(status)) return kFailure;
  terminal.Note(absl::StrCat("byoshin ", name, ": ", status.message(), "\n"));
  return absl::IsInvalidArgument(status) ? kMisunderstood : kFailure;
}

}  // namespace byoshin::local::cli
