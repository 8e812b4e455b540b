#include "local/appsync/control/answers.h"

#include <json/json.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/model/names.h"
#include "local/appsync/model/record.h"
#include "local/appsync/model/resolver.h"

namespace byoshin::local::appsync {
namespace {

std::string HostIn(absl::string_view url) {
  const absl::string_view rest = url.substr(url.find("//") + 2);
  return std::string(rest.substr(0, rest.find('/')));
}

}  // namespace

Json::Value ToJson(const GraphqlApi& api, const Place& place,
                   absl::string_view endpoint) {
  Json::Value value = api.settings;
  value["apiId"] = api.id;
  value["arn"] = ApiArn(place, api.id);
  value["apiType"] = "GRAPHQL";
  value["owner"] = place.account_id;
  value["xrayEnabled"] =
      value["xrayEnabled"].isBool() ? value["xrayEnabled"] : Json::Value(false);
  value["introspectionConfig"] = api.introspection ? "ENABLED" : "DISABLED";
  value["queryDepthLimit"] = Json::Int64{api.query_depth_limit};
  value["resolverCountLimit"] = Json::Int64{api.resolver_count_limit};
  value["visibility"] = "GLOBAL";
  const std::string url = GraphqlUrl(endpoint, api.id);
  const std::string realtime = RealtimeUrl(endpoint, api.id);
  value["uris"]["GRAPHQL"] = url;
  value["uris"]["REALTIME"] = realtime;
  value["dns"]["GRAPHQL"] = HostIn(url);
  value["dns"]["REALTIME"] = HostIn(realtime);
  if (!api.tags.empty()) value["tags"] = TextMapJson(api.tags);
  return value;
}

Json::Value ToJson(const DataSource& source, const ApiPlace& place) {
  Json::Value value = source.settings;
  value["dataSourceArn"] =
      place.Arn(absl::StrCat("/datasources/", source.name));
  return value;
}

Json::Value ToJson(const Function& function, const ApiPlace& place) {
  Json::Value value = function.settings;
  value["functionId"] = function.id;
  value["functionArn"] = place.Arn(absl::StrCat("/functions/", function.id));
  value["functionVersion"] = "2018-05-29";
  value["maxBatchSize"] = Json::Int64{function.max_batch_size};
  return value;
}

Json::Value ToJson(const Resolver& resolver, const ApiPlace& place) {
  Json::Value value = resolver.settings;
  value["resolverArn"] = place.Arn(absl::StrCat(
      "/types/", resolver.type_name, "/resolvers/", resolver.field_name));
  value["maxBatchSize"] = Json::Int64{resolver.max_batch_size};
  return value;
}

}  // namespace byoshin::local::appsync
