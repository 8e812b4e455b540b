// Serializes answers, without I/O.
//
//   Write(FormatHead(response, Persistence::kClose, clock.Now()));
//   if (HasBody(response.status)) Write(response.body);
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_RESPONSE_WRITER_H_
#define BYOSHIN_CORE_HTTP_RESPONSE_WRITER_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"

namespace byoshin::http {

// InvalidArgument if the answer can't be sent: its status is not a final one,
// or a header is malformed.
absl::Status CheckResponse(const ServerResponse& response);

// False for the statuses whose answers end with the header (RFC 9112, 6.3).
bool HasBody(int status);

enum class Persistence {
  kKeepOpen,
  // Also sent to HTTP/1.0 clients, which otherwise expect the connection to be
  // closed.
  kKeepOpenExplicitly,
  kClose,
};

// The status line and headers up to and including the empty line. The
// response's own headers are included except those that the server sets:
// Connection, Content-Length and Transfer-Encoding. Without `date`, no Date.
std::string FormatHead(const ServerResponse& response, Persistence persistence,
                       std::optional<absl::Time> date);

// In the format of the Date header. Valid until the thread's next call.
const std::string& FormatDate(absl::Time date);

// An answer of the server itself: {"error": reason}.
ServerResponse ErrorResponse(int status, absl::string_view reason);

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_RESPONSE_WRITER_H_
