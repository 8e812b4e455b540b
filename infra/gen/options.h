// The command line of //infra/gen:template.
#ifndef BYOSHIN_INFRA_GEN_OPTIONS_H_
#define BYOSHIN_INFRA_GEN_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "infra/cloudformation/check.h"
#include "infra/gen/stack.h"

namespace byoshin::infra {

struct Options {
  Stack stack;
  cloudformation::Format format = cloudformation::Format::kJson;
  std::string out{};  // empty for standard output
  bool help = false;
};

// InvalidArgument, with the argument and the allowed values, if one is unknown
// or has an invalid value. `stacks` must not be empty.
absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments,
                                     const std::vector<Stack>& stacks);

std::string Usage(const std::vector<Stack>& stacks);

}  // namespace byoshin::infra

#endif  // BYOSHIN_INFRA_GEN_OPTIONS_H_
