// A deployed stack.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_STACK_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_STACK_H_

#include <json/json.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {

// "CREATE_IN_PROGRESS" and so on, as AWS names them.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html
namespace status {
inline constexpr char kCreateInProgress[] = "CREATE_IN_PROGRESS";
inline constexpr char kCreateComplete[] = "CREATE_COMPLETE";
inline constexpr char kCreateFailed[] = "CREATE_FAILED";
inline constexpr char kUpdateInProgress[] = "UPDATE_IN_PROGRESS";
inline constexpr char kUpdateComplete[] = "UPDATE_COMPLETE";
inline constexpr char kUpdateFailed[] = "UPDATE_FAILED";
inline constexpr char kUpdateCleanup[] = "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS";
inline constexpr char kDeleteInProgress[] = "DELETE_IN_PROGRESS";
inline constexpr char kDeleteComplete[] = "DELETE_COMPLETE";
inline constexpr char kDeleteFailed[] = "DELETE_FAILED";
inline constexpr char kDeleteSkipped[] = "DELETE_SKIPPED";
inline constexpr char kRollbackInProgress[] = "ROLLBACK_IN_PROGRESS";
inline constexpr char kRollbackComplete[] = "ROLLBACK_COMPLETE";
inline constexpr char kRollbackFailed[] = "ROLLBACK_FAILED";
inline constexpr char kUpdateRollbackInProgress[] =
    "UPDATE_ROLLBACK_IN_PROGRESS";
inline constexpr char kUpdateRollbackComplete[] = "UPDATE_ROLLBACK_COMPLETE";
inline constexpr char kUpdateRollbackFailed[] = "UPDATE_ROLLBACK_FAILED";
}  // namespace status

struct StackEvent {
  // The number of the event in the stack; it and the time are set by
  // StackStore.
  std::uint64_t number = 0;
  absl::Time time{};
  // The stack itself has its name and the type AWS::CloudFormation::Stack.
  std::string logical_id{};
  std::string physical_id{};
  std::string type{};
  std::string status{};
  std::string reason{};
};

struct StackResource {
  std::string logical_id{};
  std::string type{};
  std::string status{};
  std::string name_suffix{};
  ResourceState state{};
  Json::Value properties{Json::objectValue};  // resolved
  std::string fingerprint{};
  std::set<std::string> depends_on{};
  RemovalPolicy deletion_policy = RemovalPolicy::kDelete;
  RemovalPolicy update_replace_policy = RemovalPolicy::kDelete;
  absl::Time changed{};
  // It existed, with its data, before the stack had it under this logical id.
  // So a failed deployment does not delete it, and it keeps its policies if a
  // template does not state them.
  bool taken_up = false;
};

struct StackOutput {
  std::string value{};
  std::string description{};
  std::string export_name{};  // empty if it is not exported
};

struct Stack {
  std::string name{};
  std::string id{};  // an ARN
  std::string status{};
  std::string reason{};
  std::string template_text{};
  std::map<std::string, std::string> parameters{};  // NoEcho ones as ****
  // Those of them whose values are not the user's: see DeployRequest.
  std::set<std::string> supplied{};
  std::map<std::string, StackOutput> outputs{};
  absl::Time created{};
  absl::Time updated{};
  // The number of deployments started.
  int64_t deployment = 0;
  // Whether a deployment has ever succeeded.
  bool established = false;
  std::map<std::string, StackResource> resources{};  // by logical id
  // By logical id: resources whose creation has begun and that may or may not
  // exist, because the process was killed. Without state.
  std::map<std::string, StackResource> begun{};
  // No longer part of the stack, and still to be deleted. Those that are
  // DELETE_IN_PROGRESS may already be deleted; the others exist and may become
  // part of the stack again.
  std::vector<StackResource> obsolete{};
  // Resources that the stack has retained, or could not delete: they may become
  // part of the stack again.
  std::vector<StackResource> retained{};
  std::vector<StackEvent> events{};  // oldest first

  // A deployment is in progress, or was when the process ended.
  bool in_progress() const;
};

// The resource's attribute Arn; empty if it has none.
std::string ArnAttribute(const StackResource& resource);

// The stack without its resources (begun ones, too) and events, and a resource,
// as JSON text.
std::string WriteStackHead(const Stack& stack);
std::string WriteStackResource(const StackResource& resource);
std::string WriteStackEvent(const StackEvent& event);

// Null and invalid values become empty: only what was written here is read.
Stack ReadStackHead(const Json::Value& json);
StackResource ReadStackResource(const Json::Value& json);
StackEvent ReadStackEvent(const Json::Value& json);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_STACK_H_
