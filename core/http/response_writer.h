// Answers as bytes, without any I/O.
//
//   Write(FormatHead(response, Persistence::kClose, clock.Now()));
//   if (HasBody(response.status)) Write(response.body);
//
// For core/http/server.h, and only for it.
#ifndef BYOSHIN_CORE_HTTP_RESPONSE_WRITER_H_
#define BYOSHIN_CORE_HTTP_RESPONSE_WRITER_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"

namespace byoshin::http {

// InvalidArgument if the answer cannot be sent as it is: its status is not a
// final one, or a header would run into what surrounds it.
absl::Status CheckResponse(const ServerResponse& response);

// False for the statuses whose answers end with the header (RFC 9112, 6.3).
bool HasBody(int status);

enum class Persistence {
  kKeepOpen,
  // Also said to HTTP/1.0 clients, which otherwise expect the end.
  kKeepOpenExplicitly,
  kClose,
};

// The status line and headers up to and including the empty line. Of the
// response's own headers, those that the server decides about are left out:
// Connection, Content-Length and Transfer-Encoding. Without `date`, no Date.
std::string FormatHead(const ServerResponse& response, Persistence persistence,
                       std::optional<absl::Time> date);

// As the Date header has it. Valid until the thread's next call.
const std::string& FormatDate(absl::Time date);

// An answer that the server gives itself: {"error": reason}.
ServerResponse ErrorResponse(int status, absl::string_view reason);

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_RESPONSE_WRITER_H_
