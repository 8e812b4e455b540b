// UpdateTable
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/dynamodb/engine/items.h"
#include "local/dynamodb/engine/table_json.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/operations/table_definition.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

const Shape& UpdateTableShape() {
  static const auto* shape = new Shape(Struct(
      "UpdateTableInput",
      {{"TableName", ControlTableName()},
       {"AttributeDefinitions", AttributeDefinitionsShape()},
       {"ProvisionedThroughput", ThroughputShape()},
       {"OnDemandThroughput", OnDemandThroughputShape()},
       {"WarmThroughput", WarmThroughputShape()},
       {"BillingMode", BillingModeShape()},
       {"GlobalSecondaryIndexUpdates",
        List(Struct(
            "GlobalSecondaryIndexUpdate",
            {{"Update",
              Struct("UpdateGlobalSecondaryIndexAction",
                     {{"IndexName", IndexName().Required()},
                      {"ProvisionedThroughput", ThroughputShape()},
                      {"OnDemandThroughput", OnDemandThroughputShape()},
                      {"WarmThroughput", WarmThroughputShape()}})},
             {"Create",
              Struct("CreateGlobalSecondaryIndexAction",
                     {{"Projection", ProjectionShape().Required()},
                      {"IndexName", IndexName().Required()},
                      {"ProvisionedThroughput", ThroughputShape()},
                      {"OnDemandThroughput", OnDemandThroughputShape()},
                      {"WarmThroughput", WarmThroughputShape()},
                      {"KeySchema", GlobalKeySchemaShape()}})},
             {"Delete", Struct("DeleteGlobalSecondaryIndexAction",
                               {{"IndexName", IndexName().Required()}})}}))},
       {"StreamSpecification", StreamShape()},
       {"SSESpecification", EncryptionShape()},
       {"TableClass", TableClassShape()},
       {"DeletionProtectionEnabled", Boolean()},
       {"GlobalTableSettingsReplicationMode", ReplicationModeShape()}}));
  return *shape;
}

// The kind of an element of GlobalSecondaryIndexUpdates.
const char* ActionOf(const Json::Value& update) {
  for (const char* action : {"Update", "Create", "Delete"}) {
    if (Has(update, action)) return action;
  }
  return nullptr;
}

int CountActions(const Json::Value& update) {
  int count = 0;
  for (const char* action : {"Update", "Create", "Delete"}) {
    if (Has(update, action)) ++count;
  }
  return count;
}

absl::Status CheckIndexUpdates(const Json::Value& updates) {
  std::set<std::string> names;
  int online_changes = 0;
  for (const Json::Value& update : updates) {
    const char* action = ActionOf(update);
    if (action == nullptr) {
      return InvalidParameter(
          "One of GlobalSecondaryIndexUpdate.Update, "
          "GlobalSecondaryIndexUpdate.Create, "
          "GlobalSecondaryIndexUpdate.Delete must not be null");
    }
    if (CountActions(update) > 1) {
      return InvalidParameter(
          "Only one global secondary index action is allowed per "
          "GlobalSecondaryIndexUpdate object");
    }
    const std::string name = update[action]["IndexName"].asString();
    if (!names.insert(name).second) {
      return InvalidParameter(absl::StrCat(
          "Only one global secondary index update per index is allowed "
          "simultaneously. Index: ",
          name));
    }
    absl::Status status =
        CheckThroughput(update[action]["ProvisionedThroughput"]);
    if (!status.ok()) return status;
    if (!Has(update, "Update")) ++online_changes;
  }
  if (online_changes > 1) {
    return LimitExceeded(
        "Subscriber limit exceeded: Only 1 online index can be created or "
        "deleted simultaneously per table");
  }
  return absl::OkStatus();
}

