#include "local/apigateway/parameter_source.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/http/client.h"
#include "core/http/url.h"
#include "core/json/text.h"
#include "local/apigateway/proxy.h"

namespace byoshin::local::apigateway {
namespace {

using Kind = ParameterSource::Kind;

struct SourcePrefix {
  absl::string_view text;
  Kind kind;
};

constexpr SourcePrefix kSourcePrefixes[] = {
    {"method.request.header.", Kind::kHeader},
    {"method.request.querystring.", Kind::kQueryString},
    {"method.request.path.", Kind::kPath},
    {"context.", Kind::kContext},
    {"stageVariables.", Kind::kStageVariable},
};

template <typename Map>
std::optional<std::string> FindIn(const Map& map, const std::string& name) {
  const auto found = map.find(name);
  if (found == map.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string> LastHeader(const http::ServerRequest& request,
                                      absl::string_view name) {
  std::optional<std::string> value;
  for (const http::Header& header : request.headers) {
    if (absl::EqualsIgnoreCase(header.name, name)) value = header.value;
  }
  return value;
}

std::optional<std::string> LastParameter(const http::ServerRequest& request,
                                         absl::string_view name) {
  absl::StatusOr<std::vector<http::QueryParameter>> query =
      http::ParseQuery(request.query);
  if (!query.ok()) return std::nullopt;
  std::optional<std::string> value;
  for (http::QueryParameter& parameter : *query) {
    if (parameter.name == name) value = std::move(parameter.value);
  }
  return value;
}

}  // namespace

absl::StatusOr<ParameterSource> ParseParameterSource(absl::string_view text) {
  absl::string_view constant = text;
  if (constant.size() > 1 && absl::ConsumePrefix(&constant, "'") &&
      absl::ConsumeSuffix(&constant, "'")) {
    return ParameterSource{.kind = Kind::kConstant,
                           .name = std::string(constant)};
  }
  for (const SourcePrefix& prefix : kSourcePrefixes) {
    absl::string_view name = text;
    if (absl::ConsumePrefix(&name, prefix.text) && !name.empty()) {
      return ParameterSource{.kind = prefix.kind, .name = std::string(name)};
    }
  }
  return absl::UnimplementedError(absl::StrCat(
      "the source ", json::Excerpt(text),
      " is not supported; supported are a constant in apostrophes, "
      "method.request.header.NAME, method.request.querystring.NAME, "
      "method.request.path.NAME, context.NAME and stageVariables.NAME"));
}

std::string ToText(const ParameterSource& source) {
  for (const SourcePrefix& prefix : kSourcePrefixes) {
    if (prefix.kind == source.kind) {
      return absl::StrCat(prefix.text, source.name);
    }
  }
  return absl::StrCat("'", source.name, "'");
}

absl::StatusOr<std::vector<ParameterSource>> ParseParameterSources(
    absl::string_view text) {
  std::vector<ParameterSource> sources;
  for (const absl::string_view part :
       absl::StrSplit(text, ',', absl::SkipWhitespace())) {
    absl::StatusOr<ParameterSource> source =
        ParseParameterSource(absl::StripAsciiWhitespace(part));
    if (!source.ok()) return source.status();
    sources.push_back(*std::move(source));
  }
  return sources;
}

std::optional<std::string> ValueOf(const ParameterSource& source,
                                   const RequestValues& values) {
  switch (source.kind) {
    case Kind::kConstant:
      return source.name;
    case Kind::kHeader:
      return LastHeader(values.request, source.name);
    case Kind::kQueryString:
      return LastParameter(values.request, source.name);
    case Kind::kPath:
      return FindIn(values.context.path_parameters, source.name);
    case Kind::kContext:
      return FindIn(values.variables, source.name);
    case Kind::kStageVariable:
      return FindIn(values.context.stage_variables, source.name);
  }
  return std::nullopt;
}

std::optional<std::string> AnyParameter(absl::string_view name,
                                        const RequestValues& values) {
  for (const Kind kind : {Kind::kPath, Kind::kQueryString, Kind::kHeader}) {
    std::optional<std::string> value =
        ValueOf({.kind = kind, .name = std::string(name)}, values);
    if (value.has_value()) return value;
  }
  return std::nullopt;
}

}  // namespace byoshin::local::apigateway
