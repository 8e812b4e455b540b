#include "local/dynamodb/providers.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"

namespace byoshin::local::dynamodb {
namespace {

using cloudformation::BoolProperty;
using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
constexpr std::size_t kMaxNameLength = 255;

// Properties that CreateTable takes as they are in the template.
constexpr const char* kCopied[] = {"AttributeDefinitions", "KeySchema",
                                   "GlobalSecondaryIndexes",
                                   "LocalSecondaryIndexes"};

class TableProvider final : public ResourceProvider {
 public:
  explicit TableProvider(Service& dynamodb) : dynamodb_(dynamodb) {}

  absl::string_view type() const override { return "AWS::DynamoDB::Table"; }
  const ResourceSchema& schema() const override;

  absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request) override;
  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override;
  absl::Status CheckTakeUp(const ResourceRequest& request) override;
  absl::StatusOr<std::optional<std::string>> FindSuffix(
      const ResourceRequest& request) override;
  absl::StatusOr<ResourceState> Create(const ResourceRequest& request) override;
  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value& previous) override;
  absl::Status Delete(const ResourceRequest& request) override;
  absl::Status DeleteNew(const ResourceRequest& request) override;
  absl::StatusOr<std::string> DescribeData(
      const ResourceRequest& request) override;

 private:
  absl::StatusOr<Json::Value> Call(const ResourceRequest& request,
                                   absl::string_view operation,
                                   const Json::Value& body) {
    return CallInProcess(dynamodb_,
                         {.operation = std::string(operation),
                          .region = request.stack.region,
                          .caller = {.account_id = request.stack.account_id}},
                         body);
  }

  // The names of all tables.
  absl::StatusOr<std::vector<std::string>> ListTables(
      const ResourceRequest& request);

  // Properties that are set by operations of their own.
  absl::Status SetTimeToLive(const ResourceRequest& request,
                             absl::string_view table,
                             const Json::Value& previous);
  absl::Status SetRecovery(const ResourceRequest& request,
                           absl::string_view table);
  absl::Status SetTags(const ResourceRequest& request,
                       const Json::Value& previous);

  Service& dynamodb_;
};

const ResourceSchema& TableProvider::schema() const {
  static const auto& schema = *new ResourceSchema{
      .acted_on = {"TableName", "AttributeDefinitions[].AttributeName",
                   "AttributeDefinitions[].AttributeType",
                   "KeySchema[].AttributeName", "KeySchema[].KeyType",
                   "GlobalSecondaryIndexes[].**", "LocalSecondaryIndexes[].**",
                   "BillingMode", "ProvisionedThroughput.ReadCapacityUnits",
                   "ProvisionedThroughput.WriteCapacityUnits",
                   "DeletionProtectionEnabled", "SSESpecification.SSEEnabled",
                   "SSESpecification.SSEType",
                   "SSESpecification.KMSMasterKeyId",
                   "TimeToLiveSpecification.AttributeName",
                   "TimeToLiveSpecification.Enabled",
                   "PointInTimeRecoverySpecification."
                   "PointInTimeRecoveryEnabled",
                   "Tags[].Key", "Tags[].Value"},
      .required = {"KeySchema"},
      // On AWS, indexes can be added later, one at a time; here, that requires
      // a new table or a call of UpdateTable.
      .create_only = {"TableName", "KeySchema", "GlobalSecondaryIndexes",
                      "LocalSecondaryIndexes", "AttributeDefinitions"},
      .attributes = {"Arn"}};
  return schema;
}

// Parameters that CreateTable and UpdateTable share.
absl::Status AddSettings(const Json::Value& properties, Json::Value& body) {
  const absl::StatusOr<bool> protection =
      BoolProperty(properties, "DeletionProtectionEnabled", false);
  if (!protection.ok()) return protection.status();
  body["DeletionProtectionEnabled"] = *protection;
  const std::string mode =
      TextProperty(properties, "BillingMode", "PROVISIONED")
          .value_or("PROVISIONED");
  body["BillingMode"] = mode;
  for (const char* units : {"ReadCapacityUnits", "WriteCapacityUnits"}) {
    const std::string path = absl::StrCat("ProvisionedThroughput.", units);
    if (cloudformation::PropertyAt(properties, path).isNull()) continue;
    const absl::StatusOr<int64_t> value =
        cloudformation::IntegerProperty(properties, path, 0);
    if (!value.ok()) return value.status();
    body["ProvisionedThroughput"][units] = Json::Int64{*value};
  }
  const Json::Value& encryption = properties["SSESpecification"];
  if (!encryption.isNull()) {
    const absl::StatusOr<bool> enabled =
        BoolProperty(properties, "SSESpecification.SSEEnabled", false);
    if (!enabled.ok()) return enabled.status();
    body["SSESpecification"] = encryption;
    body["SSESpecification"].removeMember("SSEEnabled");
    body["SSESpecification"]["Enabled"] = *enabled;
  }
  return absl::OkStatus();
}

