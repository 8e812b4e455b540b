// Amazon DynamoDB: tables.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_DYNAMODB_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_DYNAMODB_H_

#include <string>
#include <vector>

#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::dynamodb {

// An index over text keys, with all attributes.
struct GlobalIndex {
  std::string name{};
  std::string partition_key{};
  std::string sort_key{};
};

// A table with text keys and on-demand billing.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
struct Table {
  Value table_name{};
  std::string partition_key{};
  std::string sort_key{};
  std::vector<GlobalIndex> indexes{};
  // The attribute with the second at which DynamoDB may remove an item; none if
  // empty.
  std::string ttl_attribute{};

  static ResourceType Type();
  // Always encrypted with the account's own key for DynamoDB, whose use can be
  // audited; restorable to any second of the last 35 days; and protected
  // against deletion.
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::dynamodb

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_DYNAMODB_H_
