#include "local/dynamodb/engine/table_json.h"

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/dynamodb/engine/table.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr char kHashKeyType[] = "HASH";
constexpr char kRangeKeyType[] = "RANGE";

// Times in the store: microseconds since 1970.
Json::Value StoredTime(const std::optional<absl::Time>& time) {
  if (!time) return Json::Value();
  return Json::Value(static_cast<Json::Int64>(absl::ToUnixMicros(*time)));
}

std::optional<absl::Time> ReadStoredTime(const Json::Value& json) {
  if (!json.isIntegral()) return std::nullopt;
  return absl::FromUnixMicros(json.asInt64());
}

void AppendKeys(const std::vector<KeyAttribute>& keys, const char* type,
                Json::Value& json) {
  for (const KeyAttribute& key : keys) {
    Json::Value element;
    element["AttributeName"] = key.name;
    element["KeyType"] = type;
    json.append(std::move(element));
  }
}

Json::Value KeySchemaToJson(const KeySchema& keys) {
  Json::Value json(Json::arrayValue);
  AppendKeys(keys.hash, kHashKeyType, json);
  AppendKeys(keys.range, kRangeKeyType, json);
  return json;
}

Json::Value ThroughputToJson(const Throughput& throughput) {
  Json::Value json;
  json["ReadCapacityUnits"] = Json::Int64{throughput.read_units};
  json["WriteCapacityUnits"] = Json::Int64{throughput.write_units};
  json["LastIncrease"] = StoredTime(throughput.last_increase);
  json["LastDecrease"] = StoredTime(throughput.last_decrease);
  json["DecreasesToday"] = throughput.decreases_that_day;
  return json;
}

Json::Value OnDemandToJson(const std::optional<OnDemandThroughput>& on_demand) {
  if (!on_demand) return Json::Value();
  Json::Value json(Json::objectValue);
  if (on_demand->max_read_units) {
    json["MaxReadRequestUnits"] = Json::Int64{*on_demand->max_read_units};
  }
  if (on_demand->max_write_units) {
    json["MaxWriteRequestUnits"] = Json::Int64{*on_demand->max_write_units};
  }
  return json;
}

Json::Value WarmToJson(const WarmThroughput& warm) {
  Json::Value json;
  json["ReadUnitsPerSecond"] = Json::Int64{warm.read_units};
  json["WriteUnitsPerSecond"] = Json::Int64{warm.write_units};
  return json;
}

Throughput ReadThroughput(const Json::Value& json) {
  Throughput throughput;
  if (!json.isObject()) return throughput;
  throughput.read_units = json["ReadCapacityUnits"].asInt64();
  throughput.write_units = json["WriteCapacityUnits"].asInt64();
  return throughput;
}

// The members that only the store has: a request may have anything under these
// names.
void ReadThroughputHistory(const Json::Value& stored, Throughput& throughput) {
  if (!stored.isObject()) return;
  throughput.last_increase = ReadStoredTime(stored["LastIncrease"]);
  throughput.last_decrease = ReadStoredTime(stored["LastDecrease"]);
  throughput.decreases_that_day = stored["DecreasesToday"].asInt();
}

// The same for the indexes, whose other members have been read.
void ReadIndexHistory(const Json::Value& stored_indexes, Table& table) {
  for (const Json::Value& stored : stored_indexes) {
    Index* index = table.FindIndex(stored["IndexName"].asString());
    if (index == nullptr) continue;  // each was read from the same list
    index->id = stored["Id"].asUInt();
    ReadThroughputHistory(stored["ProvisionedThroughput"], index->throughput);
  }
}

AttributeType TypeOf(absl::string_view name,
                     const std::vector<KeyAttribute>& attributes) {
  for (const KeyAttribute& attribute : attributes) {
    if (attribute.name == name) return attribute.type;
  }
  return AttributeType::kString;
}

absl::string_view ProjectionName(ProjectionType type) {
  switch (type) {
    case ProjectionType::kAll:
      return "ALL";
    case ProjectionType::kKeysOnly:
      return "KEYS_ONLY";
    case ProjectionType::kInclude:
      return "INCLUDE";
  }
  return "ALL";
}

