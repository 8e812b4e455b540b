// Tries the local Bedrock on any request: "MODEL OPERATION" on the first line,
// the body after it. Whatever the request says, it gets one answer, an error is
// the caller's, and the same request gets the same answer.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/bedrock/call_ledger.h"
#include "local/bedrock/deterministic_model.h"
#include "local/bedrock/event_stream.h"
#include "local/bedrock/faults.h"
#include "local/bedrock/service.h"
#include "local/bedrock/stack_limits.h"
#include "local/gateway/service.h"

namespace byoshin::local::bedrock {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

struct Target {
  time::SimulatedClock clock{absl::FromUnixSeconds(1764670980)};
  DeterministicModel model{};
  Faults faults{};
  StackLimits limits{clock};
  CallLedger ledger{};
  BedrockService service{{.model = model,
                          .clock = clock,
                          .faults = faults,
                          .limits = limits,
                          .ledger = ledger,
                          .role_of = [](const std::string&) { return ""; }}};

  Answer Ask(absl::string_view model_id, absl::string_view operation,
             absl::string_view body) {
    const Call call{.protocol = WireProtocol::kRestJson,
                    .body = std::string(body),
                    .path = absl::StrCat("/model/", model_id, "/", operation),
                    .region = "eu-west-1",
                    .caller = {.account_id = "000000000000"}};
    service.PermissionsFor(call);
    int answers = 0;
    Answer result;
    service.Handle(call, [&](Answer answer) {
      ++answers;
      result = std::move(answer);
    });
    // Slow models.
    service.EndLongPolls();
    Require(answers == 1, "there is one answer");
    return result;
  }
};

void TryRequest(absl::string_view data) {
  static auto* const target = new Target;
  const std::pair<absl::string_view, absl::string_view> lines =
      absl::StrSplit(data, absl::MaxSplits('\n', 1));
  const std::pair<absl::string_view, absl::string_view> words =
      absl::StrSplit(lines.first, absl::MaxSplits(' ', 1));
  const Answer answer = target->Ask(words.first, words.second, lines.second);
  // Those fail with 5xx on command.
  if (absl::StrContains(words.first, "byoshin.")) return;
  Require(answer.status >= 200 && answer.status < 500,
          "an error is the caller's");
  if (answer.content_type != kEventStreamType) {
    Require(json::ParseValue(answer.body).ok(), "an answer is JSON");
  }
  // An answer in Anthropic's shape has a random id.
  if (absl::StrContains(words.first, "anthropic")) return;
  Require(
      target->Ask(words.first, words.second, lines.second).body == answer.body,
      "the same request has the same answer");
}

}  // namespace
}  // namespace byoshin::local::bedrock

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  byoshin::local::bedrock::TryRequest(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
