// Requests of resolvers to an HTTP data source. Pure functions.
// https://docs.aws.amazon.com/appsync/latest/devguide/js-resolver-reference-http.html
#ifndef BYOSHIN_LOCAL_APPSYNC_SOURCES_HTTP_SOURCE_H_
#define BYOSHIN_LOCAL_APPSYNC_SOURCES_HTTP_SOURCE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/json/data.h"
#include "local/appsync/sources/source_result.h"

namespace byoshin::local::appsync {

// InvalidArgument says what is wrong.
absl::StatusOr<http::Request> HttpRequestFor(absl::string_view endpoint,
                                             const json::Data& request);

SourceResult HttpResult(const absl::StatusOr<http::Response>& response);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_SOURCES_HTTP_SOURCE_H_
