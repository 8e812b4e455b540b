// Prints a CloudFormation template.
//
//   ./bazelw run //infra/gen:template
//   ./bazelw run //infra/gen:template -- --format=yaml --out=stack.yaml
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "core/env/working_directory.h"
#include "infra/cloudformation/check.h"
#include "infra/gen/options.h"
#include "infra/gen/stacks.h"

namespace byoshin::infra {
namespace {

// The exit status for invalid arguments.
constexpr int kUsageError = 2;

absl::Status WriteFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file.good()) return absl::OkStatus();
  return absl::UnavailableError("can't write to " + path);
}

absl::Status Run(const Options& options) {
  const absl::StatusOr<std::string> text =
      cloudformation::WriteTemplate(options.stack.build(), options.format);
  if (!text.ok()) return text.status();
  if (options.out.empty()) {
    std::cout << *text << std::flush;
    if (std::cout.good()) return absl::OkStatus();
    return absl::UnavailableError("can't write to standard output");
  }
  return WriteFile(env::FromWorkingDirectory(options.out, env::OfProcess()),
                   *text);
}

int Main(const std::vector<std::string>& arguments) {
  const std::vector<Stack> stacks = AllStacks();
  const absl::StatusOr<Options> options = ParseOptions(arguments, stacks);
  if (!options.ok()) {
    std::cerr << "template: " << options.status().message() << "\n";
    return kUsageError;
  }
  if (options->help) {
    std::cout << Usage(stacks);
    return EXIT_SUCCESS;
  }
  if (const absl::Status status = Run(*options); !status.ok()) {
    std::cerr << "template: " << status.message() << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace byoshin::infra

int main(int argc, char** argv) {
  return byoshin::infra::Main({argv + 1, argv + argc});
}