ProjectionType ReadProjectionType(absl::string_view name) {
  if (name == "KEYS_ONLY") return ProjectionType::kKeysOnly;
  if (name == "INCLUDE") return ProjectionType::kInclude;
  return ProjectionType::kAll;
}

Json::Value ProjectionToJson(const Index& index) {
  Json::Value json;
  json["ProjectionType"] = std::string(ProjectionName(index.projection));
  if (index.projection == ProjectionType::kInclude) {
    Json::Value names(Json::arrayValue);
    for (const std::string& name : index.included) names.append(name);
    json["NonKeyAttributes"] = names;
  }
  return json;
}

Json::Value IndexToJson(const Index& index) {
  Json::Value json;
  json["IndexName"] = index.name;
  json["Id"] = Json::Int64{index.id};
  json["KeySchema"] = KeySchemaToJson(index.keys);
  json["Projection"] = ProjectionToJson(index);
  json["ProvisionedThroughput"] = ThroughputToJson(index.throughput);
  json["OnDemandThroughput"] = OnDemandToJson(index.on_demand);
  if (index.kind == IndexKind::kGlobal) {
    json["WarmThroughput"] = WarmToJson(index.warm);
  }
  return json;
}

void AppendMember(absl::string_view name, const Json::Value& value,
                  std::string& out) {
  absl::StrAppend(&out, "\"", name, "\":", json::WriteValue(value), ",");
}

void AppendTimeMember(absl::string_view name,
                      const std::optional<absl::Time>& time, std::string& out) {
  if (!time) return;
  absl::StrAppend(&out, "\"", name, "\":");
  AppendTime(*time, out);
  out += ',';
}

void AppendThroughput(const Throughput& throughput, absl::Time now,
                      std::string& out) {
  out += "\"ProvisionedThroughput\":{";
  AppendTimeMember("LastIncreaseDateTime", throughput.last_increase, out);
  AppendTimeMember("LastDecreaseDateTime", throughput.last_decrease, out);
  absl::StrAppend(
      &out, "\"NumberOfDecreasesToday\":", throughput.DecreasesOnDayOf(now),
      ",\"ReadCapacityUnits\":", throughput.read_units,
      ",\"WriteCapacityUnits\":", throughput.write_units, "},");
}

void AppendWarmThroughput(const WarmThroughput& warm, std::string& out) {
  Json::Value json = WarmToJson(warm);
  json["Status"] = "ACTIVE";
  AppendMember("WarmThroughput", json, out);
}

// What the descriptions of a table's parts have in common.
struct Describing {
  const Table& table;
  DescriptionOf state;
  absl::Time now;
};

void AppendIndex(const Describing& describing, const Index& index,
                 std::string& out) {
  out += '{';
  AppendMember("IndexName", index.name, out);
  AppendMember("KeySchema", KeySchemaToJson(index.keys), out);
  AppendMember("Projection", ProjectionToJson(index), out);
  if (index.kind == IndexKind::kGlobal) {
    out += "\"IndexStatus\":\"ACTIVE\",";
    AppendThroughput(index.throughput, describing.now, out);
    if (describing.state != DescriptionOf::kCreated) {
      AppendWarmThroughput(index.warm, out);
    }
    if (index.on_demand) {
      AppendMember("OnDemandThroughput", OnDemandToJson(index.on_demand), out);
    }
  }
  AppendMember("IndexArn", describing.table.IndexArn(index), out);
  absl::StrAppend(&out, "\"IndexSizeBytes\":", index.counters.bytes,
                  ",\"ItemCount\":", index.counters.items, "},");
}

void AppendIndexes(const Describing& describing, IndexKind kind,
                   std::string& out) {
  bool any = false;
  for (const Index& index : describing.table.indexes) {
    if (index.kind != kind) continue;
    if (!any) {
      out += kind == IndexKind::kGlobal ? "\"GlobalSecondaryIndexes\":["
                                        : "\"LocalSecondaryIndexes\":[";
    }
    any = true;
    AppendIndex(describing, index, out);
  }
  if (any) {
    out.back() = ']';
    out += ',';
  }
}

