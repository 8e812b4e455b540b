#include "local/gateway/query_api.h"

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/text.h"
#include "local/gateway/constraints.h"
#include "local/gateway/error.h"

namespace byoshin::local {

Answer QueryAnswer(const Call& call, absl::string_view xml_namespace,
                   absl::FunctionRef<absl::Status(XmlWriter& xml)> write) {
  const std::string response = absl::StrCat(call.operation, "Response");
  const std::string result = absl::StrCat(call.operation, "Result");
  XmlWriter xml;
  xml.Open(response, xml_namespace);
  xml.Open(result);
  if (absl::Status status = write(xml); !status.ok()) {
    return QueryErrorAnswer(status, call.request_id, xml_namespace);
  }
  xml.Close(result);
  xml.Open("ResponseMetadata");
  xml.Element("RequestId", call.request_id);
  xml.Close("ResponseMetadata");
  xml.Close(response);
  return {.content_type = kXmlContentType, .body = std::move(xml).Finish()};
}

absl::Status UnknownQueryOperation(const Call& call) {
  return ServiceError(
      {.code = "InvalidAction",
       .message = absl::StrCat("Could not find operation ",
                               json::Excerpt(call.operation),
                               "; the local cloud does not support it.")});
}

absl::Status MissingQueryParameter(absl::string_view name) {
  ConstraintErrors errors;
  errors.Add(name, Json::Value(), kMustNotBeNull);
  return ServiceError({.code = "ValidationError", .message = errors.Message()});
}

void ElementUnlessEmpty(XmlWriter& xml, absl::string_view name,
                        absl::string_view text) {
  if (!text.empty()) xml.Element(name, text);
}

void TimeElement(XmlWriter& xml, absl::string_view name, absl::Time time) {
  xml.Element(name, absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", time,
                                     absl::UTCTimeZone()));
}

}  // namespace byoshin::local
