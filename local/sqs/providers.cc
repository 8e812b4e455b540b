#include "local/sqs/providers.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"
#include "local/sqs/address.h"
#include "local/sqs/queue_settings.h"

namespace byoshin::local::sqs {
namespace {

using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html
constexpr std::size_t kMaxNameLength = 80;
constexpr char kCreatedTimestamp[] = "CreatedTimestamp";
// The attributes whose sum is the number of messages in a queue.
constexpr const char* kCounts[] = {"ApproximateNumberOfMessages",
                                   "ApproximateNumberOfMessagesDelayed",
                                   "ApproximateNumberOfMessagesNotVisible"};

// Properties that are attributes of the same name, with their default values.
struct Setting {
  const char* name;
  const char* otherwise;
};
constexpr Setting kSettings[] = {
    {"DelaySeconds", "0"},
    {"MaximumMessageSize", "1048576"},
    {"MessageRetentionPeriod", "345600"},
    {"ReceiveMessageWaitTimeSeconds", "0"},
    {"VisibilityTimeout", "30"},
    {"KmsMasterKeyId", ""},
};
// The same, for FIFO queues only.
constexpr Setting kFifoSettings[] = {
    {kDeduplicationScope, "queue"},
    {kFifoThroughputLimit, "perQueue"},
};
// The same as kSettings, as JSON text; an empty one removes the setting.
constexpr const char* kPolicies[] = {"RedrivePolicy", "RedriveAllowPolicy"};

bool IsTrue(const Json::Value& properties, absl::string_view name) {
  return cloudformation::BoolProperty(properties, name, false).value_or(false);
}

void SetAttribute(const Json::Value& properties, const Setting& setting,
                  Json::Value& attributes) {
  attributes[setting.name] =
      cloudformation::TextProperty(properties, setting.name, setting.otherwise)
          .value_or(setting.otherwise);
}

// A standard queue has none of them. What a template sets all the same is
// passed on, so that SQS rejects it.
void SetFifoAttributes(const Json::Value& properties, Json::Value& attributes) {
  const bool fifo = IsTrue(properties, kFifoQueue);
  if (fifo) attributes[kFifoQueue] = "true";
  if (fifo || IsTrue(properties, kContentBasedDeduplication)) {
    attributes[kContentBasedDeduplication] =
        IsTrue(properties, kContentBasedDeduplication) ? "true" : "false";
  }
  for (const Setting& setting : kFifoSettings) {
    if (fifo || properties.isMember(setting.name)) {
      SetAttribute(properties, setting, attributes);
    }
  }
}

Json::Value AttributesOf(const Json::Value& properties) {
  Json::Value attributes(Json::objectValue);
  for (const Setting& setting : kSettings) {
    SetAttribute(properties, setting, attributes);
  }
  SetFifoAttributes(properties, attributes);
  attributes["SqsManagedSseEnabled"] =
      cloudformation::BoolProperty(properties, "SqsManagedSseEnabled", true)
              .value_or(true)
          ? "true"
          : "false";
  for (const char* policy : kPolicies) {
    const Json::Value& value = properties[policy];
    attributes[policy] = value.isNull() ? "" : json::WriteValue(value);
  }
  return attributes;
}

Json::Value TagsOf(const Json::Value& properties) {
  Json::Value tags(Json::objectValue);
  for (const Json::Value& tag : properties["Tags"]) {
    tags[tag["Key"].asString()] = tag["Value"].asString();
  }
  return tags;
}

// Without empty ones: there is nothing to remove yet.
Json::Value WithoutEmpty(const Json::Value& attributes) {
  Json::Value result(Json::objectValue);
  for (const std::string& name : attributes.getMemberNames()) {
    if (attributes[name].asString() != "") result[name] = attributes[name];
  }
  return result;
}

class QueueProvider final : public ResourceProvider {
 public:
  QueueProvider(Service& sqs, std::function<std::string()> endpoint)
      : sqs_(sqs), endpoint_(std::move(endpoint)) {}

  absl::string_view type() const override { return "AWS::SQS::Queue"; }
  const ResourceSchema& schema() const override;

  absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request) override;
  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override;
  absl::StatusOr<std::optional<std::string>> FindSuffix(
      const ResourceRequest& request) override;
  absl::StatusOr<ResourceState> Create(const ResourceRequest& request) override;
  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value& previous) override;
  absl::Status Delete(const ResourceRequest& request) override;
  absl::StatusOr<std::string> DescribeData(
      const ResourceRequest& request) override;

