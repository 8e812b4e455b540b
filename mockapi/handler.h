// The "AI Employee" API that the scheduler polls, with made-up but predictable
// answers: what it says, whoever asks and by whatever way.
//
//   http::ServerResponse response = mockapi::Handle(
//       {.method = "GET",
//        .path = "/response_count",
//        .parameters = {{"from", "2025-12-02T10:23:00Z"},
//                       {"to", "2025-12-02T10:23:05Z"}}});
//   // 200
//   {"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z","count":1}
//
// openapi.yaml describes the API. It has two faces: server.h, a server of its
// own, and lambda_handler.h, a function behind API Gateway.
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

// Answers any request whatever:
//   200  GET and HEAD of /response_count?from=…&to=… and of /health. An answer
//        to HEAD has the body of the answer to GET, for the face to leave out.
//   400  `from` or `to` missing, given twice or not ISO 8601, or not in order.
//        Parameters of other names are ignored.
//   404  any other path
//   405  any other method, with the header Allow
// All bodies are JSON; those of errors are {"error": "what is wrong"}.
//
// The API knows no fractions of a second: they are dropped before anything
// else, so `from` and `to` must lie in different seconds. They are given back
// in UTC, as time::FormatIso8601 writes them.
http::ServerResponse Handle(const Request& request);

// 400 for a request that could not even be taken apart, such as one with a
// broken percent escape in its query.
http::ServerResponse BadRequest(absl::string_view reason);

// The number of responses in a window that ends at `to`: the minute of the
// hour, in UTC, modulo 11. So a chart of it shows a sawtooth.
std::int64_t CountAt(absl::Time to);

}  // namespace byoshin::mockapi

#endif  // BYOSHIN_MOCKAPI_HANDLER_H_
