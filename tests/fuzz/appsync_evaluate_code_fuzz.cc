// Any bytes as a request of EvaluateCode: the answer is a JSON object, or the
// request is refused as invalid. And any text as a pattern for times, a time
// and a zone: what is written in a pattern can be read in it.
#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/appsync/script/evaluate_code.h"
#include "local/appsync/script/runtime.h"
#include "local/appsync/script/time_format.h"
#include "local/appsync/script/time_zone.h"

namespace byoshin::local::appsync::script {
namespace {

void RequireThat(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void EvaluateBytes(absl::string_view request) {
  static auto* const runtime =
      new Runtime({.now = [] { return absl::FromUnixSeconds(1'000'000'000); },
                   .random_bits = [] { return uint64_t{42}; },
                   .limits = {.memory_bytes = size_t{16} << 20,
                              .stack_bytes = size_t{512} << 10,
                              .steps = 1'000'000,
                              .cpu_time = absl::Seconds(2)},
                   .max_idle_engines = 1});
  const absl::StatusOr<std::string> answer = EvaluateCode(*runtime, request);
  if (!answer.ok()) {
    RequireThat(answer.status().code() == absl::StatusCode::kInvalidArgument &&
                    !answer.status().message().empty(),
                "a refusal has a reason");
    return;
  }
  const absl::StatusOr<Json::Value> parsed = json::ParseValue(*answer);
  RequireThat(parsed.ok() && parsed->isObject(), "an answer is an object");
  RequireThat(parsed->isMember("error") != parsed->isMember("evaluationResult"),
              "an answer has a result or an error");
}

// "PATTERN\nTEXT\nZONE"
void FormatAndParse(absl::string_view input) {
  const std::vector<absl::string_view> parts = absl::StrSplit(input, '\n');
  if (parts.size() != 3) return;
  const Zone zone = FindZone(parts[2]).value_or(Zone());
  const absl::StatusOr<absl::Time> time =
      ParseJavaTime(parts[1], parts[0], zone);
  if (!time.ok()) return;
  RequireThat(FormatJavaTime(*time, parts[0], zone).ok(),
              "a pattern that reads also writes");
}

}  // namespace
}  // namespace byoshin::local::appsync::script

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  byoshin::local::appsync::script::EvaluateBytes(input);
  byoshin::local::appsync::script::FormatAndParse(input);
  return 0;
}
