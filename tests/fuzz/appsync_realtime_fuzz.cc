// Tries AppSync's readers of frames, bodies and filters on any bytes.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "core/json/data.h"
#include "local/appsync/realtime/event_filter.h"
#include "local/appsync/realtime/frames.h"
#include "local/appsync/resolve/operations.h"

namespace byoshin::local::appsync {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void TryAll(absl::string_view text) {
  const ClientFrame frame = ParseFrame(text);
  Require((frame.type == ClientFrame::Type::kInvalid) == !frame.problem.empty(),
          "an invalid frame has a reason, and only that");
  Require(json::Data::Parse(ErrorFrame(frame.id, "e", frame.problem)).ok(),
          "an error frame is JSON");
  CredentialsOf(frame, "/graphql");
  CredentialsOf(http::ServerRequest{.query = std::string(text)}, "/graphql");
  for (const auto& parsed : {ParseOperation(text), ParseOperationQuery(text)}) {
    if (const auto* refusal = std::get_if<RequestRefusal>(&parsed)) {
      Require(json::Data::Parse(refusal->body).ok(), "a refusal is JSON");
    }
  }
  const absl::StatusOr<EventFilter> filter = EventFilter::Parse(text);
  const absl::StatusOr<json::Data> event = json::Data::Parse(text);
  if (filter.ok() && event.ok()) filter->Matches(*event);
}

}  // namespace
}  // namespace byoshin::local::appsync

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  byoshin::local::appsync::TryAll(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
