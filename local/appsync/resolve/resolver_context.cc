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

std::string InfoOf(const graphql::FieldRequest& field) {
  std::string info = "{\"fieldName\":";
  json::AppendQuoted(field.field_name(), info);
  absl::StrAppend(&info, ",\"parentTypeName\":");
  json::AppendQuoted(field.parent_type_name(), info);
  absl::StrAppend(&info, ",\"variables\":");
  field.variables().AppendJson(info);
  absl::StrAppend(&info, ",\"selectionSetList\":[");
  absl::string_view comma;
  for (const std::string& path : field.SelectionSetList()) {
    absl::StrAppend(&info, comma);
    json::AppendQuoted(path, info);
    comma = ",";
  }
  absl::StrAppend(&info, "],\"selectionSetGraphQL\":");
  json::AppendQuoted(field.SelectionSetGraphQL(), info);
  info += '}';
  return info;
}

// Keeps `text` in `kept`, if it is not long.
std::string Keep(std::string text, std::string& kept) {
  if (text.size() <= kMaxKeptBytes) kept = text;
  return text;
}

}  // namespace

ResolverContext::ResolverContext(const RequestExecution& execution,
                                 const graphql::FieldRequest& field,
                                 bool pipeline)
    : execution_(execution), field_(field), pipeline_(pipeline) {}

std::string ResolverContext::Common() const {
  if (!common_.empty()) return common_;
  std::string common = "{\"arguments\":";
  field_.arguments().AppendJson(common);
  absl::StrAppend(&common, ",\"identity\":", execution_.identity_json(),
                  ",\"source\":");
  field_.source().AppendJson(common);
  return Keep(std::move(common), common_);
}

std::string ResolverContext::Info() const {
  return info_.empty() ? Keep(InfoOf(field_), info_) : info_;
}

void ResolverContext::AppendLongMembers(std::string& out) const {
  absl::StrAppend(&out, ",\"request\":", execution_.request_json(),
                  ",\"info\":", Info());
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
  AppendLongMembers(text);
  AppendRest(text);
  return text;
}

std::string ResolverContext::ShortText() const {
  std::string text = Common();
  AppendRest(text);
  return text;
}

void ResolverContext::AppendRest(std::string& out) const {
  absl::StrAppend(&out, ",\"env\":", execution_.api().environment);
  AppendState(out);
  if (result_.has_value()) {
    absl::StrAppend(&out, ",\"result\":");
    result_->result.AppendJson(out);
    if (result_->error.has_value()) {
      absl::StrAppend(&out, ",\"error\":{\"message\":");
      json::AppendQuoted(result_->error->message, out);
      absl::StrAppend(&out, ",\"type\":");
      json::AppendQuoted(result_->error->type, out);
      out += '}';
    }
  }
  absl::StrAppend(&out, ",\"outErrors\":[", errors_, "]}");
}

// https://docs.aws.amazon.com/appsync/latest/devguide/resolver-reference-lambda-js.html
std::string ResolverContext::Event() const {
  std::string text = Common();
  AppendLongMembers(text);
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
