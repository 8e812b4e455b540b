// DescribeLimits and DescribeEndpoints
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeLimits.html
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeEndpoints.html
#include <json/json.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/json/text.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

// AWS's initial quotas. Nothing is throttled.
constexpr int kAccountMaxCapacityUnits = 80'000;
constexpr int kTableMaxCapacityUnits = 40'000;
// How long clients may cache the address.
constexpr int kEndpointCacheMinutes = 1440;

const Shape& EmptyShape() {
  static const auto* shape = new Shape(Struct("EmptyInput", {}));
  return *shape;
}

absl::StatusOr<Work> PrepareLimits(const Json::Value&, const RequestContext&) {
  return [](Database&) -> absl::StatusOr<std::string> {
    return absl::StrCat(
        "{\"AccountMaxReadCapacityUnits\":", kAccountMaxCapacityUnits,
        ",\"AccountMaxWriteCapacityUnits\":", kAccountMaxCapacityUnits,
        ",\"TableMaxReadCapacityUnits\":", kTableMaxCapacityUnits,
        ",\"TableMaxWriteCapacityUnits\":", kTableMaxCapacityUnits, "}");
  };
}

absl::StatusOr<Work> PrepareEndpoints(const Json::Value&,
                                      const RequestContext& context) {
  return [host = context.host](Database&) -> absl::StatusOr<std::string> {
    std::string answer = "{\"Endpoints\":[{\"Address\":";
    json::AppendQuoted(host, answer);
    absl::StrAppend(&answer,
                    ",\"CachePeriodInMinutes\":", kEndpointCacheMinutes, "}]}");
    return answer;
  };
}

}  // namespace

const Operation kDescribeLimits = {"DescribeLimits", EmptyShape, PrepareLimits};
const Operation kDescribeEndpoints = {"DescribeEndpoints", EmptyShape,
                                      PrepareEndpoints};

}  // namespace byoshin::local::dynamodb
