#include "local/stepfunctions/execution/task_resource.h"

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace byoshin::local::stepfunctions {
namespace {

// What follows the first `count` colons; empty if there are fewer.
absl::string_view AfterColons(absl::string_view text, int count) {
  for (; count > 0; --count) {
    const size_t colon = text.find(':');
    if (colon == absl::string_view::npos) return "";
    text.remove_prefix(colon + 1);
  }
  return text;
}

// Takes the pattern off the end of the action.
TaskPattern TakePattern(absl::string_view& action) {
  if (absl::ConsumeSuffix(&action, ".waitForTaskToken")) {
    return TaskPattern::kWaitForTaskToken;
  }
  if (absl::ConsumeSuffix(&action, ".sync:2")) return TaskPattern::kSync2;
  if (absl::ConsumeSuffix(&action, ".sync")) return TaskPattern::kSync;
  return TaskPattern::kRequestResponse;
}

}  // namespace

TaskResource ParseTaskResource(absl::string_view resource) {
  TaskResource result;
  result.arn = std::string(resource);
  // arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE
  const absl::string_view service =
      AfterColons(resource, 2).substr(0, AfterColons(resource, 2).find(':'));
  absl::string_view rest = AfterColons(resource, 5);
  if (service != "states") {
    result.kind = TaskKind::kLambdaFunction;
    result.event_resource = result.arn;
    return result;
  }
  if (absl::StartsWith(rest, "activity:")) {
    result.kind = TaskKind::kActivity;
    result.event_resource = result.arn;
    return result;
  }
  if (absl::ConsumePrefix(&rest, "aws-sdk:")) result.kind = TaskKind::kSdk;
  const size_t colon = rest.find(':');
  result.service = std::string(rest.substr(0, colon));
  absl::string_view action =
      colon == absl::string_view::npos ? "" : rest.substr(colon + 1);
  result.event_resource = std::string(action);
  result.pattern = TakePattern(action);
  result.action = std::string(action);
  result.event_resource_type = result.kind == TaskKind::kSdk
                                   ? absl::StrCat("aws-sdk:", result.service)
                                   : result.service;
  return result;
}

}  // namespace byoshin::local::stepfunctions
