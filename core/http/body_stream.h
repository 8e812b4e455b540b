// The body of an answer that is sent piece by piece, as it is produced.
//
//   std::shared_ptr<http::BodyStream> body =
//       respond.Begin({.headers = {{"Content-Type", "text/plain"}}});
//   ...                          // later, on any thread
//   if (!body->Write("line\n")) return StopWorking();  // nobody reads it
//   ...
//   body->End();
//
// An answer whose BodyStream is destroyed without End() is cut off, so that the
// client notices that it is incomplete.
#ifndef BYOSHIN_CORE_HTTP_BODY_STREAM_H_
#define BYOSHIN_CORE_HTTP_BODY_STREAM_H_

#include <cstddef>
#include <string>

namespace byoshin::http {

struct BodyStreamOptions {
  // A client that leaves more than this unread is cut off.
  std::size_t max_unsent_bytes = std::size_t{1} << 20;
};

// Thread-safe. Nothing blocks. May outlive the connection and the server.
class BodyStream {
 public:
  BodyStream() = default;
  BodyStream(const BodyStream&) = delete;
  BodyStream& operator=(const BodyStream&) = delete;
  virtual ~BodyStream() = default;

  // Sends a piece. False if the client does not get it, nor any other: it has
  // disconnected, reads too slowly, or wants no body (HEAD); the server has
  // stopped; or the stream has ended. An empty piece only asks.
  virtual bool Write(std::string piece) = 0;

  // The body is complete. Later calls have no effect.
  virtual void End() = 0;
  // The body stays incomplete, and the client notices. Later calls have no
  // effect.
  virtual void Abort() = 0;

  // What was written and has not been passed to the system.
  virtual std::size_t unsent_bytes() const = 0;
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_BODY_STREAM_H_
