// Answers of the API: `{"success":true,"data":…}` or
// `{"success":false,"error":{…}}`, with CORS headers.
//
//   return SuccessAnswer(202, ProcessJson(process, language), origin);
#ifndef BYOSHIN_CORE_GENERATION_ANSWER_H_
#define BYOSHIN_CORE_GENERATION_ANSWER_H_

#include <json/json.h>

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/generation/api_error.h"
#include "core/generation/message.h"
#include "core/generation/process.h"
#include "core/generation/process_store.h"
#include "core/generation/request.h"

namespace byoshin::generation {

inline constexpr int kHttpOk = 200;
inline constexpr int kHttpAccepted = 202;

// The CORS headers of every answer. `origin` is "*" or the front end's origin.
std::map<std::string, std::string> CorsHeaders(absl::string_view origin);

// A process as the API shows it: `result` only if it is COMPLETED, `error` only
// if it is FAILED or TIMEOUT, with its message in the language.
Json::Value ProcessJson(const Process& process, Language language);

Json::Value HistoryJson(const HistoryQuery& query, const HistoryPage& page,
                        Language language);

// The body of an answer with this error, as JSON.
std::string ErrorBody(const ApiError& error, Language language);

// Each is the response to API Gateway, as JSON.
std::string SuccessAnswer(int http_status, const Json::Value& data,
                          absl::string_view origin);
// Nothing of the status's own message is in the answer. Its Content-Language is
// that of the messages.
std::string ErrorAnswer(const absl::Status& status, absl::string_view origin,
                        Language language);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_ANSWER_H_
