#include "local/cli/greeting.h"

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/json/value.h"
#include "local/cli/cloud_client.h"

namespace byoshin::local::cli {
namespace {

using json::TextMember;

// "Stacks: shop; from earlier runs: byoshin (…)\n"
std::string StacksLine(const GreetingParts& parts) {
  std::vector<std::string> deployed;
  std::vector<std::string> earlier;
  for (const Json::Value& stack : parts.stacks) {
    const std::string name = TextMember(stack, "name");
    (parts.deployed.contains(name) ? deployed : earlier).push_back(name);
  }
  std::string line = absl::StrCat("Stacks: ", absl::StrJoin(deployed, ", "));
  if (!earlier.empty()) {
    absl::StrAppend(&line,
                    "; from earlier runs: ", absl::StrJoin(earlier, ", "),
                    " (byoshin down STACK removes one)");
  }
  return absl::StrCat(line, "\n");
}

// The addresses of APIs that no application speaks of.
std::string ApiLines(const GreetingParts& parts) {
  std::string lines;
  for (const Json::Value& stack : parts.stacks) {
    if (parts.spoken_of.contains(TextMember(stack, "name"))) continue;
    for (const Json::Value& api : stack["restApis"]) {
      absl::StrAppend(&lines, "REST API ", TextMember(api, "name"), ": ",
                      TextMember(api, "url"), "\n");
    }
    for (const Json::Value& api : stack["graphqlApis"]) {
      absl::StrAppend(&lines, "GraphQL API ", TextMember(api, "name"), ": ",
                      TextMember(api, "url"), "\n");
      for (const Json::Value& key : api["keys"]) {
        absl::StrAppend(&lines, "  key ", key.asString(), "\n");
      }
    }
  }
  return lines;
}

}  // namespace

std::string GreetingText(const GreetingParts& parts) {
  std::string greeting = absl::StrCat("Dashboard: ", parts.url, "/\n",
                                      StacksLine(parts), ApiLines(parts));
  for (const std::string& text : parts.applications) {
    const bool whole_lines = absl::EndsWith(text, "\n");
    if (whole_lines && !absl::EndsWith(greeting, "\n")) {
      absl::StripTrailingAsciiWhitespace(&greeting);
      greeting += "\n";
    }
    absl::StrAppend(&greeting, text, whole_lines ? "" : " ");
  }
  absl::StrAppend(&greeting, "Data is kept in ",
                  parts.data.empty() ? "memory" : parts.data,
                  ". Ctrl-C stops.\n");
  if (parts.url != kDefaultEndpoint) {
    absl::StrAppend(&greeting, "Other commands need --endpoint=", parts.url,
                    ".\n");
  }
  return greeting;
}

}  // namespace byoshin::local::cli
