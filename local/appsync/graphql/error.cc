#include "local/appsync/graphql/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/json/data.h"

namespace byoshin::local::appsync::graphql {
namespace {

Data LocationsData(const Error& error) {
  if (!error.locations.has_value()) return Data();
  std::vector<Data> list;
  for (const Location& location : *error.locations) {
    json::ObjectBuilder entry;
    entry.Set("line", Data::Integer(location.line));
    entry.Set("column", Data::Integer(location.column));
    entry.Set("sourceName", Data());
    list.push_back(std::move(entry).Build());
  }
  return Data::Array(std::move(list));
}

}  // namespace

std::string PathText(absl::Span<const PathElement> path) {
  std::string text;
  for (const PathElement& element : path) {
    if (const auto* name = std::get_if<std::string>(&element)) {
      absl::StrAppend(&text, "/", *name);
    } else {
      absl::StrAppend(&text, "[", *std::get_if<size_t>(&element), "]");
    }
  }
  return text;
}

Data PathData(absl::Span<const PathElement> path) {
  std::vector<Data> list;
  list.reserve(path.size());
  for (const PathElement& element : path) {
    if (const auto* name = std::get_if<std::string>(&element)) {
      list.push_back(Data::String(*name));
    } else {
      list.push_back(
          Data::Integer(static_cast<int64_t>(*std::get_if<size_t>(&element))));
    }
  }
  return Data::Array(std::move(list));
}

Data ToData(const Error& error) {
  json::ObjectBuilder entry;
  entry.Set("path", error.path.has_value() ? PathData(*error.path) : Data());
  if (error.details.has_value()) {
    const ErrorDetails& details = *error.details;
    entry.Set("data", details.data);
    entry.Set("errorType", details.error_type.has_value()
                               ? Data::String(*details.error_type)
                               : Data());
    entry.Set("errorInfo", details.error_info);
  }
  entry.Set("locations", LocationsData(error));
  entry.Set("message", Data::String(json::ValidUtf8(error.message)));
  return std::move(entry).Build();
}

Data ToData(absl::Span<const Error> errors) {
  std::vector<Data> list;
  list.reserve(errors.size());
  for (const Error& error : errors) list.push_back(ToData(error));
  return Data::Array(std::move(list));
}

std::string ErrorResponse(absl::Span<const Error> errors) {
  std::string text = R"({"data":null,"errors":)";
  ToData(errors).AppendJson(text);
  text += '}';
  return text;
}

}  // namespace byoshin::local::appsync::graphql