Json::Value AttributeDefinitionsToJson(const Table& table) {
  Json::Value json(Json::arrayValue);
  for (const KeyAttribute& attribute : table.attributes) {
    Json::Value definition;
    definition["AttributeName"] = attribute.name;
    definition["AttributeType"] = std::string(TypeName(attribute.type));
    json.append(definition);
  }
  return json;
}

void AppendBilling(const Describing& describing, std::string& out) {
  const Table& table = describing.table;
  AppendThroughput(table.throughput, describing.now, out);
  if (table.on_demand) {
    AppendMember("OnDemandThroughput", OnDemandToJson(table.on_demand), out);
  }
  if (!table.pay_per_request_since) return;
  const absl::string_view mode = table.billing == BillingMode::kPayPerRequest
                                     ? "PAY_PER_REQUEST"
                                     : "PROVISIONED";
  absl::StrAppend(&out, "\"BillingModeSummary\":{\"BillingMode\":\"", mode,
                  "\"");
  if (describing.state != DescriptionOf::kCreated) {
    out += ",\"LastUpdateToPayPerRequestDateTime\":";
    AppendTime(*table.pay_per_request_since, out);
  }
  out += "},";
}

// What AWS leaves out of a deleted table's description.
void AppendSchema(const Describing& describing, std::string& out) {
  const Table& table = describing.table;
  AppendMember("AttributeDefinitions", AttributeDefinitionsToJson(table), out);
  AppendMember("KeySchema", KeySchemaToJson(table.keys), out);
  AppendTimeMember("CreationDateTime", table.created, out);
  AppendIndexes(describing, IndexKind::kLocal, out);
  AppendIndexes(describing, IndexKind::kGlobal, out);
  // A new table has it only if it was asked for: then it has more than this.
  const bool is_plain = describing.state == DescriptionOf::kCreated &&
                        table.warm == ImpliedWarmThroughput(table);
  if (!is_plain) AppendWarmThroughput(table.warm, out);
}

void AppendEncryption(const Encryption& encryption, std::string& out) {
  Json::Value json;
  json["Status"] = "ENABLED";
  json["SSEType"] = "KMS";
  if (!encryption.kms_key_arn.empty()) {
    json["KMSMasterKeyArn"] = encryption.kms_key_arn;
  }
  AppendMember("SSEDescription", json, out);
}

Json::Value IndexesToJson(const Table& table, IndexKind kind) {
  Json::Value json(Json::arrayValue);
  for (const Index& index : table.indexes) {
    if (index.kind == kind) json.append(IndexToJson(index));
  }
  return json.empty() ? Json::Value() : json;
}

Table ReadTable(const Json::Value& value) {
  Table table;
  ReadDefinition(value, table);
  ReadThroughputHistory(value["ProvisionedThroughput"], table.throughput);
  ReadIndexHistory(value["LocalSecondaryIndexes"], table);
  ReadIndexHistory(value["GlobalSecondaryIndexes"], table);
  table.region = value["Region"].asString();
  table.arn = value["Arn"].asString();
  table.id = value["Id"].asUInt64();
  table.last_index_id = value["LastIndexId"].asUInt();
  table.uuid = value["Uuid"].asString();
  table.created = ReadStoredTime(value["Created"]).value_or(absl::UnixEpoch());
  table.pay_per_request_since = ReadStoredTime(value["PayPerRequestSince"]);
  table.time_to_live.enabled = value["TimeToLive"]["Enabled"].asBool();
  table.time_to_live.attribute = value["TimeToLive"]["Attribute"].asString();
  table.point_in_time_since = ReadStoredTime(value["PointInTimeSince"]);
  table.recovery_period_days = value["RecoveryPeriodDays"].asInt();
  return table;
}

}  // namespace

void AppendTime(absl::Time time, std::string& out) {
  const int64_t millis = absl::ToUnixMillis(time);
  absl::StrAppendFormat(&out, "%d.%03d", millis / 1000, millis % 1000);
}

