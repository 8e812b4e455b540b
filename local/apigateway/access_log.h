// A line of an access log, from the format that a stage is given.
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

// Puts the values in place of $context.<name>; "-" for what is not known, as
// AWS does. Values are escaped for JSON, in which formats are mostly written:
// a client must not be able to forge a log line.
std::string FormatAccessLog(absl::string_view format,
                            const std::map<std::string, std::string>& values);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_ACCESS_LOG_H_
