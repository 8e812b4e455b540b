#include "core/scheduler/config.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/http/url.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"

namespace byoshin::scheduler {
namespace {

constexpr char kFifoSuffix[] = ".fifo";
constexpr std::size_t kMaxShownBytes = 100;

absl::Status Invalid(absl::string_view variable, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(
      "the environment variable ", variable, " is invalid: ", why));
}

std::string Quoted(absl::string_view value) {
  return absl::StrCat("\"", absl::CHexEscape(value.substr(0, kMaxShownBytes)),
                      value.size() > kMaxShownBytes ? "\"..." : "\"");
}

// Letters, digits and the characters of `others`.
bool HasOnlyLettersDigitsAnd(absl::string_view others, absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           others.find(c) != absl::string_view::npos;
  });
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html
bool IsQueueName(absl::string_view name) {
  constexpr std::size_t kMaxBytes = 80;
  return !name.empty() && name.size() <= kMaxBytes &&
         HasOnlyLettersDigitsAnd("-_", name);
}

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
bool IsTableName(absl::string_view name) {
  constexpr std::size_t kMinBytes = 3;
  constexpr std::size_t kMaxBytes = 255;
  return name.size() >= kMinBytes && name.size() <= kMaxBytes &&
         HasOnlyLettersDigitsAnd("-_.", name);
}

absl::StatusOr<std::string> LoadQueueUrl(const env::Environment& environment) {
  absl::StatusOr<std::string> text =
      env::Required(environment, kQueueUrlVariable);
  if (!text.ok()) return text;
  const absl::StatusOr<http::Url> url = http::ParseUrl(*text);
  if (!url.ok()) return Invalid(kQueueUrlVariable, url.status().message());
  const std::vector<absl::string_view> segments =
      absl::StrSplit(url->path, '/', absl::SkipEmpty());
  const absl::string_view name =
      absl::EndsWith(url->path, "/") || segments.empty() ? absl::string_view()
                                                         : segments.back();
  if (absl::EndsWith(name, kFifoSuffix)) {
    return Invalid(kQueueUrlVariable,
                   absl::StrCat(http::UrlForLog(*text),
                                " is a FIFO queue, which takes no delay per "
                                "message; use a standard queue"));
  }
  if (absl::StrContains(*text, "?") || segments.size() < 2 ||
      !IsQueueName(name)) {
    return Invalid(kQueueUrlVariable,
                   absl::StrCat(http::UrlForLog(*text),
                                " does not name a queue; expected a URL such "
                                "as https://sqs.us-east-1.amazonaws.com/"
                                "123456789012/name"));
  }
  return text;
}

absl::StatusOr<std::string> LoadApiBaseUrl(
    const env::Environment& environment) {
  absl::StatusOr<std::string> text =
      env::Required(environment, kApiBaseUrlVariable);
  if (!text.ok()) return text;
  // It is valid if a path can be appended to it.
  const absl::StatusOr<std::string> joined =
      http::JoinUrl(*text, kResponseCountPath);
  if (!joined.ok()) {
    return Invalid(kApiBaseUrlVariable, joined.status().message());
  }
  return text;
}

absl::StatusOr<std::string> LoadTableName(const env::Environment& environment) {
  absl::StatusOr<std::string> name =
      env::Required(environment, kTableNameVariable);
  if (!name.ok()) return name;
  if (!IsTableName(*name)) {
    return Invalid(kTableNameVariable,
                   absl::StrCat(Quoted(*name),
                                " is not a table name; expected 3 to 255 "
                                "letters, digits, '-', '_' or '.'"));
  }
  return name;
}

absl::StatusOr<absl::Duration> LoadWindowLag(
    const env::Environment& environment) {
  const std::optional<std::string> text =
      env::NonEmpty(environment, kWindowLagVariable);
  if (!text.has_value()) return absl::ZeroDuration();
  int64_t seconds = -1;
  // Digits only: SimpleAtoi takes signs and spaces too.
  const bool is_number =
      std::all_of(text->begin(), text->end(),
                  [](char c) {
                    return absl::ascii_isdigit(static_cast<unsigned char>(c));
                  }) &&
      absl::SimpleAtoi(*text, &seconds);
  const int64_t interval = absl::ToInt64Seconds(kSlotInterval);
  if (!is_number || seconds % interval != 0) {
    return Invalid(kWindowLagVariable,
                   absl::StrCat(Quoted(*text), " is not a multiple of ",
                                interval, " that is 0 or more"));
  }
  return absl::Seconds(seconds);
}

}  // namespace

absl::StatusOr<SenderConfig> LoadSenderConfig(
    const env::Environment& environment) {
  absl::StatusOr<std::string> queue_url = LoadQueueUrl(environment);
  if (!queue_url.ok()) return queue_url.status();
  const absl::StatusOr<absl::Duration> lag = LoadWindowLag(environment);
  if (!lag.ok()) return lag.status();
  return SenderConfig{.queue_url = *std::move(queue_url), .window_lag = *lag};
}

absl::StatusOr<CollectorConfig> LoadCollectorConfig(
    const env::Environment& environment) {
  absl::StatusOr<std::string> api_base_url = LoadApiBaseUrl(environment);
  if (!api_base_url.ok()) return api_base_url.status();
  absl::StatusOr<std::string> table_name = LoadTableName(environment);
  if (!table_name.ok()) return table_name.status();
  const absl::StatusOr<absl::Duration> lag = LoadWindowLag(environment);
  if (!lag.ok()) return lag.status();
  return CollectorConfig{.api_base_url = *std::move(api_base_url),
                         .table_name = *std::move(table_name),
                         .window_lag = *lag};
}

}  // namespace byoshin::scheduler
