// Scan
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html
#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "local/dynamodb/engine/key_checks.h"
#include "local/dynamodb/operations/legacy.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/operations/range_read.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/values/key_encoding.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr char kScanFilter[] = "ScanFilter";

struct ScanRequest {
  std::string region{};
  RangeRead read{};
  ScanSegment segment{};
};

const Shape& ScanShape() {
  static const auto* shape = new Shape(Struct(
      "ScanInput", {{"Select", SelectShape()},
                    {"IndexName", IndexName()},
                    {"TotalSegments", Integer().Range(1, kMaxTotalSegments)},
                    {"ReturnConsumedCapacity", ReturnConsumedCapacity()},
                    {"TableName", TableName()},
                    {"Segment", Integer().Range(0, kMaxTotalSegments - 1)},
                    {"Limit", Integer().Range(1, {})},
                    {"ConditionalOperator", ConditionalOperatorShape()},
                    {"ScanFilter", ConditionsShape()},
                    {"AttributesToGet", AttributesToGetShape()},
                    {"ExclusiveStartKey", AttributeMap()},
                    {"ConsistentRead", Boolean()},
                    {"FilterExpression", String()},
                    {"ProjectionExpression", String()},
                    {"ExpressionAttributeValues", AttributeMap()},
                    {"ExpressionAttributeNames", AttributeNames()}}));
  return *shape;
}

absl::Status CheckSegments(const Json::Value& json) {
  const bool has_segment = Has(json, "Segment");
  const bool has_total = Has(json, "TotalSegments");
  if (has_segment && !has_total) {
    return ValidationError(
        "The TotalSegments parameter is required but was not present in the "
        "request when Segment parameter is present");
  }
  if (has_total && !has_segment) {
    return ValidationError(
        "The Segment parameter is required but was not present in the request "
        "when parameter TotalSegments is present");
  }
  if (!has_total) return absl::OkStatus();
  const int segment = json["Segment"].asInt();
  const int total = json["TotalSegments"].asInt();
  if (segment < total) return absl::OkStatus();
  return ValidationError(absl::StrCat(
      "The Segment parameter is zero-based and must be less than parameter "
      "TotalSegments: Segment: ",
      segment, " is not less than TotalSegments: ", total));
}

absl::Status CheckStartKeySize(const Source& source, const Item& start_key) {
  if (start_key.size() == source.StartKeySize()) return absl::OkStatus();
  if (source.index != nullptr) {
    return ValidationError(kInvalidStartKey);
  }
  return ValidationError(
      "The provided starting key is invalid: The provided key element does not "
      "match the schema");
}

absl::Status CheckStartKeySegment(const Source& source,
                                  const ScanRequest& request,
                                  const ByteRange& segment) {
  const std::string key =
      absl::StrCat(source.prefix, source.PlaceOfEntry(*request.read.start_key));
  if (key >= segment.begin && (segment.end.empty() || key < segment.end)) {
    return absl::OkStatus();
  }
  return ValidationError(absl::StrCat(
      "The provided starting key is invalid: Invalid ExclusiveStartKey. Please "
      "use ExclusiveStartKey with correct Segment. TotalSegments: ",
      request.segment.total, " Segment: ", request.segment.segment));
}

absl::Status CheckPaths(const Source& source, const RangeRead& read) {
  absl::Status status;
  if (read.projection) {
    status = CheckKeyPaths(*source.table, read.projection->paths());
  }
  if (status.ok() && read.filter) {
    status = CheckKeyPaths(*source.table, read.filter->paths());
  }
  return status;
}

absl::StatusOr<std::string> Run(Database& database,
                                const ScanRequest& request) {
  const RangeRead& read = request.read;
  const Table* table = database.FindTable(request.region, read.table_name);
  if (table == nullptr) return ResourceNotFound();
  absl::StatusOr<Source> source = FindSource(*table, read);
  if (!source.ok()) return source.status();
  absl::Status status;
  if (read.start_key) {
    status = CheckStartKeySize(*source, *read.start_key);
    if (status.ok() && source->index != nullptr) {
      status = CheckStartKeyAttributes(*source->keys, *read.start_key);
    }
  }
  if (status.ok()) status = CheckProjected(*source, read);
  if (status.ok() && read.start_key) {
    status = CheckStartKeySchema(*source, *read.start_key);
  }
  if (!status.ok()) return status;
  const ByteRange segment = RangeOfSegment(source->prefix, request.segment);
  if (read.start_key) {
    status = CheckStartKeySegment(*source, request, segment);
  }
  if (status.ok()) status = CheckPaths(*source, read);
  if (!status.ok()) return status;

  Page page{.range = {segment.begin, segment.end}};
  if (read.start_key) StartAfter(*source, *read.start_key, page);
  return ReadPage(database, *source, read, page);
}

absl::StatusOr<Work> PrepareScan(const Json::Value& json,
                                 const RequestContext& context) {
  const ExpressionParameters parameters = {
      .expressions = {"ProjectionExpression", "FilterExpression"},
      .legacy = {"AttributesToGet", "ScanFilter", "ConditionalOperator"},
      .value_wording = ValueWording::kOlder};
  absl::Status status = CheckExpressionParameters(json, parameters);
  if (!status.ok()) return status;
  absl::StatusOr<LegacyRead> legacy =
      ReadLegacyParameters(json, kScanFilter, LegacyRules::kOfScan);
  if (!legacy.ok()) return legacy.status();
  absl::StatusOr<std::optional<Item>> start_key =
      ReadStartKey(json, ValueWording::kOlder);
  if (!start_key.ok()) return start_key.status();
  status = CheckSegments(json);
  if (!status.ok()) return status;
  absl::StatusOr<Expressions> expressions = ParseExpressions(json, parameters);
  if (!expressions.ok()) return expressions.status();

  auto request = std::make_shared<ScanRequest>();
  request->region = context.region;
  request->read = ReadRangeParameters(json);
  request->read.start_key = *std::move(start_key);
  request->read.filter = std::move(expressions->filter);
  request->read.projection = std::move(expressions->projection);
  Replace(*std::move(legacy), kScanFilter, request->read);
  if (Has(json, "TotalSegments")) {
    request->segment = {.segment = json["Segment"].asInt(),
                        .total = json["TotalSegments"].asInt()};
  }
  status = CheckSelect(request->read);
  if (!status.ok()) return status;
  return [request](Database& database) { return Run(database, *request); };
}

}  // namespace

const Operation kScan = {"Scan", ScanShape, PrepareScan};

}  // namespace byoshin::local::dynamodb
