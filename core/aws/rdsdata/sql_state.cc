#include "core/aws/rdsdata/sql_state.h"

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "core/aws/error.h"
#include "core/aws/error_parser.h"

namespace byoshin::aws::rdsdata {
namespace {

constexpr std::size_t kSqlStateBytes = 5;

absl::StatusCode CodeOfSqlState(absl::string_view state) {
  if (state == "23505") return absl::StatusCode::kAlreadyExists;
  if (state == "57014") return absl::StatusCode::kDeadlineExceeded;
  if (absl::StartsWith(state, "23")) {
    return absl::StatusCode::kFailedPrecondition;
  }
  if (absl::StartsWith(state, "40")) return absl::StatusCode::kAborted;
  if (absl::StartsWith(state, "53")) {
    return absl::StatusCode::kResourceExhausted;
  }
  if (absl::StartsWith(state, "08") || absl::StartsWith(state, "57P")) {
    return absl::StatusCode::kUnavailable;
  }
  return absl::StatusCode::kInvalidArgument;
}

}  // namespace

std::optional<std::string> SqlStateOf(const absl::Status& status) {
  const std::optional<Error> error = ErrorOf(status);
  if (!error.has_value()) return std::nullopt;
  const std::size_t prefix = error->message.rfind(kSqlStatePrefix);
  if (prefix == std::string::npos) return std::nullopt;
  std::string state =
      error->message.substr(prefix + sizeof(kSqlStatePrefix) - 1);
  if (state.size() != kSqlStateBytes) return std::nullopt;
  return state;
}

absl::Status WithCodeOfSqlState(const absl::Status& status) {
  const std::optional<std::string> state = SqlStateOf(status);
  if (!state.has_value()) return status;
  return WithCode(CodeOfSqlState(*state), status);
}

}  // namespace byoshin::aws::rdsdata
