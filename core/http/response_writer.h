// Serializes answers, without I/O.
//
//   Write(FormatHead(response, {.persistence = Persistence::kClose}));
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

// How the client finds the end of the body.
enum class Framing {
  kLength,      // Content-Length
  kChunked,     // Transfer-Encoding: chunked
  kUntilClose,  // the end of the connection
};

struct HeadOptions {
  Persistence persistence = Persistence::kKeepOpen;
  // Of a status that has a body.
  Framing framing = Framing::kLength;
  // If nullopt, no Date is added.
  std::optional<absl::Time> date{};
};

// The status line and headers up to and including the empty line. The
// response's own headers are included except those that the server sets.
std::string FormatHead(const ServerResponse& response,
                       const HeadOptions& options);

// True for the headers that the server sets: Connection, Content-Length and
// Transfer-Encoding.
bool IsSetByServer(absl::string_view name);
// Whether the answer is the last of its connection.
bool WantsClose(const ServerResponse& response);

// In the format of the Date header. Valid until the thread's next call.
const std::string& FormatDate(absl::Time date);

// An answer of the server itself: {"error": reason}.
ServerResponse ErrorResponse(int status, absl::string_view reason);

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_RESPONSE_WRITER_H_
