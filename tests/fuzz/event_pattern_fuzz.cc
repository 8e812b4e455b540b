// Tries event patterns on any bytes: a pattern on the first line, an event
// after it.
#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/events/pattern.h"

namespace byoshin::local::events {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void Check(absl::string_view input) {
  const std::size_t end = input.find('\n');
  const absl::StatusOr<EventPattern> pattern =
      EventPattern::Parse(input.substr(0, end));
  if (!pattern.ok()) {
    Require(absl::IsInvalidArgument(pattern.status()),
            "what is not a pattern is refused");
    return;
  }
  if (end == absl::string_view::npos) return;
  const absl::StatusOr<Json::Value> event =
      json::ParseValue(input.substr(end + 1));
  if (!event.ok()) return;
  const bool matches = pattern->Matches(*event);
  Json::Value list(Json::arrayValue);
  list.append(*event);
  Require(pattern->Matches(list) == matches,
          "a list of one matches as its element does");
}

}  // namespace
}  // namespace byoshin::local::events

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::events::Check(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
