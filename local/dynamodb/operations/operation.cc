#include "local/dynamodb/operations/operation.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/wire/errors.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr const Operation* kOperations[] = {
    &kGetItem,
    &kPutItem,
    &kUpdateItem,
    &kQuery,
    &kDeleteItem,
    &kScan,
    &kBatchGetItem,
    &kBatchWriteItem,
    &kTransactGetItems,
    &kTransactWriteItems,
    &kCreateTable,
    &kDeleteTable,
    &kDescribeContinuousBackups,
    &kDescribeEndpoints,
    &kDescribeLimits,
    &kDescribeTable,
    &kDescribeTimeToLive,
    &kListTables,
    &kListTagsOfResource,
    &kTagResource,
    &kUntagResource,
    &kUpdateContinuousBackups,
    &kUpdateTable,
    &kUpdateTimeToLive,
};

// AWS's operations that are not supported, by their feature.
struct Missing {
  const char* name_part;
  const char* what;
};
constexpr Missing kMissing[] = {
    {"Statement", "PartiQL is"},
    {"ExecuteTransaction", "PartiQL is"},
    {"Stream", "DynamoDB Streams are"},
    {"ShardIterator", "DynamoDB Streams are"},
    {"GetRecords", "DynamoDB Streams are"},
    {"Kinesis", "Streaming to Kinesis is"},
    {"GlobalTable", "Global tables are"},
    {"ReplicaAutoScaling", "Global tables are"},
    {"Restore", "Restoring from backups is"},
    {"Backup", "On-demand backups are"},
    {"Export", "Export to S3 is"},
    {"Import", "Import from S3 is"},
    {"ContributorInsights", "Contributor Insights are"},
    {"ResourcePolicy", "Resource policies are"},
    {"SearchVectors", "Vector search is"},
};

}  // namespace

const Operation* FindOperation(absl::string_view name) {
  for (const Operation* operation : kOperations) {
    if (name == operation->name) return operation;
  }
  return nullptr;
}

absl::Status CheckSupported(absl::string_view name) {
  if (FindOperation(name) != nullptr) return absl::OkStatus();
  for (const Missing& missing : kMissing) {
    if (absl::StrContains(name, missing.name_part)) {
      return Unsupported(missing.what);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Work> Prepare(const Operation& operation,
                             absl::StatusOr<Json::Value> request,
                             const RequestContext& context) {
  if (!request.ok()) return SerializationError(request.status().message());
  absl::Status status = CheckTypes(operation.shape(), *request);
  if (status.ok()) status = CheckConstraints(operation.shape(), *request);
  if (!status.ok()) return status;
  absl::StatusOr<Work> work = operation.prepare(*request, context);
  if (!work.ok() && operation.error_form == ErrorForm::kEnveloped) {
    return Enveloped(work.status());
  }
  return work;
}

void CloseObject(std::string& out) {
  if (out.back() == ',') {
    out.back() = '}';
  } else {
    out += '}';
  }
}

}  // namespace byoshin::local::dynamodb