absl::Status CheckRequest(const Json::Value& request) {
  bool changes = false;
  for (const char* name :
       {"ProvisionedThroughput", "BillingMode", "SSESpecification",
        "OnDemandThroughput", "TableClass", "DeletionProtectionEnabled",
        "StreamSpecification", "WarmThroughput", "ReplicaUpdates",
        "VectorIndexUpdates"}) {
    changes = changes || Has(request, name);
  }
  if (!changes && request["GlobalSecondaryIndexUpdates"].empty()) {
    return ValidationError(
        "At least one of ProvisionedThroughput, BillingMode, "
        "UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, "
        "ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
        "MultiRegionConsistency, DeletionProtectionEnabled, "
        "OnDemandThroughput, WarmThroughput or TableClass is required");
  }
  if (Has(request, "GlobalSecondaryIndexUpdates") &&
      request["GlobalSecondaryIndexUpdates"].empty()) {
    return InvalidParameter("List of GlobalSecondaryIndexUpdates is empty");
  }
  if (request["BillingMode"].asString() == "PROVISIONED" &&
      !Has(request, "ProvisionedThroughput")) {
    return InvalidParameter(
        "ProvisionedThroughput must be specified when BillingMode is "
        "PROVISIONED");
  }
  absl::Status status = CheckThroughput(request["ProvisionedThroughput"]);
  if (status.ok()) {
    status = CheckAttributeDefinitions(request["AttributeDefinitions"]);
  }
  if (status.ok()) {
    status = CheckIndexUpdates(request["GlobalSecondaryIndexUpdates"]);
  }
  if (status.ok()) status = CheckNoUnsupportedSettings(request);
  return status;
}

bool IsAttributeUsed(const Table& table, const std::string& name) {
  return table.keys.Contains(name) ||
         std::any_of(
             table.indexes.begin(), table.indexes.end(),
             [&](const Index& index) { return index.keys.Contains(name); });
}

// Applies the changes to `table`, without changing the store.
class TableUpdate {
 public:
  TableUpdate(const Json::Value& request, absl::Time now, Table& table)
      : request_(request), now_(now), table_(table) {}

  absl::Status Apply() {
    absl::Status status = ApplyBilling();
    MergeAttributes();
    for (const Json::Value& update : request_["GlobalSecondaryIndexUpdates"]) {
      if (status.ok()) status = ApplyIndexUpdate(update);
    }
    if (status.ok()) {
      status =
          RaiseWarmThroughput(request_["WarmThroughput"], "table", table_.warm);
    }
    if (status.ok()) status = CheckAllIndexesPaid();
    if (status.ok()) {
      status = CheckNonKeyAttributesOfTable(CountNonKeyAttributes());
    }
    if (!status.ok()) return status;
    ApplySettings();
    table_.WarmUp();
    std::erase_if(table_.attributes, [&](const KeyAttribute& attribute) {
      return !IsAttributeUsed(table_, attribute.name);
    });
    return absl::OkStatus();
  }

  const std::vector<std::string>& created() const { return created_; }
  const std::vector<std::string>& deleted() const { return deleted_; }

 private:
  absl::Status ApplyBilling() {
    const BillingMode before = table_.billing;
    if (Has(request_, "BillingMode")) {
      table_.billing = request_["BillingMode"].asString() == "PROVISIONED"
                           ? BillingMode::kProvisioned
                           : BillingMode::kPayPerRequest;
    }
    const Json::Value& throughput = request_["ProvisionedThroughput"];
    if (table_.billing == BillingMode::kPayPerRequest) {
      if (!throughput.isNull()) {
        return InvalidParameter(
            "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
            "when BillingMode is PAY_PER_REQUEST");
      }
      if (before != table_.billing) PayByRequest();
      return absl::OkStatus();
    }
    return throughput.isNull()
               ? absl::OkStatus()
               : ChangeThroughput(throughput, "table", table_.throughput);
  }

  void PayByRequest() {
    table_.pay_per_request_since = now_;
    table_.throughput = {.last_decrease = now_};
    for (Index& index : table_.indexes) {
      if (index.kind == IndexKind::kGlobal) {
        index.throughput = {.last_decrease = now_};
      }
    }
  }

  // `what` is "table" or "index NAME".
  absl::Status ChangeThroughput(const Json::Value& wanted,
                                absl::string_view what,
                                Throughput& throughput) {
    const int64_t read = wanted["ReadCapacityUnits"].asInt64();
    const int64_t write = wanted["WriteCapacityUnits"].asInt64();
    if (read == throughput.read_units && write == throughput.write_units) {
      return ThroughputUnchanged(what, throughput);
    }
    if (read > throughput.read_units || write > throughput.write_units) {
      throughput.last_increase = now_;
    }
    if (read < throughput.read_units || write < throughput.write_units) {
      throughput.decreases_that_day = throughput.DecreasesOnDayOf(now_) + 1;
      throughput.last_decrease = now_;
    }
    throughput.read_units = read;
    throughput.write_units = write;
    return absl::OkStatus();
  }

