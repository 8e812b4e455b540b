// The REST-JSON protocol, in which method and path name the operation and a
// header names an error: what Lambda and API Gateway speak.
//
//   if (auto parts = MatchPath("/restapis/{id}/stages/{name}", call.path)) {
//     parts->at(0);  // the API's id, decoded
//   }
//   answer(RestAnswer(value));
#ifndef BYOSHIN_LOCAL_GATEWAY_REST_H_
#define BYOSHIN_LOCAL_GATEWAY_REST_H_

#include <json/forwards.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/gateway/service.h"

namespace byoshin::local {

inline constexpr char kRestContentType[] = "application/json";

Answer RestAnswer(const Json::Value& value);

// How a service spells the member that holds an error's message.
enum class MessageSpelling {
  kUpperCase,  // "Message", as Lambda
  kLowerCase,  // "message", as API Gateway
};
Answer RestErrorAnswer(const absl::Status& status, MessageSpelling spelling);

// Empty if there is none.
absl::string_view FindHeader(const Call& call, absl::string_view name);
// The decoded parameter of the URL; empty if there is none.
std::string FindParameter(const Call& call, absl::string_view name);

// The byte that two hexadecimal digits stand for.
std::optional<char> HexByte(absl::string_view digits);
// Invalid escapes are kept as they are.
std::string PercentDecoded(absl::string_view text);

// The decoded parts of `path` in the places where `pattern` has braces; nullopt
// if the path does not match. A trailing slash is ignored.
std::optional<std::vector<std::string>> MatchPath(absl::string_view pattern,
                                                  absl::string_view path);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_REST_H_
