#include "local/logs/cloudformation.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cloudformation/properties.h"

namespace byoshin::local::logs {
namespace {

using cloudformation::IntegerProperty;
using cloudformation::PropertyAt;
using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;

constexpr std::size_t kMaxNameLength = 512;
// Stored with the resource, though not a property of templates: milliseconds.
constexpr char kCreated[] = "CreationTime";
// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html
constexpr std::int64_t kRetentionDays[] = {
    1,   3,   5,   7,   14,   30,   60,   90,   120,  150,  180,
    365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653};

absl::StatusOr<std::optional<int>> ReadRetention(
    const Json::Value& properties) {
  constexpr char kName[] = "RetentionInDays";
  if (PropertyAt(properties, kName).isNull()) return std::nullopt;
  const absl::StatusOr<std::int64_t> days =
      IntegerProperty(properties, kName, 0);
  if (!days.ok()) return days.status();
  if (std::find(std::begin(kRetentionDays), std::end(kRetentionDays), *days) ==
      std::end(kRetentionDays)) {
    return absl::InvalidArgumentError(
        absl::StrCat(kName, " is ", *days, ", which is not an allowed value"));
  }
  return static_cast<int>(*days);
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-loggroup.html
class Provider final : public ResourceProvider {
 public:
  Provider(LogGroups& groups, Logs& logs, time::Clock& clock)
      : groups_(groups), logs_(logs), clock_(clock) {}

  absl::string_view type() const override { return "AWS::Logs::LogGroup"; }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"LogGroupName", "RetentionInDays"},
        .inert = {{"DataProtectionPolicy", "logs stay on the own machine"},
                  {"KmsKeyId", "logs stay on the own machine"},
                  {"LogGroupClass", "the classes differ in what they cost"},
                  {"Tags", "the local cloud does not use tags"}},
        .create_only = {"LogGroupName"},
        .attributes = {"Arn"}};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    const absl::StatusOr<std::string> name =
        TextProperty(request.properties, "LogGroupName");
    if (!name.ok()) return name.status();
    return Put(request,
               name->empty()
                   ? cloudformation::GeneratedName(request, kMaxNameLength)
                   : *name,
               clock_.Now());
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    const std::optional<LogGroup> known =
        groups_.Find(request.stack.region, request.physical_id);
    return Put(request, request.physical_id,
               known.has_value() ? known->created : clock_.Now());
  }

  absl::Status Restore(const ResourceRequest& request,
                       const ResourceState& state) override {
    // Groups of earlier versions have none.
    std::int64_t created = 0;
    if (const auto found = state.attributes.find(kCreated);
        found == state.attributes.end() ||
        !absl::SimpleAtoi(found->second, &created)) {
      created = absl::ToUnixMillis(clock_.Now());
    }
    return Put(request, state.physical_id, absl::FromUnixMillis(created))
        .status();
  }

  absl::Status Delete(const ResourceRequest& request) override {
    groups_.Remove(request.stack.region, request.physical_id);
    logs_.Remove(request.physical_id);
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<ResourceState> Put(const ResourceRequest& request,
                                    const std::string& name,
                                    absl::Time created) {
    absl::StatusOr<std::optional<int>> retention =
        ReadRetention(request.properties);
    if (!retention.ok()) return retention.status();
    groups_.Put({.name = name,
                 .region = request.stack.region,
                 .created = created,
                 .retention_days = *retention});
    // The ARN ends with ":*", for the streams in the group.
    return ResourceState{
        .physical_id = name,
        .attributes = {{"Arn", cloudformation::ArnOf(
                                   request.stack, "logs",
                                   absl::StrCat("log-group:", name, ":*"))},
                       {kCreated, absl::StrCat(absl::ToUnixMillis(created))}}};
  }

  LogGroups& groups_;
  Logs& logs_;
  time::Clock& clock_;
};

}  // namespace

std::unique_ptr<ResourceProvider> LogGroupProvider(LogGroups& groups,
                                                   Logs& logs,
                                                   time::Clock& clock) {
  return std::make_unique<Provider>(groups, logs, clock);
}

}  // namespace byoshin::local::logs