  static absl::Status ThroughputUnchanged(absl::string_view what,
                                          const Throughput& throughput) {
    const bool is_table = what == "table";
    const std::string owner = is_table ? "the table" : std::string(what);
    return ValidationError(absl::StrCat(
        "The provisioned throughput for the ", what,
        " will not change. The requested value equals the current value. "
        "Current ReadCapacityUnits provisioned for ",
        owner, ": ", throughput.read_units, ". Requested ReadCapacityUnits: ",
        throughput.read_units, ". Current WriteCapacityUnits provisioned for ",
        owner, ": ", throughput.write_units,
        ". Requested WriteCapacityUnits: ", throughput.write_units,
        ". Refer to the Amazon DynamoDB Developer Guide for current limits and "
        "how to request higher limits."));
  }

  // Only a new index uses them. Others are ignored, even if their type differs
  // from the table's.
  void MergeAttributes() {
    for (const KeyAttribute& attribute :
         ReadAttributeDefinitions(request_["AttributeDefinitions"])) {
      const auto known = std::find_if(
          table_.attributes.begin(), table_.attributes.end(),
          [&](const KeyAttribute& a) { return a.name == attribute.name; });
      if (known == table_.attributes.end()) {
        table_.attributes.push_back(attribute);
      }
    }
  }

  absl::Status ApplyIndexUpdate(const Json::Value& update) {
    if (Has(update, "Create")) return CreateIndex(update["Create"]);
    const Json::Value& action = update[ActionOf(update)];
    Index* index = table_.FindIndex(action["IndexName"].asString());
    if (index == nullptr || index->kind != IndexKind::kGlobal) {
      return ResourceNotFound();
    }
    if (Has(update, "Update")) return UpdateIndex(action, *index);
    deleted_.push_back(index->name);
    std::erase_if(table_.indexes,
                  [&](const Index& i) { return i.name == deleted_.back(); });
    return absl::OkStatus();
  }

  static absl::Status RaiseWarmThroughput(const Json::Value& json,
                                          absl::string_view owner,
                                          WarmThroughput& warm) {
    absl::Status status = CheckWarmThroughput(
        json, warm, owner,
        "current WarmThroughput, decreasing WarmThroughput is not supported");
    if (status.ok()) warm.RaiseTo(ReadWarmThroughput(json));
    return status;
  }

  absl::Status UpdateIndex(const Json::Value& action, Index& index) {
    absl::Status status =
        RaiseWarmThroughput(action["WarmThroughput"],
                            absl::StrCat("index ", index.name), index.warm);
    if (!status.ok()) return status;
    if (Has(action, "OnDemandThroughput")) {
      index.on_demand = ReadOnDemandThroughput(action["OnDemandThroughput"]);
    }
    const Json::Value& throughput = action["ProvisionedThroughput"];
    if (throughput.isNull()) return absl::OkStatus();
    if (table_.billing == BillingMode::kPayPerRequest) {
      return InvalidParameter(
          absl::StrCat("The only Updates for index: ", index.name,
                       " when TableThroughputMode is PAY_PER_REQUEST can be to "
                       "OnDemandThroughput, WarmThroughput"));
    }
    return ChangeThroughput(throughput, absl::StrCat("index ", index.name),
                            index.throughput);
  }

