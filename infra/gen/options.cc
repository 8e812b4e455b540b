#include "infra/gen/options.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/flags/arguments.h"
#include "infra/cloudformation/check.h"
#include "infra/gen/stack.h"

namespace byoshin::infra {
namespace {

constexpr char kFormatFlag[] = "format";
constexpr char kHelpFlag[] = "help";
constexpr char kOutFlag[] = "out";
constexpr char kStackFlag[] = "stack";

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

flags::CommandSpec Spec() {
  return {.flags = {{.name = kFormatFlag, .value = "json|yaml"},
                    {.name = kOutFlag, .value = "FILE"},
                    {.name = kStackFlag, .value = "NAME"},
                    {.name = kHelpFlag}},
          .program = ""};
}

}  // namespace

absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments,
                                     const std::vector<Stack>& stacks) {
  const absl::StatusOr<flags::Arguments> given =
      flags::ParseArguments(Spec(), arguments);
  if (!given.ok()) return given.status();
  Options options{.stack = stacks.front(), .help = given->Has(kHelpFlag)};
  absl::Status status;
  if (given->Has(kStackFlag)) {
    status.Update(ReadStack(given->Get(kStackFlag), stacks, options));
  }
  if (given->Has(kFormatFlag)) {
    status.Update(ReadFormat(given->Get(kFormatFlag), options));
  }
  options.out = given->Get(kOutFlag);
  if (given->Has(kOutFlag) && options.out.empty()) {
    status.Update(absl::InvalidArgumentError("--out needs the name of a file"));
  }
  if (!status.ok()) return status;
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
