// The syntax of HTTP headers, for those that come from functions, templates and
// clients.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_HEADER_TEXT_H_
#define BYOSHIN_LOCAL_APIGATEWAY_HEADER_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::apigateway {

// RFC 9110, section 5.6.2.
bool IsHeaderName(absl::string_view name);

// In particular without line breaks, which could add headers or a body.
bool IsHeaderValue(absl::string_view value);

// "application/json" of "Application/JSON; charset=utf-8", and of an empty
// text.
std::string MediaType(absl::string_view content_type);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_HEADER_TEXT_H_
