#include "infra/cloudformation/dynamodb.h"

#include <string>
#include <utility>

#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::dynamodb {

ResourceType Table::Type() {
  return {.name = "AWS::DynamoDB::Table",
          .attributes = {"Arn", "StreamArn"},
          .tags = ResourceType::Tags::kList};
}

Properties Table::ToProperties() const {
  Value::Items attributes;
  const auto add = [&](const std::string& name, const char* key_type,
                       Value::Items& keys) {
    if (name.empty()) return;
    attributes.push_back(
        Object({{"AttributeName", name}, {"AttributeType", "S"}}));
    keys.push_back(Object({{"AttributeName", name}, {"KeyType", key_type}}));
  };
  Value::Items keys;
  add(partition_key, "HASH", keys);
  add(sort_key, "RANGE", keys);
  Value::Items global_indexes;
  for (const GlobalIndex& index : indexes) {
    Value::Items index_keys;
    add(index.partition_key, "HASH", index_keys);
    add(index.sort_key, "RANGE", index_keys);
    global_indexes.push_back(
        Object({{"IndexName", index.name},
                {"KeySchema", List(std::move(index_keys))},
                {"Projection", Object({{"ProjectionType", "ALL"}})}}));
  }

  Properties properties;
  properties.Set("TableName", table_name);
  properties.SetList("AttributeDefinitions", std::move(attributes));
  properties.Require("KeySchema",
                     keys.empty() ? Value() : List(std::move(keys)));
  properties.SetList("GlobalSecondaryIndexes", std::move(global_indexes));
  properties.Set("BillingMode", "PAY_PER_REQUEST");
  if (!ttl_attribute.empty()) {
    properties.Set(
        "TimeToLiveSpecification",
        Object({{"AttributeName", ttl_attribute}, {"Enabled", true}}));
  }
  properties.Set("SSESpecification",
                 Object({{"SSEEnabled", true}, {"SSEType", "KMS"}}));
  properties.Set("PointInTimeRecoverySpecification",
                 Object({{"PointInTimeRecoveryEnabled", true}}));
  properties.Set("DeletionProtectionEnabled", true);
  return properties;
}

}  // namespace byoshin::infra::cloudformation::dynamodb
