#include "infra/gen/options.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "infra/cloudformation/check.h"
#include "infra/gen/stack.h"

namespace byoshin::infra {
namespace {

absl::Status ReadStack(const std::string& name,
                       const std::vector<Stack>& stacks, Options& options) {
  std::vector<std::string> names;
  for (const Stack& stack : stacks) {
    names.push_back(stack.name);
    if (stack.name != name) continue;
    options.stack = stack;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--stack: there is no stack \"", name, "\"; there is ",
                   absl::StrJoin(names, ", ")));
}

absl::Status ReadFormat(const std::string& name, Options& options) {
  if (name == "json") {
    options.format = cloudformation::Format::kJson;
  } else if (name == "yaml") {
    options.format = cloudformation::Format::kYaml;
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat("--format: \"", name, "\" is neither json nor yaml"));
  }
  return absl::OkStatus();
}

absl::Status ReadOut(const std::string& path, Options& options) {
  if (path.empty()) {
    return absl::InvalidArgumentError("--out: the name of a file is missing");
  }
  options.out = path;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments,
                                     const std::vector<Stack>& stacks) {
  Options options{.stack = stacks.front()};
  for (const std::string& argument : arguments) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(argument, absl::MaxSplits('=', 1));
    absl::Status status;
    if (argument == "--help") {
      options.help = true;
    } else if (parts.first == "--stack") {
      status = ReadStack(parts.second, stacks, options);
    } else if (parts.first == "--format") {
      status = ReadFormat(parts.second, options);
    } else if (parts.first == "--out") {
      status = ReadOut(parts.second, options);
    } else {
      status = absl::InvalidArgumentError(
          absl::StrCat("unknown argument \"", argument, "\"; see --help"));
    }
    if (!status.ok()) return status;
  }
  return options;
}

std::string Usage(const std::vector<Stack>& stacks) {
  std::string usage =
      "Prints a CloudFormation template to standard output.\n"
      "\n"
      "  --format=json|yaml  default: json\n"
      "  --out=FILE          write to FILE instead\n"
      "  --stack=NAME        which stack; default: the first of\n";
  for (const Stack& stack : stacks) {
    absl::StrAppend(&usage, "      ", stack.name, "  ", stack.description,
                    "\n");
  }
  return usage;
}

}  // namespace byoshin::infra
