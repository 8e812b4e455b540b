#include "local/appsync/resolve/resolver_context.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "core/json/text.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/resolve/request_execution.h"
#include "local/appsync/script/runtime.h"
#include "local/appsync/sources/source_result.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;
using json::ObjectBuilder;

constexpr std::size_t kMaxKeptBytes = 4096;

void AppendInfo(const graphql::FieldRequest& field, std::string& out) {
  absl::StrAppend(&out, ",\"info\":{\"fieldName\":");
  json::AppendQuoted(field.field_name(), out);
  absl::StrAppend(&out, ",\"parentTypeName\":");
  json::AppendQuoted(field.parent_type_name(), out);
  absl::StrAppend(&out, ",\"variables\":");
  field.variables().AppendJson(out);
  absl::StrAppend(&out, ",\"selectionSetList\":[");
  absl::string_view comma;
  for (const std::string& path : field.SelectionSetList()) {
    absl::StrAppend(&out, comma);
    json::AppendQuoted(path, out);
    comma = ",";
  }
  absl::StrAppend(&out, "],\"selectionSetGraphQL\":");
  json::AppendQuoted(field.SelectionSetGraphQL(), out);
  out += '}';
}

}  // namespace

ResolverContext::ResolverContext(const RequestExecution& execution,
                                 const graphql::FieldRequest& field,
                                 bool pipeline)
    : execution_(execution), field_(field), pipeline_(pipeline) {}

std::string ResolverContext::Common() const {
  if (!common_.empty()) return common_;
  std::string common;
  AppendCommon(common);
  if (common.size() <= kMaxKeptBytes) common_ = common;
  return common;
}

void ResolverContext::AppendCommon(std::string& out) const {
  absl::StrAppend(&out, "{\"arguments\":");
  field_.arguments().AppendJson(out);
  absl::StrAppend(&out, ",\"identity\":", execution_.identity_json(),
                  ",\"source\":");
  field_.source().AppendJson(out);
  absl::StrAppend(&out, ",\"request\":", execution_.request_json());
  AppendInfo(field_, out);
}

void ResolverContext::AddError(const script::ScriptError& error) {
  absl::StrAppend(&errors_, errors_.empty() ? "" : ",", "{\"message\":");
  json::AppendQuoted(error.message, errors_);
  absl::StrAppend(&errors_, ",\"errorType\":");
  if (error.error_type.empty()) {
    absl::StrAppend(&errors_, "null");
  } else {
    json::AppendQuoted(error.error_type, errors_);
  }
  absl::StrAppend(&errors_, ",\"data\":", error.data,
                  ",\"errorInfo\":", error.error_info, "}");
}

void ResolverContext::AppendState(std::string& out) const {
  absl::StrAppend(&out, ",\"stash\":", stash_, ",\"prev\":");
  if (!pipeline_) {
    out += "null";
    return;
  }
  absl::StrAppend(&out, "{\"result\":");
  previous_.AppendJson(out);
  out += '}';
}

std::string ResolverContext::Text() const {
  std::string text = Common();
  absl::StrAppend(&text, ",\"env\":", execution_.api().environment);
  AppendState(text);
  if (result_.has_value()) {
    absl::StrAppend(&text, ",\"result\":");
    result_->result.AppendJson(text);
    if (result_->error.has_value()) {
      absl::StrAppend(&text, ",\"error\":{\"message\":");
      json::AppendQuoted(result_->error->message, text);
      absl::StrAppend(&text, ",\"type\":");
      json::AppendQuoted(result_->error->type, text);
      text += '}';
    }
  }
  absl::StrAppend(&text, ",\"outErrors\":[", errors_, "]}");
  return text;
}

// https://docs.aws.amazon.com/appsync/latest/devguide/resolver-reference-lambda-js.html
std::string ResolverContext::Event() const {
  std::string text = Common();
  AppendState(text);
  text += '}';
  return text;
}

Data ResolverContext::ForConditionHandler() const {
  ObjectBuilder resolver;
  resolver.Set("parentType", Data::String(field_.parent_type_name()));
  resolver.Set("field", Data::String(field_.field_name()));
  resolver.Set("outputType", Data::String(field_.field().type.ToString()));
  ObjectBuilder context;
  context.Set("arguments", field_.arguments());
  context.Set("identity",
              Data::Parse(execution_.identity_json()).value_or(Data()));
  context.Set("resolver", std::move(resolver).Build());
  return std::move(context).Build();
}

}  // namespace byoshin::local::appsync
