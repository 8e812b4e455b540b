#include "local/appsync/panel.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/json/writer.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/model/api_key.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/model/catalog.h"
#include "local/appsync/model/names.h"
#include "local/appsync/resolve/trace.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/parameters.h"

namespace byoshin::local::appsync {

// Defined by :embedded_page.
const std::vector<dashboard::Asset>& ApisAssets();

namespace {

const char* KindName(RequestTrace::Kind kind) {
  switch (kind) {
    case RequestTrace::Kind::kMutation:
      return "mutation";
    case RequestTrace::Kind::kSubscription:
      return "subscription";
    case RequestTrace::Kind::kQuery:
      break;
  }
  return "query";
}

// A key that is valid now, the one that is valid longest; empty if none is.
std::string ValidKey(const ApiState& state, absl::Time now) {
  const ApiKey* best = nullptr;
  for (const auto& [id, key] : state.keys) {
    if (key->expires <= now) continue;
    if (best == nullptr || key->expires > best->expires) best = key.get();
  }
  return best == nullptr ? "" : best->id;
}

void WriteResolver(const ResolverTrace& resolver, json::Writer& json) {
  json.Open('{').Key("path").String(resolver.path);
  json.Key("dataSource").String(absl::StrJoin(resolver.data_sources, ", "));
  json.Key("startMs").Duration(resolver.start);
  json.Key("durationMs").Duration(resolver.duration);
  json.Key("error").String(resolver.error).Close('}');
}

void WriteTrace(const RequestTrace& trace, json::Writer& json) {
  json.Open('{').Key("id").String(absl::StrCat(trace.number));
  json.Key("requestId").String(trace.request_id);
  json.Key("time").Time(trace.time);
  json.Key("operation").String(KindName(trace.kind));
  json.Key("name").String(trace.operation_name);
  json.Key("durationMs").Duration(trace.duration);
  json.Key("errors").Int(static_cast<std::int64_t>(trace.errors));
  json.Key("deliveries").Int(static_cast<std::int64_t>(trace.deliveries));
  json.Key("resolvers").Open('[');
  for (const ResolverTrace& resolver : trace.resolvers) {
    WriteResolver(resolver, json);
  }
  json.Close(']').Close('}');
}

}  // namespace

void ApisPanel::WriteApi(const ApiState& state, json::Writer& json) const {
  const std::string& id = state.api->id;
  json.Open('{').Key("id").String(id);
  json.Key("name").String(state.api->name);
  json.Key("path").String(EndpointPath(id));
  json.Key("key").String(ValidKey(state, world_.clock.Now()));
  json.Key("sockets").Int(static_cast<std::int64_t>(world_.count_sockets(id)));
  json.Close('}');
}

void ApisPanel::WriteStatus(json::Writer& json) {
  const std::vector<Catalog::StatePointer> states = world_.catalog.List();
  const std::vector<Traces::Pointer> newest = world_.traces.Newest("", 1);
  json.Open('{')
      .Key("requests")
      .Int(newest.empty() ? 0 : static_cast<std::int64_t>(newest[0]->number));
  json.Key("apis").Open('[');
  for (std::size_t i = 0; i < std::min(states.size(), kMaxShownApis); ++i) {
    WriteApi(*states[i], json);
  }
  json.Close(']').Close('}');
}

std::vector<dashboard::PanelEndpoint> ApisPanel::endpoints() {
  return {{.method = "GET",
           .name = "schema",
           .answer =
               [this](const http::ServerRequest& request) {
                 return AnswerSchema(request);
               }},
          {.method = "GET",
           .name = "traces",
           .answer = [this](const http::ServerRequest& request) {
             return AnswerTraces(request);
           }}};
}

absl::StatusOr<std::string> ApisPanel::AnswerSchema(
    const http::ServerRequest& request) const {
  const absl::StatusOr<std::string> api =
      dashboard::TextParameter(request, "api");
  if (!api.ok()) return api.status();
  const Catalog::StatePointer state = world_.catalog.Find(*api);
  if (state == nullptr || state->schema == nullptr) {
    return absl::NotFoundError("the API has no schema");
  }
  const graphql::ParsedSchema parsed = graphql::Schema::Parse(*state->schema);
  if (parsed.schema == nullptr) {
    return absl::InternalError("the schema that is kept can't be parsed");
  }
  return parsed.schema->ToIntrospectionJson();
}

absl::StatusOr<std::string> ApisPanel::AnswerTraces(
    const http::ServerRequest& request) const {
  const absl::StatusOr<std::string> api =
      dashboard::TextParameter(request, "api");
  if (!api.ok()) return api.status();
  json::Writer json;
  json.Open('{').Key("traces").Open('[');
  for (const Traces::Pointer& trace :
       world_.traces.Newest(*api, kMaxShownTraces)) {
    WriteTrace(*trace, json);
  }
  json.Close(']').Close('}');
  return json.Take();
}

const std::vector<dashboard::Asset>& ApisPanel::assets() const {
  return ApisAssets();
}

}  // namespace byoshin::local::appsync
