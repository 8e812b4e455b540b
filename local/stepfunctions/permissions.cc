#include "local/stepfunctions/permissions.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "local/gateway/permission.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/operation_json.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kAnyResource[] = "*";
// How requests name what they are about.
constexpr const char* kArnParameters[] = {
    "stateMachineArn", "executionArn",           "activityArn",
    "mapRunArn",       "stateMachineVersionArn", "stateMachineAliasArn",
    "resourceArn"};

std::string ResourceOf(const Call& call) {
  if (absl::StartsWith(call.operation, "SendTask")) return kAnyResource;
  const std::string name = ParameterOf(call, "name");
  if (call.operation == "CreateStateMachine" && !name.empty()) {
    return StatesArn(PlaceOf(call), kMachineResource, name);
  }
  if (call.operation == "CreateActivity" && !name.empty()) {
    return StatesArn(PlaceOf(call), kActivityResource, name);
  }
  for (const char* parameter : kArnParameters) {
    std::string arn = ParameterOf(call, parameter);
    if (!arn.empty()) return arn;
  }
  return kAnyResource;
}

}  // namespace

NeededPermission PermissionFor(const Call& call) {
  return {.action = absl::StrCat("states:", call.operation),
          .resource = ResourceOf(call)};
}

}  // namespace byoshin::local::stepfunctions
