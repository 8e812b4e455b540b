// Creates, updates and deletes one type of CloudFormation resource. A service
// implements this and registers it for its resource types.
//
//   class QueueProvider final : public ResourceProvider {
//    public:
//     absl::string_view type() const override { return "AWS::SQS::Queue"; }
//     const ResourceSchema& schema() const override {
//       static const auto& schema = *new ResourceSchema{
//           .acted_on = {"QueueName", "VisibilityTimeout",
//                        "RedrivePolicy.deadLetterTargetArn"},
//           .inert = {{"Tags", "the local cloud does not use tags"}},
//           .create_only = {"QueueName"},
//           .attributes = {"Arn", "QueueName", "QueueUrl"}};
//       return schema;
//     }
//     absl::StatusOr<ResourceState> Create(const ResourceRequest& request)
//         override { ... }
//   };
//
// The deployer determines what has changed, the order, and what to roll back; a
// provider performs one operation on one resource at a time.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_PROVIDER_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_PROVIDER_H_

#include <json/forwards.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cloudformation {

// A property that is accepted and has no effect in the local cloud.
struct InertProperty {
  // A path as below; it covers everything inside it, too.
  std::string path{};
  // Why it needs no effect.
  std::string reason{};
};

// The properties of a type of resource. Properties that are not listed are
// rejected when the template is deployed, at any depth.
//
// A path names a value inside Properties: members are joined by dots, "[]"
// stands for the elements of a list, "*" for any one member, and a last member
// "**" for anything below:
//   "Timeout"  "Targets[].Arn"  "Architectures[]"  "Environment.Variables.*"
//   "PolicyDocument.**"
struct ResourceSchema {
  // Leaves that the provider reads.
  std::vector<std::string> acted_on{};
  std::vector<InertProperty> inert{};
  // Required members of Properties.
  std::vector<std::string> required{};
  // Members of Properties whose change requires replacement.
  std::vector<std::string> create_only{};
  // The attributes for Fn::GetAtt.
  std::vector<std::string> attributes{};
  // Whether Fn::GetAtt may ask for any attribute; which there are is known once
  // the resource exists.
  bool any_attribute = false;
  // Whether Update() may return another physical id, because it has replaced
  // the resource. The previous one is deleted when the deployment has succeeded
  // or, if it is rolled back, the new one.
  bool replaced_by_update = false;
};

// The stack and its environment: the pseudo parameters.
struct StackContext {
  std::string stack_name{};
  std::string stack_id{};  // an ARN
  std::string account_id = "000000000000";
  std::string region = "us-east-1";
  std::string partition = "aws";
  std::string url_suffix = "amazonaws.com";
};

struct ResourceRequest {
  const StackContext& stack;
  std::string logical_id;
  // As Create() returned it; empty in Create().
  std::string physical_id;
  // 12 capital letters and digits, unique to the resource: the suffix of names
  // that the template does not set.
  std::string name_suffix;
  // With every function replaced by its value, and only members of the schema.
  // Values are as in the template: CloudFormation accepts "5" for 5 and "true"
  // for true, so read them with the functions of properties.h.
  const Json::Value& properties;
  // "AWS::SQS::Queue", "Custom::Migration"
  std::string type{};
};

// The state of a resource.
struct ResourceState {
  // The value of Ref.
  std::string physical_id{};
  // The values of Fn::GetAtt: each of the schema's attributes.
  std::map<std::string, std::string> attributes{};
};

// Called by one thread at a time; calls may block. The message of an error is
// shown as the reason of a failed deployment.
class ResourceProvider {
 public:
  ResourceProvider() = default;
  ResourceProvider(const ResourceProvider&) = delete;
  ResourceProvider& operator=(const ResourceProvider&) = delete;
  virtual ~ResourceProvider() = default;

  // "AWS::SQS::Queue"
  virtual absl::string_view type() const = 0;

  virtual const ResourceSchema& schema() const = 0;

  // The content of the resource outside the template: the digest of a zip, for
  // example. If it changes, the resource is updated even if its properties are
  // the same.
  virtual absl::StatusOr<std::string> Fingerprint(
      const ResourceRequest& request);

  // The next four are for resources that outlive the process.

  // The resource that Create() would create, if it already exists: then the
  // deployment is rejected or, if it belongs to the stack, Update() adopts it.
  // By default nullopt.
  virtual absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request);

  // Whether the resource is missing although the stack has it, because the
  // service's data was lost or moved away. By default false.
  virtual absl::StatusOr<bool> IsMissing(const ResourceRequest& request);

  // Whether Update() can turn what Find() has found into `request.properties`.
  // FailedPrecondition says what differs. By default it can.
  virtual absl::Status CheckTakeUp(const ResourceRequest& request);

  // For a resource whose name the template does not set: the suffix of the
  // newest one that an earlier stack of the same name had under this logical id
  // and that CheckTakeUp() accepts. By default nullopt.
  virtual absl::StatusOr<std::optional<std::string>> FindSuffix(
      const ResourceRequest& request);

  // If it fails, nothing was created.
  virtual absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) = 0;

  // Changes the resource to `request.properties`; they differ from `previous`
  // in members that are not create_only, or the fingerprint differs. `previous`
  // is empty if it is not known, as for a resource whose stack was lost. If it
  // fails, Update() is called again with the two exchanged. It is also called
  // if the process was killed in Create() or Update(), and any part of the
  // change may have been made. Never changes the data that the resource holds.
  virtual absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                               const Json::Value& previous) = 0;

  // A missing resource is not an error.
  virtual absl::Status Delete(const ResourceRequest& request) = 0;

  // The same for the rollback of a resource that the deployment has just
  // created: without data, it is deleted even if it is protected against
  // deletion. By default Delete().
  virtual absl::Status DeleteNew(const ResourceRequest& request);

  // The data that would be lost with the resource, such as "3 items"; empty if
  // there is none. By default empty.
  virtual absl::StatusOr<std::string> DescribeData(
      const ResourceRequest& request);

  // Called for every resource, in the order of their dependencies, when the
  // cloud starts with a stack that was deployed before: for services that keep
  // their resources only in memory. By default does nothing.
  virtual absl::Status Restore(const ResourceRequest& request,
                               const ResourceState& state);
};

// "<stack>-<logical id>-<suffix>", as AWS generates names; the stack's name and
// the id are truncated so that it has at most `max_length` characters.
std::string GeneratedName(const ResourceRequest& request,
                          std::size_t max_length);

// The length of ResourceRequest::name_suffix.
inline constexpr std::size_t kNameSuffixLength = 12;
// Whether it could be a ResourceRequest::name_suffix: capital letters and
// digits.
bool IsNameSuffix(absl::string_view text);

// The suffix of `name` if GeneratedName() has generated it for this stack and
// logical id; otherwise nullopt.
std::optional<std::string> SuffixOfGeneratedName(const ResourceRequest& request,
                                                 std::size_t max_length,
                                                 absl::string_view name);

// "arn:aws:sqs:us-east-1:000000000000:<resource>"
std::string ArnOf(const StackContext& stack, absl::string_view service,
                  absl::string_view resource);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_PROVIDER_H_
