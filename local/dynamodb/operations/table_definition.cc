#include "local/dynamodb/operations/table_definition.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/wire/errors.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr int64_t kMaxCapacityUnits = 1'000'000'000'000;

constexpr int64_t kMaxKeyNameLength = 255;

Shape KeySchemaOf(std::optional<int64_t> max_length) {
  return List(Struct(
                  "KeySchemaElement",
                  {{"AttributeName",
                    String().Required().Length(1, kMaxKeyNameLength)},
                   {"KeyType", String().Required().OneOf({"HASH", "RANGE"})}}))
      .Required()
      .Length(1, max_length);
}

std::vector<std::string> NamesIn(const Json::Value& list) {
  std::vector<std::string> names;
  for (const Json::Value& element : list) {
    names.push_back(element["AttributeName"].asString());
  }
  return names;
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

absl::Status CheckKeysDefined(const std::vector<std::string>& keys,
                              const std::vector<std::string>& definitions) {
  for (const std::string& key : keys) {
    if (Contains(definitions, key)) continue;
    return InvalidParameter(absl::StrCat(
        "Some index key attributes are not defined in AttributeDefinitions. "
        "Keys: [",
        absl::StrJoin(keys, ", "), "], AttributeDefinitions: [",
        absl::StrJoin(definitions, ", "), "]"));
  }
  return absl::OkStatus();
}

absl::Status CheckKeyTypes(const Json::Value& key_schema) {
  if (key_schema.size() == 2 && key_schema[0]["AttributeName"].asString() ==
                                    key_schema[1]["AttributeName"].asString()) {
    return ValidationError(
        "Both the Hash Key and the Range Key element in the KeySchema have the "
        "same name");
  }
  if (key_schema[0]["KeyType"].asString() != "HASH") {
    return ValidationError(
        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (key_schema.size() == 2 &&
      key_schema[1]["KeyType"].asString() != "RANGE") {
    return ValidationError(
        "Invalid KeySchema: The second KeySchemaElement is not a RANGE key "
        "type");
  }
  return absl::OkStatus();
}

// The keys of a global index. A key with one attribute of each role is checked
// as that of a table.
absl::Status CheckGlobalKeyTypes(const Json::Value& key_schema) {
  size_t hashes = 0;
  size_t ranges = 0;
  std::set<std::string> names;
  for (const Json::Value& key : key_schema) {
    if (key["KeyType"].asString() == "RANGE") {
      ++ranges;
    } else if (ranges > 0 && hashes > 0) {
      return InvalidParameter(
          "All HASH key attributes must precede RANGE key attributes in the "
          "KeySchema");
    } else {
      ++hashes;
    }
    if (!names.insert(key["AttributeName"].asString()).second) {
      return ValidationError(
          "The KeySchema contains multiple key attributes with the same name");
    }
  }
  for (const auto& [role, count] :
       {std::pair("HASH", hashes), std::pair("RANGE", ranges)}) {
    if (count <= kMaxKeyAttributes) continue;
    return InvalidParameter(
        absl::StrCat("The KeySchema exceeds the maximum allowed number of ",
                     role, " key attributes"));
  }
  return absl::OkStatus();
}

bool IsPlainKey(const Json::Value& key_schema) {
  return key_schema.size() == 1 ||
         (key_schema.size() == 2 &&
          key_schema[1]["KeyType"].asString() == "RANGE");
}

absl::Status CheckBilling(const Json::Value& request) {
  const Json::Value& throughput = request["ProvisionedThroughput"];
  if (request["BillingMode"].asString() == "PAY_PER_REQUEST") {
    if (throughput.isNull()) return absl::OkStatus();
    return InvalidParameter(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
        "when BillingMode is PAY_PER_REQUEST");
  }
  if (throughput.isNull()) {
    return InvalidParameter(
        "ReadCapacityUnits and WriteCapacityUnits must both be specified when "
        "BillingMode is PROVISIONED");
  }
  return CheckThroughput(throughput);
}

absl::Status CheckTableKeys(const Json::Value& request) {
  const std::vector<std::string> keys = NamesIn(request["KeySchema"]);
  const std::vector<std::string> definitions =
      NamesIn(request["AttributeDefinitions"]);
  if (keys.size() > definitions.size()) {
    return ValidationError(
        "Invalid KeySchema: Some index key attribute have no definition");
  }
  absl::Status status = CheckKeysDefined(keys, definitions);
  if (status.ok()) status = CheckKeyTypes(request["KeySchema"]);
  if (!status.ok()) return status;
  if (!Has(request, "LocalSecondaryIndexes") &&
      !Has(request, "GlobalSecondaryIndexes") &&
      keys.size() != definitions.size()) {
    return InvalidParameter(
        "Number of attributes in KeySchema does not exactly match number of "
        "attributes defined in AttributeDefinitions");
  }
  return absl::OkStatus();
}

absl::Status CheckLocalIndexKeys(const Json::Value& index,
                                 const std::string& table_hash) {
  const std::string name = index["IndexName"].asString();
  const Json::Value& keys = index["KeySchema"];
  if (keys.size() != 2) {
    return InvalidParameter(absl::StrCat(
        "Index KeySchema does not have a range key for index: ", name));
  }
  const std::string hash = keys[0]["AttributeName"].asString();
  if (hash != table_hash) {
    return InvalidParameter(absl::StrCat(
        "Index KeySchema does not have the same leading hash key as table "
        "KeySchema for index: ",
        name, ". index hash key: ", hash, ", table hash key: ", table_hash));
  }
  return absl::OkStatus();
}

absl::Status CheckNameIsNew(const Json::Value& index,
                            std::set<std::string>& names) {
  const std::string name = index["IndexName"].asString();
  if (names.insert(name).second) return absl::OkStatus();
  return InvalidParameter(absl::StrCat("Duplicate index name: ", name));
}

absl::Status CheckLocalIndexes(const Json::Value& request,
                               std::set<std::string>& names) {
  const Json::Value& indexes = request["LocalSecondaryIndexes"];
  if (indexes.isNull()) return absl::OkStatus();
  if (indexes.empty()) {
    return InvalidParameter("List of LocalSecondaryIndexes is empty");
  }
  if (request["KeySchema"].size() != 2) {
    return InvalidParameter(
        "Table KeySchema does not have a range key, which is required when "
        "specifying a LocalSecondaryIndex");
  }
  const std::string table_hash =
      request["KeySchema"][0]["AttributeName"].asString();
  for (const Json::Value& index : indexes) {
    absl::Status status = CheckIndexKeys(index, IndexKind::kLocal,
                                         request["AttributeDefinitions"]);
    if (status.ok()) status = CheckLocalIndexKeys(index, table_hash);
    if (status.ok()) status = CheckProjection(index);
    if (status.ok()) status = CheckNameIsNew(index, names);
    if (!status.ok()) return status;
  }
  if (indexes.size() > kMaxLocalIndexes) {
    return InvalidParameter(absl::StrCat(
        "Number of LocalSecondaryIndexes exceeds per-table limit of ",
        kMaxLocalIndexes));
  }
  return absl::OkStatus();
}

absl::Status CheckGlobalIndexBilling(const Json::Value& request,
                                     const Json::Value& index) {
  const bool by_request =
      request["BillingMode"].asString() == "PAY_PER_REQUEST";
  const std::string name = index["IndexName"].asString();
  if (by_request && Has(index, "ProvisionedThroughput")) {
    return InvalidParameter(absl::StrCat(
        "ProvisionedThroughput should not be specified for index: ", name,
        " when BillingMode is PAY_PER_REQUEST"));
  }
  if (!by_request && !Has(index, "ProvisionedThroughput")) {
    return InvalidParameter(absl::StrCat(
        "ProvisionedThroughput is not specified for index: ", name));
  }
  return CheckThroughput(index["ProvisionedThroughput"]);
}

absl::Status CheckGlobalIndexes(const Json::Value& request,
                                std::set<std::string>& names) {
  const Json::Value& indexes = request["GlobalSecondaryIndexes"];
  if (indexes.isNull()) return absl::OkStatus();
  if (indexes.empty()) {
    return InvalidParameter("List of GlobalSecondaryIndexes is empty");
  }
  for (const Json::Value& index : indexes) {
    absl::Status status = CheckIndexKeys(index, IndexKind::kGlobal,
                                         request["AttributeDefinitions"]);
    if (status.ok()) status = CheckProjection(index);
    if (status.ok()) status = CheckGlobalIndexBilling(request, index);
    if (status.ok()) status = CheckNameIsNew(index, names);
    if (!status.ok()) return status;
  }
  if (indexes.size() > kMaxGlobalIndexes) {
    return InvalidParameter(absl::StrCat(
        "GlobalSecondaryIndex count exceeds the per-table limit of ",
        kMaxGlobalIndexes));
  }
  return absl::OkStatus();
}

// Of a new table and its indexes.
absl::Status CheckNewWarmThroughput(const Json::Value& request) {
  const bool by_request =
      request["BillingMode"].asString() == "PAY_PER_REQUEST";
  const auto check = [&](const Json::Value& json, absl::string_view owner) {
    if (by_request) {
      return CheckWarmThroughput(json["WarmThroughput"],
                                 kOnDemandWarmThroughput, owner,
                                 "initial throughput for OnDemand");
    }
    const Json::Value& throughput = json["ProvisionedThroughput"];
    return CheckWarmThroughput(
        json["WarmThroughput"],
        {.read_units = throughput["ReadCapacityUnits"].asInt64(),
         .write_units = throughput["WriteCapacityUnits"].asInt64()},
        owner, "the capacity units of ProvisionedThroughput");
  };
  absl::Status status = check(request, "table");
  for (const Json::Value& index : request["GlobalSecondaryIndexes"]) {
    if (!status.ok()) break;
    status =
        check(index, absl::StrCat("index ", index["IndexName"].asString()));
  }
  return status;
}

absl::Status CheckNonKeyAttributes(const Json::Value& request) {
  size_t count = 0;
  for (const char* list : {"LocalSecondaryIndexes", "GlobalSecondaryIndexes"}) {
    for (const Json::Value& index : request[list]) {
      count += index["Projection"]["NonKeyAttributes"].size();
    }
  }
  return CheckNonKeyAttributesOfTable(count);
}

absl::Status CheckDefinitionsUsed(const Json::Value& request) {
  std::vector<std::string> used = NamesIn(request["KeySchema"]);
  for (const char* list : {"LocalSecondaryIndexes", "GlobalSecondaryIndexes"}) {
    for (const Json::Value& index : request[list]) {
      for (const std::string& name : NamesIn(index["KeySchema"])) {
        if (!Contains(used, name)) used.push_back(name);
      }
    }
  }
  const std::vector<std::string> definitions =
      NamesIn(request["AttributeDefinitions"]);
  for (const std::string& name : definitions) {
    if (Contains(used, name)) continue;
    return InvalidParameter(absl::StrCat(
        "Some AttributeDefinitions are not used. AttributeDefinitions: [",
        absl::StrJoin(definitions, ", "), "], keys used: [",
        absl::StrJoin(used, ", "), "]"));
  }
  return absl::OkStatus();
}

}  // namespace

Shape AttributeDefinitionsShape() {
  return List(
      Struct("AttributeDefinition",
             {{"AttributeName", String().Required().Length(1, 255)},
              {"AttributeType", String().Required().OneOf({"B", "N", "S"})}}));
}

Shape ThroughputShape() {
  return Struct("ProvisionedThroughput",
                {{"WriteCapacityUnits", Long().Required().Range(1, {})},
                 {"ReadCapacityUnits", Long().Required().Range(1, {})}});
}

Shape OnDemandThroughputShape() {
  return Struct("OnDemandThroughput", {{"MaxReadRequestUnits", Long()},
                                       {"MaxWriteRequestUnits", Long()}});
}

Shape WarmThroughputShape() {
  return Struct("WarmThroughput",
                {{"ReadUnitsPerSecond", Long().Range(1, {})},
                 {"WriteUnitsPerSecond", Long().Range(1, {})}});
}

Shape ProjectionShape() {
  return Struct(
      "Projection",
      {{"ProjectionType", String().OneOf({"ALL", "INCLUDE", "KEYS_ONLY"})},
       {"NonKeyAttributes",
        List(String().Length(1, 255)).Length(1, kMaxNonKeyAttributes)}});
}

Shape BillingModeShape() {
  return String().OneOf({"PROVISIONED", "PAY_PER_REQUEST"});
}

Shape TableClassShape() {
  return String().OneOf({"STANDARD", "STANDARD_INFREQUENT_ACCESS"});
}

// A table without replicas has nothing to replicate: it has no effect.
Shape ReplicationModeShape() {
  return String().OneOf({"ENABLED", "DISABLED", "ENABLED_WITH_OVERRIDES"});
}

Shape EncryptionShape() {
  return Struct("SSESpecification",
                {{"Enabled", Boolean()},
                 {"SSEType", String().OneOf({"AES256", "KMS"})},
                 {"KMSMasterKeyId", String()}});
}

Shape StreamShape() {
  return Struct("StreamSpecification",
                {{"StreamEnabled", Boolean().Required()},
                 {"StreamViewType",
                  String().OneOf({"NEW_IMAGE", "OLD_IMAGE",
                                  "NEW_AND_OLD_IMAGES", "KEYS_ONLY"})}});
}

Shape TagKeyShape() { return String().Length(1, 128); }

Shape TagsShape() {
  return List(Struct("Tag", {{"Key", TagKeyShape().Required()},
                             {"Value", String().Required().Length({}, 256)}}));
}

Shape KeySchemaShape() { return KeySchemaOf(2); }

Shape GlobalKeySchemaShape() { return KeySchemaOf({}); }

absl::Status CheckAttributeDefinitions(const Json::Value& definitions) {
  std::set<std::string> seen;
  for (const std::string& name : NamesIn(definitions)) {
    if (!seen.insert(name).second) {
      return ValidationError(
          absl::StrCat("Attribute Name is duplicated: ", name));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckNonKeyAttributesOfTable(size_t count) {
  if (count <= kMaxNonKeyAttributesOfTable) return absl::OkStatus();
  return InvalidParameter(absl::StrCat(
      "Number of NonKeyAttributes of all indexes together, ", count,
      ", exceeds the per-table limit of ", kMaxNonKeyAttributesOfTable));
}

absl::Status CheckThroughput(const Json::Value& throughput) {
  for (const char* name : {"ReadCapacityUnits", "WriteCapacityUnits"}) {
    const int64_t units = throughput.isNull() ? 0 : throughput[name].asInt64();
    if (units > kMaxCapacityUnits) {
      return ValidationError(absl::StrCat("Given value ", units, " for ", name,
                                          " is out of bounds"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckWarmThroughput(const Json::Value& warm,
                                 const WarmThroughput& current,
                                 absl::string_view owner,
                                 absl::string_view what) {
  for (const auto& [name, least] :
       {std::pair("ReadUnitsPerSecond", current.read_units),
        std::pair("WriteUnitsPerSecond", current.write_units)}) {
    if (warm.isNull() || !Has(warm, name) || warm[name].asInt64() >= least) {
      continue;
    }
    return InvalidParameter(absl::StrCat("Requested ", name,
                                         " for WarmThroughput for ", owner,
                                         " is lower than ", what));
  }
  return absl::OkStatus();
}

absl::Status CheckIndexKeys(const Json::Value& index, IndexKind kind,
                            const Json::Value& attribute_definitions) {
  const Json::Value& keys = index["KeySchema"];
  absl::Status status =
      CheckKeysDefined(NamesIn(keys), NamesIn(attribute_definitions));
  if (!status.ok()) return status;
  const bool starts_with_hash = keys[0]["KeyType"].asString() == "HASH";
  return kind == IndexKind::kLocal || IsPlainKey(keys) || !starts_with_hash
             ? CheckKeyTypes(keys)
             : CheckGlobalKeyTypes(keys);
}

absl::Status CheckProjection(const Json::Value& index) {
  const Json::Value& projection = index["Projection"];
  const Json::Value& type = projection["ProjectionType"];
  if (type.isNull()) return InvalidParameter("Unknown ProjectionType: null");
  const bool includes = type.asString() == "INCLUDE";
  if (Has(projection, "NonKeyAttributes") && !includes) {
    return InvalidParameter(
        absl::StrCat("ProjectionType is ", type.asString(),
                     ", but NonKeyAttributes is specified"));
  }
  if (!Has(projection, "NonKeyAttributes") && includes) {
    return InvalidParameter(
        "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  }
  std::set<std::string> names;
  for (const Json::Value& name : projection["NonKeyAttributes"]) {
    if (!names.insert(name.asString()).second) {
      return InvalidParameter(absl::StrCat(
          "Duplicate element in NonKeyAttributes: ", name.asString()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckNoUnsupportedSettings(const Json::Value& request) {
  if (request["StreamSpecification"]["StreamEnabled"].asBool()) {
    return Unsupported("DynamoDB Streams (StreamSpecification) are");
  }
  for (const char* name :
       {"ResourcePolicy", "ReplicaUpdates", "GlobalTableWitnessUpdates",
        "MultiRegionConsistency", "GlobalTableSourceArn"}) {
    if (Has(request, name)) return Unsupported(absl::StrCat(name, " is"));
  }
  for (const char* name : {"VectorIndexes", "VectorIndexUpdates"}) {
    if (Has(request, name)) {
      return Unsupported(absl::StrCat("Vector search (", name, ") is"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckTableDefinition(const Json::Value& request) {
  absl::Status status = CheckBilling(request);
  std::set<std::string> index_names;
  if (status.ok()) {
    status = CheckAttributeDefinitions(request["AttributeDefinitions"]);
  }
  if (status.ok()) status = CheckTableKeys(request);
  if (status.ok()) status = CheckLocalIndexes(request, index_names);
  if (status.ok()) status = CheckGlobalIndexes(request, index_names);
  if (status.ok()) status = CheckNewWarmThroughput(request);
  if (status.ok()) status = CheckNonKeyAttributes(request);
  if (status.ok()) status = CheckDefinitionsUsed(request);
  if (status.ok()) status = CheckNoUnsupportedSettings(request);
  if (status.ok()) status = CheckTags(request["Tags"]);
  return status;
}

}  // namespace byoshin::local::dynamodb
