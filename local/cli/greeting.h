// The text that `up` prints when it begins: where everything is.
#ifndef BYOSHIN_LOCAL_CLI_GREETING_H_
#define BYOSHIN_LOCAL_CLI_GREETING_H_

#include <json/json.h>

#include <set>
#include <string>
#include <vector>

namespace byoshin::local::cli {

struct GreetingParts {
  // The address of the cloud.
  std::string url{};
  // The data folder; empty if data is kept in memory.
  std::string data{};
  // The stacks that this run has deployed.
  std::set<std::string> deployed{};
  // What applications say, and the stacks that they speak of.
  std::vector<std::string> applications{};
  std::set<std::string> spoken_of{};
  // All stacks: the answer to `stacks` in local/dashboard/api.md.
  Json::Value stacks{};
};

std::string GreetingText(const GreetingParts& parts);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_GREETING_H_