void AppendDescription(const Table& table, DescriptionOf state, absl::Time now,
                       std::string& out) {
  const Describing describing{table, state, now};
  const bool is_deleted = state == DescriptionOf::kDeleted;
  out += '{';
  AppendMember("TableName", table.name, out);
  AppendMember("TableStatus", is_deleted ? "DELETING" : "ACTIVE", out);
  AppendBilling(describing, out);
  if (!is_deleted) AppendSchema(describing, out);
  if (table.encryption && table.encryption->enabled) {
    AppendEncryption(*table.encryption, out);
  }
  if (table.table_class) {
    Json::Value table_class;
    table_class["TableClass"] = *table.table_class;
    AppendMember("TableClassSummary", table_class, out);
  }
  AppendMember("DeletionProtectionEnabled", table.deletion_protection, out);
  AppendMember("TableArn", table.arn, out);
  AppendMember("TableId", table.uuid, out);
  absl::StrAppend(&out, "\"TableSizeBytes\":", table.counters.bytes,
                  ",\"ItemCount\":", table.counters.items, "}");
}

std::vector<KeyAttribute> ReadAttributeDefinitions(const Json::Value& json) {
  std::vector<KeyAttribute> attributes;
  for (const Json::Value& definition : json) {
    const std::optional<AttributeType> type =
        ParseTypeName(definition["AttributeType"].asString());
    attributes.push_back({definition["AttributeName"].asString(),
                          type.value_or(AttributeType::kString)});
  }
  return attributes;
}

KeySchema ReadKeySchema(const Json::Value& json,
                        const std::vector<KeyAttribute>& attributes) {
  KeySchema keys;
  for (const Json::Value& element : json) {
    KeyAttribute key{.name = element["AttributeName"].asString()};
    key.type = TypeOf(key.name, attributes);
    std::vector<KeyAttribute>& role =
        element["KeyType"].asString() == kHashKeyType ? keys.hash : keys.range;
    if (role.size() < kMaxKeyAttributes) role.push_back(std::move(key));
  }
  return keys;
}

OnDemandThroughput ReadOnDemandThroughput(const Json::Value& json) {
  OnDemandThroughput on_demand;
  if (const Json::Value& max = json["MaxReadRequestUnits"]; !max.isNull()) {
    on_demand.max_read_units = max.asInt64();
  }
  if (const Json::Value& max = json["MaxWriteRequestUnits"]; !max.isNull()) {
    on_demand.max_write_units = max.asInt64();
  }
  return on_demand;
}

WarmThroughput ReadWarmThroughput(const Json::Value& json) {
  if (!json.isObject()) return {};
  return {.read_units = json["ReadUnitsPerSecond"].asInt64(),
          .write_units = json["WriteUnitsPerSecond"].asInt64()};
}

Encryption ReadEncryption(const Json::Value& json) {
  Encryption encryption;
  encryption.enabled = json["Enabled"].asBool();
  encryption.kms_key_arn = json["KMSMasterKeyId"].asString();
  return encryption;
}

Index ReadIndex(const Json::Value& json, IndexKind kind,
                const std::vector<KeyAttribute>& attributes) {
  Index index;
  index.kind = kind;
  index.name = json["IndexName"].asString();
  index.keys = ReadKeySchema(json["KeySchema"], attributes);
  index.projection =
      ReadProjectionType(json["Projection"]["ProjectionType"].asString());
  for (const Json::Value& name : json["Projection"]["NonKeyAttributes"]) {
    index.included.push_back(name.asString());
  }
  // A local index uses the throughput of its table.
  if (kind == IndexKind::kLocal) return index;
  index.throughput = ReadThroughput(json["ProvisionedThroughput"]);
  if (const Json::Value& on_demand = json["OnDemandThroughput"];
      !on_demand.isNull()) {
    index.on_demand = ReadOnDemandThroughput(on_demand);
  }
  index.warm = ReadWarmThroughput(json["WarmThroughput"]);
  return index;
}

