// The parameters of a request, as PostgreSQL gets them.
#ifndef BYOSHIN_LOCAL_RDSDATA_PARAMETERS_H_
#define BYOSHIN_LOCAL_RDSDATA_PARAMETERS_H_

#include <json/json.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "local/postgres_client/connection.h"

namespace byoshin::local::rdsdata {

// By name.
using ParameterSet =
    std::map<std::string, postgres_client::Parameter, std::less<>>;

// Reads a list of SqlParameter; null is an empty one. A text without a type
// hint has PostgreSQL's type text, so that it often needs a cast, as on AWS:
// `:id::uuid`.
// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_SqlParameter.html
absl::StatusOr<ParameterSet> ReadParameters(const Json::Value& list);

// The values for $1, $2, ...
absl::StatusOr<std::vector<postgres_client::Parameter>> InOrder(
    const std::vector<std::string>& names, const ParameterSet& parameters);

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_PARAMETERS_H_
