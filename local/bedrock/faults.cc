#include "local/bedrock/faults.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/bedrock/errors.h"

namespace byoshin::local::bedrock {
namespace {

using Kind = Fault::Kind;

constexpr std::pair<absl::string_view, Kind> kFaultNames[] = {
    {"none", Kind::kNone},
    {"slow", Kind::kSlow},
    {"hanging", Kind::kHanging},
    {"garbage", Kind::kGarbage},
    {"throttling", Kind::kThrottling},
    {"not-ready", Kind::kNotReady},
    {"timeout", Kind::kTimeout},
    {"error", Kind::kError},
    {"unavailable", Kind::kUnavailable},
    {"internal", Kind::kInternal},
    {"access-denied", Kind::kAccessDenied},
};
constexpr int kServerError = 500;

}  // namespace

std::string FaultNames() {
  return absl::StrJoin(
      kFaultNames, ", ", [](std::string* out, const auto& entry) {
        absl::StrAppend(out, entry.first,
                        entry.second == Kind::kSlow ? "[=DURATION]" : "");
      });
}

absl::StatusOr<Fault> ParseFault(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('=', 1));
  for (const auto& [name, kind] : kFaultNames) {
    if (parts.first != name) continue;
    Fault fault{.kind = kind};
    if (text == name) return fault;
    if (kind != Kind::kSlow) break;
    if (absl::ParseDuration(parts.second, &fault.delay) &&
        fault.delay > absl::ZeroDuration() && fault.delay <= kHangTimeout) {
      return fault;
    }
    return absl::InvalidArgumentError(
        absl::StrCat(text,
                     " needs a duration of at most an hour, such as "
                     "slow=30s"));
  }
  return absl::InvalidArgumentError(
      absl::StrCat(text, " is not one of ", FaultNames()));
}

std::optional<Fault> FaultOfModel(absl::string_view model) {
  if (!absl::ConsumePrefix(&model, "byoshin.") ||
      !absl::ConsumeSuffix(&model, "-v1:0")) {
    return std::nullopt;
  }
  std::string text(model);
  // An id has no equals sign.
  if (absl::ConsumePrefix(&model, "slow-")) {
    text = absl::StrCat("slow=", model);
  }
  const absl::StatusOr<Fault> fault = ParseFault(text);
  if (!fault.ok()) return std::nullopt;
  return *fault;
}

absl::Status FaultError(const Fault& fault, absl::string_view model_id) {
  switch (fault.kind) {
    case Kind::kThrottling:
      return TooManyRequests();
    case Kind::kNotReady:
      return ModelNotReady();
    case Kind::kTimeout:
      return ModelTimeout();
    case Kind::kError:
      return ModelError(model_id, kServerError);
    case Kind::kUnavailable:
      return Unavailable();
    case Kind::kInternal:
      return InternalServerError();
    case Kind::kAccessDenied:
      return AccessDenied();
    case Kind::kNone:
    case Kind::kSlow:
    case Kind::kHanging:
    case Kind::kGarbage:
      break;
  }
  return absl::OkStatus();
}

void Faults::Set(const Fault& fault, std::optional<std::int64_t> calls) {
  const sync::MutexLock lock(mutex_);
  fault_ = fault;
  left_ = calls;
}

Fault Faults::Take() {
  const sync::MutexLock lock(mutex_);
  if (!left_.has_value()) return fault_;
  if (*left_ <= 0) return {};
  --*left_;
  return fault_;
}

}  // namespace byoshin::local::bedrock
