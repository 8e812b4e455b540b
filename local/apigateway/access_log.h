// Formats a line of a stage's access log.
//
//   FormatAccessLog(R"({"status":"$context.status"})",
//                   {{"status", "200"}});      // {"status":"200"}
//
// https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_ACCESS_LOG_H_
#define BYOSHIN_LOCAL_APIGATEWAY_ACCESS_LOG_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::apigateway {

// Replaces $context.<name> by its value, or by "-" if it is unknown, as AWS
// does. Values are escaped for JSON, the usual format: a client must not be
// able to forge a log line.
std::string FormatAccessLog(absl::string_view format,
                            const std::map<std::string, std::string>& values);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_ACCESS_LOG_H_
