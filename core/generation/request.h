// Checks requests of the API.
//
//   absl::StatusOr<GenerateRequest> request =
//       ParseGenerateRequest(event.body(), clock.Now());
//   if (!request.ok()) return ErrorAnswer(request.status());  // 400
//
// Errors are those of api_error.h: VALIDATION_ERROR with every invalid field,
// INVALID_PROCESS_TYPE, and INVALID_UUID if nothing but UUIDs is invalid.
#ifndef BYOSHIN_CORE_GENERATION_REQUEST_H_
#define BYOSHIN_CORE_GENERATION_REQUEST_H_

#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/process.h"

namespace byoshin::generation {

enum class TargetKind { kGoal, kSubGoal, kAction };

// What a process works on.
struct Target {
  TargetKind kind = TargetKind::kGoal;
  std::string id{};

  friend bool operator==(const Target&, const Target&) = default;
};

struct GenerateRequest {
  ProcessType type = ProcessType::kSubGoals;
  Target target{};
  // JSON of a GenerationParams: the known fields only, UUIDs in lower case.
  std::string params{};
};

absl::StatusOr<GenerateRequest> ParseGenerateRequest(absl::string_view body,
                                                     absl::Time now);

// The target in the params of a stored process. DataLoss if there is none.
absl::StatusOr<Target> TargetOf(absl::string_view params);

// The `processId` of a path.
absl::StatusOr<std::string> ParseProcessId(absl::string_view text);

struct HistoryQuery {
  int page = 1;
  int page_size = 0;
  std::optional<ProcessType> type{};
  std::optional<ProcessStatus> status{};
  // Creation times: from `start`, inclusive, to `end`, exclusive.
  std::optional<absl::Time> start{};
  std::optional<absl::Time> end{};
};

// The query parameters page, pageSize, type, status, startDate and endDate. The
// dates are inclusive; unknown parameters are ignored.
absl::StatusOr<HistoryQuery> ParseHistoryQuery(
    const std::map<std::string, std::string>& parameters);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_REQUEST_H_
