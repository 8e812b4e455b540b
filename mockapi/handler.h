// The mock of the "AI Employee" API that the scheduler polls, with predictable
// answers, independent of the transport.
//
//   http::ServerResponse response = mockapi::Handle(
//       {.method = "GET",
//        .path = "/response_count",
//        .parameters = {{"from", "2025-12-02T10:23:00Z"},
//                       {"to", "2025-12-02T10:23:05Z"}}});
//   // 200
//   {"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z","count":1}
//
// openapi.yaml describes the API. It is served by server.h, an HTTP server, and
// lambda_handler.h, a function behind API Gateway.
#ifndef BYOSHIN_MOCKAPI_HANDLER_H_
#define BYOSHIN_MOCKAPI_HANDLER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/http/url.h"

namespace byoshin::mockapi {

struct Request {
  std::string method;
  std::string path;
  // Decoded, in their order and with repetitions.
  std::vector<http::QueryParameter> parameters{};
};

// Answers any request:
//   200  GET and HEAD of /response_count?from=…&to=… and of /health. An answer
//        to HEAD has the body of the answer to GET, for the face to leave out.
//   400  `from` or `to` missing, given twice or not ISO 8601, or not in order.
//        Parameters of other names are ignored.
//   404  any other path
//   405  any other method, with the header Allow
// All bodies are JSON; those of errors are {"error": "what is wrong"}.
//
// The API ignores fractions of a second: they are dropped first, so `from` and
// `to` must be in different seconds. They are returned in UTC, in the format of
// time::FormatIso8601.
http::ServerResponse Handle(const Request& request);

// 400 for a request that can't be parsed, such as one with an invalid percent
// escape in its query.
http::ServerResponse BadRequest(absl::string_view reason);

// The number of responses in a window that ends at `to`: the minute of the
// hour, in UTC, modulo 11. So its chart is a sawtooth.
std::int64_t CountAt(absl::Time to);

}  // namespace byoshin::mockapi

#endif  // BYOSHIN_MOCKAPI_HANDLER_H_
