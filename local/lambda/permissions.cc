#include "local/lambda/permissions.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "local/gateway/permission.h"
#include "local/gateway/rest.h"

namespace byoshin::local::lambda {
namespace {

// The action of a path below /…/functions/NAME/.
std::string LambdaAction(absl::string_view last_part) {
  constexpr std::pair<absl::string_view, absl::string_view> kActions[] = {
      {"invocations", "InvokeFunction"},
      {"configuration", "GetFunctionConfiguration"},
      {"policy", "GetPolicy"},
      {"concurrency", "GetFunctionConcurrency"},
      {"event-invoke-config", "GetFunctionEventInvokeConfig"}};
  for (const auto& [part, action] : kActions) {
    if (part == last_part) return absl::StrCat("lambda:", action);
  }
  return "lambda:GetFunction";
}

// The ARN of a function by what a path calls it: a name, an ARN, or the end of
// an ARN from the account on. SDKs encode the colons.
std::string FunctionArn(const Call& call, absl::string_view path_part) {
  const std::string name = PercentDecoded(path_part);
  if (absl::StartsWith(name, "arn:")) return name;
  const std::size_t function = name.find("function:");
  return ArnFor(call, "lambda",
                function == std::string::npos ? absl::StrCat("function:", name)
                                              : name.substr(function));
}

}  // namespace

NeededPermission PermissionFor(const Call& call) {
  const std::vector<std::string> parts =
      absl::StrSplit(call.path, '/', absl::SkipEmpty());
  const bool mappings = parts.size() > 1 && parts[1] == "event-source-mappings";
  if (mappings && parts.size() > 2) {
    return {
        .action = "lambda:GetEventSourceMapping",
        .resource = ArnFor(call, "lambda",
                           absl::StrCat("event-source-mapping:", parts[2]))};
  }
  if (parts.size() < 3 || parts[1] != "functions") {
    return {.action = mappings ? "lambda:ListEventSourceMappings"
                               : "lambda:ListFunctions",
            .resource = "*"};
  }
  return {.action = LambdaAction(parts.size() > 3 ? parts.back() : ""),
          .resource = FunctionArn(call, parts[2])};
}

}  // namespace byoshin::local::lambda
