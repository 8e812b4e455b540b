// AWS::SQS::QueuePolicy: sets the attribute Policy of queues. The queues store
// it, so that it replaces, and is replaced by, what SetQueueAttributes sets.
#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"
#include "local/sqs/providers.h"

namespace byoshin::local::sqs {
namespace {

using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;

constexpr std::size_t kMaxPolicyIdLength = 255;

// The queues are named by their URLs.
absl::StatusOr<std::vector<std::string>> QueuesIn(
    const Json::Value& properties) {
  return cloudformation::TextsProperty(properties, "Queues");
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sqs-queuepolicy.html
class QueuePolicyProvider final : public ResourceProvider {
 public:
  explicit QueuePolicyProvider(Service& sqs) : sqs_(sqs) {}

  absl::string_view type() const override { return "AWS::SQS::QueuePolicy"; }

  const ResourceSchema& schema() const override {
    static const auto& schema =
        *new ResourceSchema{.acted_on = {"PolicyDocument.**", "Queues[]"},
                            .required = {"PolicyDocument", "Queues"},
                            .attributes = {"Id"}};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    std::vector<std::string> done;
    if (absl::Status set = SetAll(request, done); !set.ok()) {
      for (const std::string& queue : done) {
        Remove(request, queue).IgnoreError();
      }
      return set;
    }
    return StateOf(GeneratedName(request, kMaxPolicyIdLength));
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value& previous) override {
    std::vector<std::string> kept;
    if (absl::Status set = SetAll(request, kept); !set.ok()) return set;
    // The previous ones may be those of a rejected update.
    for (const std::string& queue :
         QueuesIn(previous).value_or(std::vector<std::string>())) {
      if (std::find(kept.begin(), kept.end(), queue) != kept.end()) continue;
      if (absl::Status removed = Remove(request, queue); !removed.ok()) {
        return removed;
      }
    }
    return StateOf(request.physical_id);
  }

  absl::Status Delete(const ResourceRequest& request) override {
    const absl::StatusOr<std::vector<std::string>> queues =
        QueuesIn(request.properties);
    if (!queues.ok()) return queues.status();
    for (const std::string& queue : *queues) {
      if (absl::Status removed = Remove(request, queue); !removed.ok()) {
        return removed;
      }
    }
    return absl::OkStatus();
  }

 private:
  static ResourceState StateOf(const std::string& id) {
    return {.physical_id = id, .attributes = {{"Id", id}}};
  }

  absl::Status Set(const ResourceRequest& request, const std::string& queue_url,
                   const std::string& policy) {
    Json::Value body;
    body["QueueUrl"] = queue_url;
    body["Attributes"]["Policy"] = policy;
    return CallInProcess(sqs_,
                         {.operation = "SetQueueAttributes",
                          .region = request.stack.region,
                          .caller = {.account_id = request.stack.account_id}},
                         body)
        .status();
  }

  // Appends to `done` the queues that have the policy, also if it fails.
  absl::Status SetAll(const ResourceRequest& request,
                      std::vector<std::string>& done) {
    const absl::StatusOr<std::vector<std::string>> queues =
        QueuesIn(request.properties);
    if (!queues.ok()) return queues.status();
    for (const std::string& queue : *queues) {
      absl::Status set =
          Set(request, queue,
              json::WriteValue(request.properties["PolicyDocument"]));
      if (!set.ok()) return set;
      done.push_back(queue);
    }
    return absl::OkStatus();
  }

  // A queue that has been deleted has no policy.
  absl::Status Remove(const ResourceRequest& request,
                      const std::string& queue_url) {
    const absl::Status removed = Set(request, queue_url, "");
    return absl::IsNotFound(removed) ? absl::OkStatus() : removed;
  }

  Service& sqs_;
};

}  // namespace

std::unique_ptr<ResourceProvider> NewQueuePolicyProvider(Service& sqs) {
  return std::make_unique<QueuePolicyProvider>(sqs);
}

}  // namespace byoshin::local::sqs
