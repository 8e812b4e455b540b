// Resources in the form in which the control plane reports them.
#ifndef BYOSHIN_LOCAL_APPSYNC_CONTROL_ANSWERS_H_
#define BYOSHIN_LOCAL_APPSYNC_CONTROL_ANSWERS_H_

#include <json/json.h>

#include <string>

#include "absl/strings/string_view.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/model/names.h"
#include "local/appsync/model/resolver.h"

namespace byoshin::local::appsync {

// An API's ARN in `place`.
struct ApiPlace {
  Place place{};
  std::string api_id{};

  std::string Arn(absl::string_view rest) const {
    return ApiArn(place, api_id, rest);
  }
};

// `endpoint` is where the client reaches the cloud.
Json::Value ToJson(const GraphqlApi& api, const Place& place,
                   absl::string_view endpoint);
Json::Value ToJson(const DataSource& source, const ApiPlace& place);
Json::Value ToJson(const Function& function, const ApiPlace& place);
Json::Value ToJson(const Resolver& resolver, const ApiPlace& place);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_CONTROL_ANSWERS_H_