 private:
  absl::StatusOr<Json::Value> Call(const ResourceRequest& request,
                                   absl::string_view operation,
                                   const Json::Value& body) {
    return CallInProcess(sqs_,
                         {.operation = std::string(operation),
                          .region = request.stack.region,
                          .endpoint = endpoint_(),
                          .caller = {.account_id = request.stack.account_id}},
                         body);
  }

  Service& sqs_;
  const std::function<std::string()> endpoint_;
};

const ResourceSchema& QueueProvider::schema() const {
  static const auto& schema = *new ResourceSchema{
      .acted_on = {"QueueName", "DelaySeconds", "MaximumMessageSize",
                   "MessageRetentionPeriod", "ReceiveMessageWaitTimeSeconds",
                   "VisibilityTimeout", "KmsMasterKeyId", "FifoQueue",
                   "ContentBasedDeduplication", "DeduplicationScope",
                   "FifoThroughputLimit", "SqsManagedSseEnabled",
                   "RedrivePolicy.deadLetterTargetArn",
                   "RedrivePolicy.maxReceiveCount",
                   "RedriveAllowPolicy.redrivePermission",
                   "RedriveAllowPolicy.sourceQueueArns[]", "Tags[].Key",
                   "Tags[].Value"},
      .create_only = {"QueueName", "FifoQueue"},
      .attributes = {"Arn", "QueueName", "QueueUrl"}};
  return schema;
}

std::string NameIn(absl::string_view queue_url) {
  return std::string(queue_url.substr(queue_url.rfind('/') + 1));
}

std::string NameOfQueue(const ResourceRequest& request) {
  std::string name =
      cloudformation::TextProperty(request.properties, "QueueName")
          .value_or("");
  if (!name.empty()) return name;
  if (!IsTrue(request.properties, kFifoQueue)) {
    return GeneratedName(request, kMaxNameLength);
  }
  return absl::StrCat(
      GeneratedName(request, kMaxNameLength - kFifoSuffix.size()), kFifoSuffix);
}

// The suffix of a generated name, as SuffixOfGeneratedName().
std::optional<std::string> SuffixOf(const ResourceRequest& request,
                                    absl::string_view name) {
  if (!IsTrue(request.properties, kFifoQueue)) {
    return SuffixOfGeneratedName(request, kMaxNameLength, name);
  }
  if (!absl::ConsumeSuffix(&name, kFifoSuffix)) return std::nullopt;
  return SuffixOfGeneratedName(request, kMaxNameLength - kFifoSuffix.size(),
                               name);
}

ResourceState StateOf(const ResourceRequest& request, const std::string& name,
                      const std::string& url) {
  return {.physical_id = url,
          .attributes = {{"Arn", ArnOf(request.stack, "sqs", name)},
                         {"QueueName", name},
                         {"QueueUrl", url}}};
}

absl::StatusOr<std::optional<ResourceState>> QueueProvider::Find(
    const ResourceRequest& request) {
  const std::string name = NameOfQueue(request);
  Json::Value body;
  body["QueueName"] = name;
  const absl::StatusOr<Json::Value> queue = Call(request, "GetQueueUrl", body);
  // An invalid name is rejected by Create(), with its own message.
  if (absl::IsNotFound(queue.status()) ||
      absl::IsInvalidArgument(queue.status())) {
    return std::nullopt;
  }
  if (!queue.ok()) return queue.status();
  return StateOf(request, name, (*queue)["QueueUrl"].asString());
}

absl::StatusOr<bool> QueueProvider::IsMissing(const ResourceRequest& request) {
  Json::Value body;
  body["QueueName"] = NameIn(request.physical_id);
  const absl::Status found = Call(request, "GetQueueUrl", body).status();
  if (absl::IsNotFound(found)) return true;
  if (!found.ok()) return found;
  return false;
}