// Converts scalars to text.
Json::Value TagsOf(const Json::Value& properties) {
  Json::Value tags(Json::arrayValue);
  for (const Json::Value& tag :
       cloudformation::PropertyAt(properties, "Tags")) {
    Json::Value texts;
    for (const char* member : {"Key", "Value"}) {
      texts[member] = TextProperty(tag, member).value_or("");
    }
    tags.append(std::move(texts));
  }
  return tags;
}

std::string NameOf(const ResourceRequest& request) {
  std::string name = TextProperty(request.properties, "TableName").value_or("");
  return name.empty() ? GeneratedName(request, kMaxNameLength) : name;
}

ResourceState StateOf(const ResourceRequest& request, const std::string& name) {
  return {.physical_id = name,
          .attributes = {{"Arn", ArnOf(request.stack, "dynamodb",
                                       absl::StrCat("table/", name))}}};
}

// `member` of a table's definition in a form that can be compared: AWS adds
// members to a description and does not preserve the order.
std::map<std::string, std::string> Comparable(const Json::Value& definition,
                                              const char* member) {
  std::map<std::string, std::string> parts;
  for (const Json::Value& part : definition[member]) {
    const std::string index = TextProperty(part, "IndexName").value_or("");
    if (index.empty()) {
      parts[TextProperty(part, "AttributeName").value_or("")] =
          json::WriteValue(part);
    } else {
      parts[index] = absl::StrCat(
          json::WriteValue(cloudformation::PropertyAt(part, "KeySchema")),
          json::WriteValue(cloudformation::PropertyAt(part, "Projection")));
    }
  }
  return parts;
}

// Removes from a request to UpdateTable what the table already has, if it would
// be rejected for that: after a kill, part of an update may have been made.
void RemoveSameThroughput(const Json::Value& table, Json::Value& body) {
  const Json::Value& summary = table["BillingModeSummary"];
  const Json::Value mode =
      summary.isNull() ? Json::Value("PROVISIONED") : summary["BillingMode"];
  if (body.isMember("BillingMode") && body["BillingMode"] != mode) return;
  for (const char* units : {"ReadCapacityUnits", "WriteCapacityUnits"}) {
    if (body["ProvisionedThroughput"][units].asInt64() !=
        table["ProvisionedThroughput"][units].asInt64()) {
      return;
    }
  }
  body.removeMember("BillingMode");
  body.removeMember("ProvisionedThroughput");
}

absl::StatusOr<std::optional<ResourceState>> TableProvider::Find(
    const ResourceRequest& request) {
  const std::string name = NameOf(request);
  Json::Value body;
  body["TableName"] = name;
  const absl::Status found = Call(request, "DescribeTable", body).status();
  // An invalid name is rejected by Create(), with its own message.
  if (absl::IsNotFound(found) || absl::IsInvalidArgument(found)) {
    return std::nullopt;
  }
  if (!found.ok()) return found;
  return StateOf(request, name);
}

absl::StatusOr<bool> TableProvider::IsMissing(const ResourceRequest& request) {
  Json::Value body;
  body["TableName"] = request.physical_id;
  const absl::Status found = Call(request, "DescribeTable", body).status();
  if (absl::IsNotFound(found)) return true;
  if (!found.ok()) return found;
  return false;
}