void ReadDefinition(const Json::Value& json, Table& table) {
  table.name = json["TableName"].asString();
  table.attributes = ReadAttributeDefinitions(json["AttributeDefinitions"]);
  table.keys = ReadKeySchema(json["KeySchema"], table.attributes);
  for (const Json::Value& index : json["LocalSecondaryIndexes"]) {
    table.indexes.push_back(
        ReadIndex(index, IndexKind::kLocal, table.attributes));
  }
  for (const Json::Value& index : json["GlobalSecondaryIndexes"]) {
    table.indexes.push_back(
        ReadIndex(index, IndexKind::kGlobal, table.attributes));
  }
  table.billing = json["BillingMode"].asString() == "PAY_PER_REQUEST"
                      ? BillingMode::kPayPerRequest
                      : BillingMode::kProvisioned;
  table.throughput = ReadThroughput(json["ProvisionedThroughput"]);
  if (const Json::Value& on_demand = json["OnDemandThroughput"];
      !on_demand.isNull()) {
    table.on_demand = ReadOnDemandThroughput(on_demand);
  }
  table.warm = ReadWarmThroughput(json["WarmThroughput"]);
  table.WarmUp();
  table.deletion_protection = json["DeletionProtectionEnabled"].asBool();
  if (const Json::Value& table_class = json["TableClass"];
      !table_class.isNull()) {
    table.table_class = table_class.asString();
  }
  if (const Json::Value& encryption = json["SSESpecification"];
      !encryption.isNull()) {
    table.encryption = ReadEncryption(encryption);
  }
  for (const Json::Value& tag : json["Tags"]) {
    table.tags[tag["Key"].asString()] = tag["Value"].asString();
  }
}

std::string TableToJson(const Table& table) {
  Json::Value json;
  json["TableName"] = table.name;
  json["AttributeDefinitions"] = AttributeDefinitionsToJson(table);
  json["KeySchema"] = KeySchemaToJson(table.keys);
  json["LocalSecondaryIndexes"] = IndexesToJson(table, IndexKind::kLocal);
  json["GlobalSecondaryIndexes"] = IndexesToJson(table, IndexKind::kGlobal);
  json["BillingMode"] = table.billing == BillingMode::kPayPerRequest
                            ? "PAY_PER_REQUEST"
                            : "PROVISIONED";
  json["ProvisionedThroughput"] = ThroughputToJson(table.throughput);
  json["OnDemandThroughput"] = OnDemandToJson(table.on_demand);
  json["WarmThroughput"] = WarmToJson(table.warm);
  json["DeletionProtectionEnabled"] = table.deletion_protection;
  if (table.table_class) json["TableClass"] = *table.table_class;
  if (table.encryption) {
    json["SSESpecification"]["Enabled"] = table.encryption->enabled;
    json["SSESpecification"]["KMSMasterKeyId"] = table.encryption->kms_key_arn;
  }
  for (const auto& [key, value] : table.tags) {
    Json::Value tag;
    tag["Key"] = key;
    tag["Value"] = value;
    json["Tags"].append(tag);
  }
  json["Region"] = table.region;
  json["Arn"] = table.arn;
  json["Id"] = Json::UInt64{table.id};
  json["LastIndexId"] = table.last_index_id;
  json["Uuid"] = table.uuid;
  json["Created"] = StoredTime(table.created);
  json["PayPerRequestSince"] = StoredTime(table.pay_per_request_since);
  json["TimeToLive"]["Enabled"] = table.time_to_live.enabled;
  json["TimeToLive"]["Attribute"] = table.time_to_live.attribute;
  json["PointInTimeSince"] = StoredTime(table.point_in_time_since);
  json["RecoveryPeriodDays"] = table.recovery_period_days;
  return json::WriteValue(json);
}

absl::StatusOr<Table> TableFromJson(absl::string_view text) {
  const absl::Status damaged =
      absl::DataLossError("a table's description is damaged");
  absl::StatusOr<Json::Value> json = json::ParseValue(text);
  if (!json.ok() || !json->isObject() || !(*json)["Id"].isUInt64() ||
      !(*json)["KeySchema"].isArray() || (*json)["KeySchema"].empty() ||
      !(*json)["TimeToLive"].isObject()) {
    return damaged;
  }
  // jsoncpp throws if a member has another type.
  try {
    return ReadTable(*json);
  } catch (const Json::Exception&) {
    return damaged;
  }
}

}  // namespace byoshin::local::dynamodb