absl::StatusOr<std::optional<std::string>> QueueProvider::FindSuffix(
    const ResourceRequest& request) {
  if (!cloudformation::PropertyAt(request.properties, "QueueName").isNull()) {
    return std::nullopt;
  }
  Json::Value list;
  const std::string name = NameOfQueue(request);
  list["QueueNamePrefix"] = name.substr(0, name.rfind(request.name_suffix));
  const absl::StatusOr<Json::Value> queues = Call(request, "ListQueues", list);
  if (!queues.ok()) return queues.status();
  std::optional<std::string> newest;
  std::int64_t newest_time = -1;
  for (const Json::Value& url : (*queues)["QueueUrls"]) {
    std::optional<std::string> suffix =
        SuffixOf(request, NameIn(url.asString()));
    if (!suffix.has_value()) continue;
    Json::Value get;
    get["QueueUrl"] = url;
    get["AttributeNames"].append(kCreatedTimestamp);
    const absl::StatusOr<Json::Value> answer =
        Call(request, "GetQueueAttributes", get);
    if (!answer.ok()) return answer.status();
    const absl::StatusOr<std::int64_t> created =
        cloudformation::IntegerProperty((*answer)["Attributes"],
                                        kCreatedTimestamp, 0);
    if (!created.ok()) return created.status();
    if (*created > newest_time) {
      newest_time = *created;
      newest = std::move(suffix);
    }
  }
  return newest;
}

absl::StatusOr<ResourceState> QueueProvider::Create(
    const ResourceRequest& request) {
  const std::string name = NameOfQueue(request);
  Json::Value body;
  body["QueueName"] = name;
  body["Attributes"] = WithoutEmpty(AttributesOf(request.properties));
  const Json::Value tags = TagsOf(request.properties);
  if (!tags.empty()) body["tags"] = tags;
  const absl::StatusOr<Json::Value> queue = Call(request, "CreateQueue", body);
  if (!queue.ok()) return queue.status();
  return StateOf(request, name, (*queue)["QueueUrl"].asString());
}

absl::StatusOr<ResourceState> QueueProvider::Update(
    const ResourceRequest& request, const Json::Value& previous) {
  Json::Value body;
  body["QueueUrl"] = request.physical_id;
  body["Attributes"] = AttributesOf(request.properties);
  absl::StatusOr<Json::Value> done = Call(request, "SetQueueAttributes", body);
  if (!done.ok()) return done.status();

  const Json::Value before = TagsOf(previous);
  const Json::Value after = TagsOf(request.properties);
  Json::Value untag;
  untag["QueueUrl"] = request.physical_id;
  for (const std::string& key : before.getMemberNames()) {
    if (!after.isMember(key)) untag["TagKeys"].append(key);
  }
  if (untag.isMember("TagKeys")) {
    done = Call(request, "UntagQueue", untag);
    if (!done.ok()) return done.status();
  }
  if (!after.empty() && after != before) {
    Json::Value tag;
    tag["QueueUrl"] = request.physical_id;
    tag["Tags"] = after;
    done = Call(request, "TagQueue", tag);
    if (!done.ok()) return done.status();
  }
  return StateOf(request, NameIn(request.physical_id), request.physical_id);
}

absl::Status QueueProvider::Delete(const ResourceRequest& request) {
  Json::Value body;
  body["QueueUrl"] = request.physical_id;
  const absl::Status status = Call(request, "DeleteQueue", body).status();
  return absl::IsNotFound(status) ? absl::OkStatus() : status;
}

absl::StatusOr<std::string> QueueProvider::DescribeData(
    const ResourceRequest& request) {
  Json::Value body;
  body["QueueUrl"] = request.physical_id;
  for (const char* count : kCounts) body["AttributeNames"].append(count);
  const absl::StatusOr<Json::Value> answer =
      Call(request, "GetQueueAttributes", body);
  if (absl::IsNotFound(answer.status())) return "";
  if (!answer.ok()) return answer.status();
  std::int64_t messages = 0;
  for (const char* count : kCounts) {
    const absl::StatusOr<std::int64_t> number =
        cloudformation::IntegerProperty((*answer)["Attributes"], count, 0);
    if (!number.ok()) return number.status();
    messages += *number;
  }
  if (messages == 0) return "";
  return absl::StrCat(messages, messages == 1 ? " message" : " messages");
}

}  // namespace

std::unique_ptr<ResourceProvider> NewQueueProvider(
    Service& sqs, std::function<std::string()> endpoint) {
  return std::make_unique<QueueProvider>(sqs, std::move(endpoint));
}

void AddSqsProviders(Service& sqs, std::function<std::string()> endpoint,
                     cloudformation::ProviderRegistry& registry) {
  registry.Add(NewQueueProvider(sqs, std::move(endpoint)));
  registry.Add(NewQueuePolicyProvider(sqs));
}

}  // namespace byoshin::local::sqs
