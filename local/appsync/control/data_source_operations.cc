// Operations on data sources.
#include <json/json.h>

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "local/appsync/control/answers.h"
#include "local/appsync/control/operation.h"
#include "local/appsync/model/catalog.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/model/errors.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {
namespace {

Answer SourceAnswer(const OperationContext& context, const DataSource& source) {
  return MemberAnswer("dataSource",
                      ToJson(source, {context.place(), context.parts[0]}));
}

absl::StatusOr<Answer> CreateDataSource(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  const absl::StatusOr<DataSource> source =
      ReadDataSource(context.body, context.call.region);
  if (!source.ok()) return source.status();
  if ((*state)->data_sources.contains(source->name)) {
    return BadRequest(absl::StrCat("Data source with name ", source->name,
                                   " already exists"));
  }
  context.catalog.Save(context.parts[0], *source);
  return SourceAnswer(context, *source);
}

absl::StatusOr<DataSource> FindSource(const OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  const auto found = (*state)->data_sources.find(context.parts[1]);
  if (found == (*state)->data_sources.end()) {
    return NotFound(
        absl::StrCat("Data source ", context.parts[1], " not found."));
  }
  return *found->second;
}

absl::StatusOr<Answer> GetDataSource(OperationContext& context) {
  const absl::StatusOr<DataSource> source = FindSource(context);
  if (!source.ok()) return source.status();
  return SourceAnswer(context, *source);
}

absl::StatusOr<Answer> UpdateDataSource(OperationContext& context) {
  const absl::StatusOr<DataSource> before = FindSource(context);
  if (!before.ok()) return before.status();
  context.body["name"] = before->name;
  const absl::StatusOr<DataSource> source =
      ReadDataSource(context.body, context.call.region);
  if (!source.ok()) return source.status();
  context.catalog.Save(context.parts[0], *source);
  return SourceAnswer(context, *source);
}

absl::StatusOr<Answer> ListDataSources(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  std::map<std::string, Json::Value> items;
  for (const auto& [name, source] : (*state)->data_sources) {
    items[name] = ToJson(*source, {context.place(), context.parts[0]});
  }
  return ListAnswer(context, "dataSources", items);
}

absl::StatusOr<Answer> DeleteDataSource(OperationContext& context) {
  const absl::StatusOr<DataSource> source = FindSource(context);
  if (!source.ok()) return source.status();
  context.catalog.RemoveDataSource(context.parts[0], source->name);
  return EmptyAnswer();
}

constexpr Operation kDataSourceOperations[] = {
    {"CreateDataSource", "POST", "/v1/apis/{apiId}/datasources",
     CreateDataSource},
    {"ListDataSources", "GET", "/v1/apis/{apiId}/datasources", ListDataSources},
    {"GetDataSource", "GET", "/v1/apis/{apiId}/datasources/{name}",
     GetDataSource},
    {"UpdateDataSource", "POST", "/v1/apis/{apiId}/datasources/{name}",
     UpdateDataSource},
    {"DeleteDataSource", "DELETE", "/v1/apis/{apiId}/datasources/{name}",
     DeleteDataSource}};

}  // namespace

absl::Span<const Operation> DataSourceOperations() {
  return kDataSourceOperations;
}

}  // namespace byoshin::local::appsync
