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
  Value::Items attributes, keys;
  const auto add = [&](const std::string& name, const char* key_type) {
    if (name.empty()) return;
    attributes.push_back(
        Object({{"AttributeName", name}, {"AttributeType", "S"}}));
    keys.push_back(Object({{"AttributeName", name}, {"KeyType", key_type}}));
  };
  add(partition_key, "HASH");
  add(sort_key, "RANGE");

  Properties properties;
  properties.Set("TableName", table_name);
  properties.SetList("AttributeDefinitions", std::move(attributes));
  properties.Require("KeySchema",
                     keys.empty() ? Value() : List(std::move(keys)));
  properties.Set("BillingMode", "PAY_PER_REQUEST");
  properties.Set("SSESpecification",
                 Object({{"SSEEnabled", true}, {"SSEType", "KMS"}}));
  properties.Set("PointInTimeRecoverySpecification",
                 Object({{"PointInTimeRecoveryEnabled", true}}));
  properties.Set("DeletionProtectionEnabled", true);
  return properties;
}

}  // namespace byoshin::infra::cloudformation::dynamodb
