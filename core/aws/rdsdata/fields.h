// The JSON of the Data API's values.
#ifndef BYOSHIN_CORE_AWS_RDSDATA_FIELDS_H_
#define BYOSHIN_CORE_AWS_RDSDATA_FIELDS_H_

#include <json/json.h>

#include <vector>

#include "absl/status/statusor.h"
#include "core/aws/rdsdata/client.h"

namespace byoshin::aws::rdsdata {

// {"longValue": 5}. InvalidArgument, naming the place within the value, for
// JSON that is none of the Data API's values.
// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_Field.html
absl::StatusOr<Field> ReadField(const Json::Value& json);

// InvalidArgument for an array.
// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_SqlParameter.html
absl::StatusOr<Json::Value> WriteParameters(
    const std::vector<Parameter>& parameters);

}  // namespace byoshin::aws::rdsdata

#endif  // BYOSHIN_CORE_AWS_RDSDATA_FIELDS_H_
