#include "local/dashboard/parameters.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/http/url.h"

namespace byoshin::local::dashboard {
namespace {

// The last millisecond of the year 9999.
constexpr std::int64_t kLastMillis = 253402300799999;

}  // namespace

absl::StatusOr<std::string> TextParameter(const http::ServerRequest& request,
                                          absl::string_view name) {
  absl::StatusOr<std::vector<http::QueryParameter>> parameters =
      http::ParseQuery(request.query);
  if (!parameters.ok()) return parameters.status();
  for (http::QueryParameter& parameter : *parameters) {
    if (parameter.name == name) return std::move(parameter.value);
  }
  return std::string();
}

absl::StatusOr<std::int64_t> IntParameter(const http::ServerRequest& request,
                                          absl::string_view name,
                                          const Limits& limits) {
  const absl::StatusOr<std::string> text = TextParameter(request, name);
  if (!text.ok()) return text.status();
  std::int64_t value = 0;
  if (text->empty() && limits.otherwise.has_value()) return *limits.otherwise;
  if (!absl::SimpleAtoi(*text, &value) || value < limits.least ||
      value > limits.most) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " must be a whole number from ", limits.least,
                     " to ", limits.most));
  }
  return value;
}

absl::StatusOr<TimeRange> RangeParameters(const http::ServerRequest& request) {
  const Limits limits{.least = 0, .most = kLastMillis};
  const absl::StatusOr<std::int64_t> from =
      IntParameter(request, "from", limits);
  if (!from.ok()) return from.status();
  const absl::StatusOr<std::int64_t> to = IntParameter(request, "to", limits);
  if (!to.ok()) return to.status();
  if (*from >= *to) {
    return absl::InvalidArgumentError("from must be before to");
  }
  return TimeRange{.from = absl::FromUnixMillis(*from),
                   .to = absl::FromUnixMillis(*to)};
}

absl::StatusOr<std::int64_t> BucketsParameter(
    const http::ServerRequest& request) {
  return IntParameter(request, "buckets",
                      {.least = 2, .most = 4000, .otherwise = 2000});
}

}  // namespace byoshin::local::dashboard
