#include "local/sqs/address.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/sqs/error.h"
#include "local/sqs/limits.h"

namespace byoshin::local::sqs {
namespace {

bool IsQueueNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' ||
         c == '_';
}

}  // namespace

absl::Status CheckQueueName(absl::string_view name, QueueKind kind) {
  absl::string_view rest = name;
  const bool has_suffix =
      kind == QueueKind::kStandard || absl::ConsumeSuffix(&rest, kFifoSuffix);
  if (has_suffix && !rest.empty() && name.size() <= kMaxQueueNameBytes &&
      std::all_of(rest.begin(), rest.end(), IsQueueNameCharacter)) {
    return absl::OkStatus();
  }
  return InvalidParameterValue(
      kind == QueueKind::kFifo
          ? "The name of a FIFO queue can only include alphanumeric "
            "characters, hyphens, or underscores, must end with .fifo suffix "
            "and be 1 to 80 in length"
          : "Can only include alphanumeric characters, hyphens, or "
            "underscores. 1 to 80 in length");
}

std::string ArnOf(const QueueAddress& queue, absl::string_view account_id) {
  return absl::StrCat("arn:aws:sqs:", queue.region, ":", account_id, ":",
                      queue.name);
}

std::optional<QueueAddress> QueueOfArn(absl::string_view arn,
                                       absl::string_view account_id) {
  const std::vector<absl::string_view> parts = absl::StrSplit(arn, ':');
  if (parts.size() != 6 || parts[0] != "arn" ||
      !absl::StartsWith(parts[1], "aws") || parts[2] != "sqs" ||
      parts[3].empty() || parts[4] != account_id || parts[5].empty()) {
    return std::nullopt;
  }
  return QueueAddress{.region = std::string(parts[3]),
                      .name = std::string(parts[5])};
}

std::string UrlOf(const QueueAddress& queue, absl::string_view endpoint,
                  absl::string_view account_id) {
  return absl::StrCat(endpoint, "/", account_id, "/", queue.name);
}

absl::StatusOr<std::string> QueueNameOfUrl(absl::string_view url,
                                           absl::string_view account_id) {
  absl::string_view path = url;
  if (const auto scheme = path.find("://"); scheme != absl::string_view::npos) {
    path.remove_prefix(scheme + 3);
    const auto slash = path.find('/');
    if (slash == absl::string_view::npos) return QueueDoesNotExist();
    path.remove_prefix(slash);
  } else if (!path.empty() && !absl::StrContains(path, '/')) {
    return std::string(path);
  }
  const std::vector<absl::string_view> parts = absl::StrSplit(path, '/');
  if (parts.size() != 3 || !parts[0].empty() || parts[1].empty() ||
      parts[2].empty()) {
    return InvalidAddress(url);
  }
  if (parts[1] != account_id) return QueueDoesNotExist();
  return std::string(parts[2]);
}

}  // namespace byoshin::local::sqs
