// The operations of RDS's API that read.
#ifndef BYOSHIN_LOCAL_RDS_DESCRIBE_OPERATIONS_H_
#define BYOSHIN_LOCAL_RDS_DESCRIBE_OPERATIONS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/gateway/query.h"
#include "local/gateway/xml.h"
#include "local/rds/catalog.h"
#include "local/rds/record.h"

namespace byoshin::local::rds {

struct ReadRequest {
  const Catalog& catalog;
  const QueryParameters& parameters;

  std::string Text(absl::string_view name) const {
    return std::string(parameters.Find(name).value_or(""));
  }
};

// Writes the content of the result.
using ReadOperation = absl::Status (*)(const ReadRequest& request,
                                       XmlWriter& xml);

// Null if there is no such operation.
ReadOperation FindReadOperation(absl::string_view name);

// "orders" of "arn:aws:rds:us-east-1:000000000000:cluster:Orders" or "Orders".
std::string IdentifierIn(absl::string_view identifier_or_arn);

// RDS's errors.
absl::Status InvalidParameterValue(absl::string_view message);
absl::Status ClusterNotFound(absl::string_view identifier);
absl::Status ResourceNotFound(absl::string_view arn);

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_DESCRIBE_OPERATIONS_H_
