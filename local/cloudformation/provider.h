// How the local cloud makes one type of CloudFormation resource. A service that
// wants its resources in templates implements this and registers with the
// deployer.
//
//   class QueueProvider final : public ResourceProvider {
//    public:
//     absl::string_view type() const override { return "AWS::SQS::Queue"; }
//     const ResourceSchema& schema() const override {
//       static const auto& schema = *new ResourceSchema{
//           .acted_on = {"QueueName", "VisibilityTimeout",
//                        "RedrivePolicy.deadLetterTargetArn"},
//           .inert = {{"Tags", "nobody asks for a queue's tags"}},
//           .create_only = {"QueueName"},
//           .attributes = {"Arn", "QueueName", "QueueUrl"}};
//       return schema;
//     }
//     absl::StatusOr<ResourceState> Create(const ResourceRequest& request)
//         override { ... }
//   };
//
// The deployer finds out what has changed, in which order to work and what to
// take back; a provider does one thing to one resource at a time.
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
  // As below; it stands for everything inside it, too.
  std::string path{};
  // Why it needs no effect, for whoever wonders.
  std::string reason{};
};

// What a template may say about a type of resource. What is not listed is
// refused when the template is deployed, however deep it is nested.
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
  // Members of Properties that must be there.
  std::vector<std::string> required{};
  // Members of Properties whose change needs a new resource in place of the
  // old one.
  std::vector<std::string> create_only{};
  // What Fn::GetAtt may ask for.
  std::vector<std::string> attributes{};
};

// What is being deployed where: the pseudo parameters.
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
  // As Create() gave it; empty in Create().
  std::string physical_id;
  // 12 capital letters and digits, the same only for the same resource: what
  // AWS puts behind names that the template leaves open.
  std::string name_suffix;
  // With every function replaced by its value, and all members known to the
  // schema. Values are as the template has them: CloudFormation takes "5" for 5
  // and "true" for true, so read them with the functions of properties.h.
  const Json::Value& properties;
};

// What a resource has become.
struct ResourceState {
  // What Ref gives.
  std::string physical_id{};
  // What Fn::GetAtt gives: each of the schema's attributes.
  std::map<std::string, std::string> attributes{};
};

// Called by one thread at a time, which may be blocked. Errors' messages are
// shown as the reason why a deployment has failed.
class ResourceProvider {
 public:
  ResourceProvider() = default;
  ResourceProvider(const ResourceProvider&) = delete;
  ResourceProvider& operator=(const ResourceProvider&) = delete;
  virtual ~ResourceProvider() = default;

  // "AWS::SQS::Queue"
  virtual absl::string_view type() const = 0;

  virtual const ResourceSchema& schema() const = 0;

  // What the resource is made of outside the template: the digest of a zip, for
  // instance. If it has changed, the resource is updated although its
  // properties are the same.
  virtual absl::StatusOr<std::string> Fingerprint(
      const ResourceRequest& request);

  // The next four are for resources that outlive the process by themselves.

  // What Create() would make, if it is there already: then it is refused, or,
  // if it is the stack's own, taken over by Update(). By default nothing.
  virtual absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request);

  // Whether what Create() has made is gone although the stack has it, because
  // the service's data were lost or moved away. By default false.
  virtual absl::StatusOr<bool> IsMissing(const ResourceRequest& request);

  // Whether Update() can turn what Find() has found into what
  // `request.properties` say. FailedPrecondition says what differs. By default
  // it can.
  virtual absl::Status CheckTakeUp(const ResourceRequest& request);

  // For a resource whose name the template leaves open: the suffix of the
  // newest one that an earlier stack of the same name had under this logical
  // id and that CheckTakeUp() accepts. By default nothing.
  virtual absl::StatusOr<std::optional<std::string>> FindSuffix(
      const ResourceRequest& request);

  // If it fails, nothing has been made.
  virtual absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) = 0;

  // Makes the resource what `request.properties` say; they differ from
  // `previous` in members that are not create_only, or the fingerprint does.
  // `previous` is empty if it is not known, as for a resource whose stack was
  // lost. If
  // it fails, Update() is called again with the two exchanged. If the process
  // was killed in Create() or Update(), it is called, too, and any part of what
  // is asked may have been done. Never touches the data that the resource
  // holds.
  virtual absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                               const Json::Value& previous) = 0;

  // A resource that is gone already is no error.
  virtual absl::Status Delete(const ResourceRequest& request) = 0;

  // The same for a resource that the deployment has just made and takes back
  // because it fails: a resource without data is deleted even if it is
  // protected against deletion. By default Delete().
  virtual absl::Status DeleteNew(const ResourceRequest& request);

  // The data that would be lost with the resource, such as "3 items"; empty if
  // there is none. By default empty.
  virtual absl::StatusOr<std::string> DescribeData(
      const ResourceRequest& request);

  // Called for every resource, in the order of their dependencies, when the
  // cloud starts with a stack that was deployed before: for services that keep
  // their resources in memory only. By default nothing.
  virtual absl::Status Restore(const ResourceRequest& request,
                               const ResourceState& state);
};

// "<stack>-<logical id>-<suffix>", as AWS names what has no name; the stack's
// name and the id are cut so that it has at most `max_length` characters.
std::string GeneratedName(const ResourceRequest& request,
                          std::size_t max_length);

// The length of ResourceRequest::name_suffix.
inline constexpr std::size_t kNameSuffixLength = 12;
// Whether it could be a ResourceRequest::name_suffix: capital letters and
// digits.
bool IsNameSuffix(absl::string_view text);

// The suffix that GeneratedName() was given if it has made `name` for this
// stack and logical id; nothing if it has not.
std::optional<std::string> SuffixOfGeneratedName(const ResourceRequest& request,
                                                 std::size_t max_length,
                                                 absl::string_view name);

// "arn:aws:sqs:us-east-1:000000000000:<resource>"
std::string ArnOf(const StackContext& stack, absl::string_view service,
                  absl::string_view resource);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_PROVIDER_H_
