// Node.js and the npm packages that tests use, as fetched by Bazel.
//
//   Process::Start({.argv = {NodePath(), script},
//                   .environment = NodeEnvironment()});
#ifndef BYOSHIN_TESTS_INTEGRATION_NODE_H_
#define BYOSHIN_TESTS_INTEGRATION_NODE_H_

#include <map>
#include <string>

namespace byoshin::integration {

// The executable.
std::string NodePath();

// With it, scripts find the packages.
std::map<std::string, std::string> NodeEnvironment();

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_NODE_H_