  absl::Status CreateIndex(const Json::Value& action) {
    const std::string name = action["IndexName"].asString();
    if (table_.FindIndex(name) != nullptr) {
      return ValidationError(
          "Attempting to create an index which already exists");
    }
    if (request_["AttributeDefinitions"].empty()) {
      return InvalidParameter(absl::StrCat(
          "AttributeDefinitions is not specified for index: ", name));
    }
    absl::Status status = CheckIndexKeys(action, IndexKind::kGlobal,
                                         request_["AttributeDefinitions"]);
    if (status.ok()) status = CheckProjection(action);
    if (!status.ok()) return status;
    const bool has_throughput = Has(action, "ProvisionedThroughput");
    if (has_throughput && table_.billing == BillingMode::kPayPerRequest) {
      return InvalidParameter(
          absl::StrCat("Neither ReadCapacityUnits nor WriteCapacityUnits can "
                       "be specified for index: ",
                       name, " when BillingMode is PAY_PER_REQUEST"));
    }
    if (!has_throughput && table_.billing == BillingMode::kProvisioned) {
      return InvalidParameter(
          absl::StrCat("Both ReadCapacityUnits and WriteCapacityUnits must be "
                       "specified for index: ",
                       name));
    }
    if (CountGlobalIndexes() >= kMaxGlobalIndexes) {
      return LimitExceeded(
          absl::StrCat("Subscriber limit exceeded: Number of global secondary "
                       "indexes exceeds per-table limit of ",
                       kMaxGlobalIndexes));
    }
    Index index = ReadIndex(action, IndexKind::kGlobal, table_.attributes);
    index.id = ++table_.last_index_id;
    table_.indexes.push_back(std::move(index));
    created_.push_back(name);
    return absl::OkStatus();
  }

  int CountGlobalIndexes() const {
    return std::count_if(
        table_.indexes.begin(), table_.indexes.end(),
        [](const Index& index) { return index.kind == IndexKind::kGlobal; });
  }

  size_t CountNonKeyAttributes() const {
    size_t count = 0;
    for (const Index& index : table_.indexes) count += index.included.size();
    return count;
  }

  absl::Status CheckAllIndexesPaid() const {
    if (table_.billing != BillingMode::kProvisioned) return absl::OkStatus();
    std::vector<std::string> unpaid;
    for (const Index& index : table_.indexes) {
      if (index.kind == IndexKind::kGlobal &&
          index.throughput.read_units == 0) {
        unpaid.push_back(index.name);
      }
    }
    if (unpaid.empty()) return absl::OkStatus();
    return InvalidParameter(
        absl::StrCat("ProvisionedThroughput must be specified for index: ",
                     absl::StrJoin(unpaid, ",")));
  }

  void ApplySettings() {
    if (Has(request_, "OnDemandThroughput")) {
      table_.on_demand = ReadOnDemandThroughput(request_["OnDemandThroughput"]);
    }
    if (Has(request_, "SSESpecification")) {
      table_.encryption = ReadEncryption(request_["SSESpecification"]);
    }
    if (Has(request_, "TableClass")) {
      table_.table_class = request_["TableClass"].asString();
    }
    if (Has(request_, "DeletionProtectionEnabled")) {
      table_.deletion_protection =
          request_["DeletionProtectionEnabled"].asBool();
    }
  }

  const Json::Value& request_;
  const absl::Time now_;
  Table& table_;
  std::vector<std::string> created_;
  std::vector<std::string> deleted_;
};

absl::StatusOr<std::string> Run(Database& database, const std::string& region,
                                const Json::Value& request) {
  const std::string name = request["TableName"].asString();
  Table* table = database.FindTable(region, name);
  if (table == nullptr) return TableNotFound(name);
  Table updated = *table;
  TableUpdate update(request, database.Now(), updated);
  absl::Status status = update.Apply();
  if (!status.ok()) return status;

  // At most one index is created, so that a failure leaves nothing half done.
  for (const std::string& index : update.created()) {
    status = FillIndex(database, updated, *updated.FindIndex(index));
    if (!status.ok()) return status;
  }
  for (const std::string& index : update.deleted()) {
    database.RemoveIndex(*table, index);
  }
  *table = std::move(updated);
  database.SaveTable(*table);
  std::string answer = "{\"TableDescription\":";
  AppendDescription(*table, DescriptionOf::kExisting, database.Now(), answer);
  answer += '}';
  return answer;
}

absl::StatusOr<Work> PrepareUpdateTable(const Json::Value& json,
                                        const RequestContext& context) {
  absl::Status status = CheckRequest(json);
  if (!status.ok()) return status;
  auto request = std::make_shared<Json::Value>(json);
  return [request, region = context.region](Database& database) {
    return Run(database, region, *request);
  };
}

}  // namespace

const Operation kUpdateTable = {"UpdateTable", UpdateTableShape,
                                PrepareUpdateTable};

}  // namespace byoshin::local::dynamodb