absl::Status TableProvider::CheckTakeUp(const ResourceRequest& request) {
  Json::Value body;
  body["TableName"] = NameOf(request);
  const absl::StatusOr<Json::Value> table =
      Call(request, "DescribeTable", body);
  if (!table.ok()) return table.status();
  for (const char* member : kCopied) {
    if (Comparable((*table)["Table"], member) !=
        Comparable(request.properties, member)) {
      return absl::FailedPreconditionError(
          absl::StrCat("its ", member,
                       absl::EndsWith(member, "s") ? " differ" : " differs"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> TableProvider::ListTables(
    const ResourceRequest& request) {
  std::vector<std::string> names;
  Json::Value body(Json::objectValue);
  while (true) {
    const absl::StatusOr<Json::Value> page = Call(request, "ListTables", body);
    if (!page.ok()) return page.status();
    for (const Json::Value& name : (*page)["TableNames"]) {
      names.push_back(name.asString());
    }
    const Json::Value& last = (*page)["LastEvaluatedTableName"];
    if (last.isNull()) return names;
    body["ExclusiveStartTableName"] = last;
  }
}

absl::StatusOr<std::optional<std::string>> TableProvider::FindSuffix(
    const ResourceRequest& request) {
  if (!cloudformation::PropertyAt(request.properties, "TableName").isNull()) {
    return std::nullopt;
  }
  const absl::StatusOr<std::vector<std::string>> names = ListTables(request);
  if (!names.ok()) return names.status();
  std::optional<std::string> newest;
  double newest_time = -1;
  for (const std::string& name : *names) {
    std::optional<std::string> suffix =
        SuffixOfGeneratedName(request, kMaxNameLength, name);
    if (!suffix.has_value()) continue;
    const ResourceRequest named{.stack = request.stack,
                                .logical_id = request.logical_id,
                                .physical_id = "",
                                .name_suffix = *suffix,
                                .properties = request.properties};
    if (!CheckTakeUp(named).ok()) continue;
    Json::Value body;
    body["TableName"] = name;
    const absl::StatusOr<Json::Value> table =
        Call(request, "DescribeTable", body);
    if (!table.ok()) return table.status();
    const double created = (*table)["Table"]["CreationDateTime"].asDouble();
    if (created > newest_time) {
      newest_time = created;
      newest = std::move(suffix);
    }
  }
  return newest;
}

absl::StatusOr<ResourceState> TableProvider::Create(
    const ResourceRequest& request) {
  const std::string name = NameOf(request);
  Json::Value body;
  body["TableName"] = name;
  for (const char* member : kCopied) {
    if (!request.properties[member].isNull()) {
      body[member] = request.properties[member];
    }
  }
  const Json::Value tags = TagsOf(request.properties);
  if (!tags.empty()) body["Tags"] = tags;
  absl::Status status = AddSettings(request.properties, body);
  if (!status.ok()) return status;
  const absl::StatusOr<Json::Value> table = Call(request, "CreateTable", body);
  if (!table.ok()) return table.status();
  status = SetTimeToLive(request, name, Json::Value());
  if (status.ok()) status = SetRecovery(request, name);
  if (!status.ok()) {
    (void)DeleteNew({.stack = request.stack,
                     .logical_id = request.logical_id,
                     .physical_id = name,
                     .name_suffix = request.name_suffix,
                     .properties = request.properties});
    return status;
  }
  return StateOf(request, name);
}

absl::StatusOr<ResourceState> TableProvider::Update(
    const ResourceRequest& request, const Json::Value& previous) {
  const std::string& name = request.physical_id;
  Json::Value body;
  Json::Value before;
  absl::Status status = AddSettings(request.properties, body);
  if (!status.ok()) return status;
  // Those of a rejected update may be wrong.
  const bool known = !previous.empty() && AddSettings(previous, before).ok();
  // UpdateTable rejects a request that changes nothing.
  for (const std::string& member : body.getMemberNames()) {
    if (known && before.isMember(member) && before[member] == body[member]) {
      body.removeMember(member);
    }
  }
  if (body.isMember("ProvisionedThroughput")) {
    Json::Value describe;
    describe["TableName"] = name;
    const absl::StatusOr<Json::Value> table =
        Call(request, "DescribeTable", describe);
    if (!table.ok()) return table.status();
    RemoveSameThroughput((*table)["Table"], body);
  }
  if (!body.empty()) {
    body["TableName"] = name;
    status = Call(request, "UpdateTable", body).status();
    if (!status.ok()) return status;
  }
  status = SetTimeToLive(request, name, previous);
  if (!status.ok()) return status;
  status = SetRecovery(request, name);
  if (!status.ok()) return status;
  if (request.properties["Tags"] != previous["Tags"]) {
    status = SetTags(request, previous);
    if (!status.ok()) return status;
  }
  return StateOf(request, name);
}

absl::Status TableProvider::SetTags(const ResourceRequest& request,
                                    const Json::Value& previous) {
  const std::string arn = ArnOf(request.stack, "dynamodb",
                                absl::StrCat("table/", request.physical_id));
  Json::Value untag;
  for (const Json::Value& tag : TagsOf(previous)) {
    untag["TagKeys"].append(tag["Key"]);
  }
  if (untag.isMember("TagKeys")) {
    untag["ResourceArn"] = arn;
    const absl::Status status = Call(request, "UntagResource", untag).status();
    if (!status.ok()) return status;
  }
  const Json::Value tags = TagsOf(request.properties);
  if (tags.empty()) return absl::OkStatus();
  Json::Value tag;
  tag["ResourceArn"] = arn;
  tag["Tags"] = tags;
  return Call(request, "TagResource", tag).status();
}

absl::Status TableProvider::SetTimeToLive(const ResourceRequest& request,
                                          absl::string_view table,
                                          const Json::Value& previous) {
  const Json::Value& now = request.properties["TimeToLiveSpecification"];
  const Json::Value& before = previous.isObject()
                                  ? previous["TimeToLiveSpecification"]
                                  : Json::Value::nullSingleton();
  const Json::Value& specification = now.isNull() ? before : now;
  if (specification.isNull()) return absl::OkStatus();
  const absl::StatusOr<bool> enabled =
      BoolProperty(specification, "Enabled", false);
  if (!enabled.ok()) return enabled.status();
  // Disables what the template no longer has, if it was enabled.
  const bool wanted = !now.isNull() && *enabled;
  if (!wanted && before.isNull()) return absl::OkStatus();
  Json::Value body;
  body["TableName"] = std::string(table);
  const absl::StatusOr<Json::Value> answer =
      Call(request, "DescribeTimeToLive", body);
  if (!answer.ok()) return answer.status();
  const Json::Value& current = (*answer)["TimeToLiveDescription"];
  const bool is_on = current["TimeToLiveStatus"] == "ENABLED";
  // UpdateTimeToLive, too, rejects a request that changes nothing.
  if (is_on == wanted &&
      (!is_on || current["AttributeName"] == specification["AttributeName"])) {
    return absl::OkStatus();
  }
  body["TimeToLiveSpecification"]["AttributeName"] =
      specification["AttributeName"];
  body["TimeToLiveSpecification"]["Enabled"] = wanted;
  return Call(request, "UpdateTimeToLive", body).status();
}

absl::Status TableProvider::SetRecovery(const ResourceRequest& request,
                                        absl::string_view table) {
  const absl::StatusOr<bool> enabled = BoolProperty(
      request.properties,
      "PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled", false);
  if (!enabled.ok()) return enabled.status();
  Json::Value body;
  body["TableName"] = std::string(table);
  body["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"] =
      *enabled;
  return Call(request, "UpdateContinuousBackups", body).status();
}

absl::Status TableProvider::Delete(const ResourceRequest& request) {
  Json::Value body;
  body["TableName"] = request.physical_id;
  const absl::Status status = Call(request, "DeleteTable", body).status();
  return absl::IsNotFound(status) ? absl::OkStatus() : status;
}

absl::Status TableProvider::DeleteNew(const ResourceRequest& request) {
  const absl::StatusOr<std::string> data = DescribeData(request);
  if (data.ok() && data->empty()) {
    Json::Value body;
    body["TableName"] = request.physical_id;
    body["DeletionProtectionEnabled"] = false;
    // If this fails, DeleteTable reports why the table is still there.
    Call(request, "UpdateTable", body).IgnoreError();
  }
  return Delete(request);
}

absl::StatusOr<std::string> TableProvider::DescribeData(
    const ResourceRequest& request) {
  Json::Value body;
  body["TableName"] = request.physical_id;
  const absl::StatusOr<Json::Value> table =
      Call(request, "DescribeTable", body);
  if (absl::IsNotFound(table.status())) return "";
  if (!table.ok()) return table.status();
  const int64_t items = (*table)["Table"]["ItemCount"].asInt64();
  if (items == 0) return "";
  return absl::StrCat(items, items == 1 ? " item" : " items");
}

}  // namespace

std::unique_ptr<ResourceProvider> NewTableProvider(Service& dynamodb) {
  return std::make_unique<TableProvider>(dynamodb);
}

}  // namespace byoshin::local::dynamodb
