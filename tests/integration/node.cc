#include "tests/integration/node.h"

#include <filesystem>

#include "tests/integration/node_paths.h"

namespace byoshin::integration {

// Tests, and programs under `bazel run`, start in the folder that the paths are
// relative to.
std::string NodePath() { return std::filesystem::absolute(kNode).string(); }

std::map<std::string, std::string> NodeEnvironment() {
  return {{"NODE_PATH", std::filesystem::absolute(kNodeModules).string()}};
}

}  // namespace byoshin::integration
