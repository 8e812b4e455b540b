// A deployed stack, as it is kept and shown.
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
  // Counts the events of the stack; with the time set by whoever keeps it.
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
  // It was there, with its data, before the stack had it under this logical id.
  // So a deployment that fails leaves it, where it would delete what it has
  // made itself, and it keeps the policies that a template does not state.
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
  std::map<std::string, StackOutput> outputs{};
  absl::Time created{};
  absl::Time updated{};
  // How many deployments have been begun.
  int64_t deployment = 0;
  // Whether one has ever ended well.
  bool established = false;
  std::map<std::string, StackResource> resources{};  // by logical id
  // By logical id: what was begun to be created and is not known to be there,
  // because the process was killed meanwhile. Without state.
  std::map<std::string, StackResource> begun{};
  // No longer part of the stack, and still to be deleted. Those that are
  // DELETE_IN_PROGRESS may be gone already; the others are there, and may
  // become the stack's again.
  std::vector<StackResource> obsolete{};
  // What the stack had and has left where it is, because it was to be retained
  // or could not be deleted: it may become the stack's again.
  std::vector<StackResource> retained{};
  std::vector<StackEvent> events{};  // oldest first

  // A deployment is under way, or was when the process ended.
  bool in_progress() const;
};

// The resource's attribute Arn; empty if it has none.
std::string ArnAttribute(const StackResource& resource);

// The stack without its resources (begun ones, too) and events, and a resource,
// as JSON text.
std::string WriteStackHead(const Stack& stack);
std::string WriteStackResource(const StackResource& resource);
std::string WriteStackEvent(const StackEvent& event);

// Null and nonsense become empty values: what is read here was written here.
Stack ReadStackHead(const Json::Value& json);
StackResource ReadStackResource(const Json::Value& json);
StackEvent ReadStackEvent(const Json::Value& json);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_STACK_H_
