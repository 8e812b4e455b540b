#include "local/customresources/provider.h"

#include <json/json.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/registry.h"
#include "local/customresources/answer.h"
#include "local/customresources/responses.h"

namespace byoshin::local::customresources {
namespace {

using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;

constexpr std::int64_t kMaxTimeoutSeconds = 3600;
constexpr char kServiceToken[] = "ServiceToken";

// CloudFormation passes all values as text.
Json::Value WithTexts(const Json::Value& value) {
  if (cloudformation::IsScalar(value)) return cloudformation::ScalarText(value);
  Json::Value texts = value;
  for (Json::Value& element : texts) element = WithTexts(element);
  return texts;
}

absl::StatusOr<std::string> FunctionOf(const ResourceRequest& request) {
  absl::StatusOr<std::string> token =
      TextProperty(request.properties, kServiceToken);
  if (!token.ok()) return token;
  if (!absl::StartsWith(*token, "arn:aws:lambda:")) {
    return absl::InvalidArgumentError(
        absl::StrCat("ServiceToken must be the ARN of a Lambda function, which "
                     "is what the local cloud supports, and is ",
                     *token));
  }
  return token;
}

absl::StatusOr<absl::Duration> TimeoutOf(const ResourceRequest& request) {
  const absl::StatusOr<std::int64_t> seconds = cloudformation::IntegerProperty(
      request.properties, "ServiceTimeout",
      absl::ToInt64Seconds(kDefaultServiceTimeout));
  if (!seconds.ok()) return seconds.status();
  if (*seconds < 1 || *seconds > kMaxTimeoutSeconds) {
    return absl::InvalidArgumentError(
        absl::StrCat("ServiceTimeout must be from 1 to ", kMaxTimeoutSeconds,
                     " seconds, and is ", *seconds));
  }
  return absl::Seconds(*seconds);
}

class Provider final : public ResourceProvider {
 public:
  explicit Provider(ProviderWorld world) : world_(std::move(world)) {}

  absl::string_view type() const override {
    return cloudformation::kCustomResourceType;
  }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{.acted_on = {"*.**"},
                                                    .required = {kServiceToken},
                                                    .any_attribute = true,
                                                    .replaced_by_update = true};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    absl::StatusOr<FunctionAnswer> answer = Ask(request, {.type = "Create"});
    if (!answer.ok()) return answer.status();
    if (answer->success) return StateOf(*std::move(answer));
    // Something may have been created.
    if (!answer->physical_id.empty()) {
      Ask(request, {.type = "Delete", .physical_id = answer->physical_id})
          .status()
          .IgnoreError();
    }
    return Failed(*answer);
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value& previous) override {
    if (!previous.empty() &&
        previous[kServiceToken] != request.properties[kServiceToken]) {
      return absl::InvalidArgumentError(
          "Modifying service token is not allowed.");
    }
    absl::StatusOr<FunctionAnswer> answer =
        Ask(request, {.type = "Update",
                      .physical_id = request.physical_id,
                      .previous = &previous});
    if (!answer.ok()) return answer.status();
    if (!answer->success) return Failed(*answer);
    return StateOf(*std::move(answer));
  }

  absl::Status Delete(const ResourceRequest& request) override {
    const absl::StatusOr<FunctionAnswer> answer =
        Ask(request, {.type = "Delete", .physical_id = request.physical_id});
    if (!answer.ok()) return answer.status();
    return answer->success ? absl::OkStatus() : Failed(*answer);
  }

 private:
  struct Question {
    const char* type;
    std::string physical_id{};
    const Json::Value* previous = nullptr;
  };

  static ResourceState StateOf(FunctionAnswer answer) {
    return {.physical_id = std::move(answer.physical_id),
            .attributes = std::move(answer.data)};
  }

  static absl::Status Failed(const FunctionAnswer& answer) {
    return absl::AbortedError(answer.reason);
  }

  // The answer of the function. A failure has a reason as CloudFormation writes
  // it.
  absl::StatusOr<FunctionAnswer> Ask(const ResourceRequest& request,
                                     const Question& question) {
    const absl::StatusOr<std::string> function = FunctionOf(request);
    if (!function.ok()) return function.status();
    const absl::StatusOr<absl::Duration> timeout = TimeoutOf(request);
    if (!timeout.ok()) return timeout.status();
    const RequestIds ids{.stack_id = request.stack.stack_id,
                         .request_id = random::NewUuid(),
                         .logical_id = request.logical_id};
    const std::string path = world_.responses.Open();
    world_.invoke(*function, EventFor(request, question, ids, path),
                  [&responses = world_.responses, path,
                   function = *function](const absl::Status& ended) {
                    if (ended.ok()) return;
                    responses.Fail(path, absl::AbortedError(absl::StrCat(
                                             "the function ", function,
                                             " failed: ", ended.message())));
                  });
    const absl::StatusOr<std::string> text =
        world_.responses.Await(path, world_.clock.Now() + *timeout);
    if (absl::IsDeadlineExceeded(text.status())) {
      return absl::DeadlineExceededError(absl::StrCat(
          "CloudFormation did not receive a response from your Custom "
          "Resource. Please check your logs for requestId [",
          ids.request_id, "]."));
    }
    if (!text.ok()) return text.status();
    absl::StatusOr<FunctionAnswer> answer = ParseAnswer(*text, ids);
    if (answer.ok() && !answer->success) {
      answer->reason = absl::StrCat(
          "Received response status [FAILED] from custom resource. Message "
          "returned: ",
          answer->reason, " (RequestId: ", ids.request_id, ")");
    }
    return answer;
  }

  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-requests.html
  std::string EventFor(const ResourceRequest& request, const Question& question,
                       const RequestIds& ids, const std::string& path) const {
    Json::Value event(Json::objectValue);
    event["RequestType"] = question.type;
    event[kServiceToken] = request.properties[kServiceToken];
    event["ResponseURL"] = absl::StrCat(world_.endpoint(), path);
    event["StackId"] = ids.stack_id;
    event["RequestId"] = ids.request_id;
    event["LogicalResourceId"] = ids.logical_id;
    event["ResourceType"] = request.type;
    if (!question.physical_id.empty()) {
      event["PhysicalResourceId"] = question.physical_id;
    }
    event["ResourceProperties"] = WithTexts(request.properties);
    if (question.previous != nullptr) {
      event["OldResourceProperties"] = WithTexts(*question.previous);
    }
    return json::WriteValue(event);
  }

  const ProviderWorld world_;
};

}  // namespace

std::unique_ptr<ResourceProvider> CustomResourceProvider(ProviderWorld world) {
  return std::make_unique<Provider>(std::move(world));
}

}  // namespace byoshin::local::customresources
