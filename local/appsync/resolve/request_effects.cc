#include "local/appsync/resolve/request_effects.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/http/client.h"
#include "core/sync/mutex.h"
#include "local/appsync/script/runtime.h"

namespace byoshin::local::appsync {
namespace {

constexpr char kHeaderErrorType[] = "ResponseHeaderError";

}  // namespace

void RequestEffects::Take(script::Evaluation& evaluation) {
  const sync::MutexLock lock(mutex_);
  for (const script::SubscriptionInvalidation& invalidation :
       evaluation.invalidations) {
    if (AddInvalidation(invalidation)) continue;
    evaluation.result.reset();
    evaluation.early_return.reset();
    evaluation.error = script::ScriptError{
        .kind = script::ScriptError::Kind::kFault,
        .message = absl::StrCat("At most ", script::kMaxInvalidations,
                                " invalidations can be initiated."),
        .error_type = script::kCodeErrorType};
  }
  if (evaluation.subscription_filter.has_value()) {
    effects_.subscription_filter = evaluation.subscription_filter;
  }
  if (evaluation.invalidation_filter.has_value()) {
    effects_.invalidation_filter = evaluation.invalidation_filter;
  }
  for (const auto& header : evaluation.response_headers) {
    if (AddHeader(header)) continue;
    evaluation.appended_errors.push_back(
        {.message = "The response headers exceed 4 KB.",
         .error_type = kHeaderErrorType});
  }
}

bool RequestEffects::AddInvalidation(
    const script::SubscriptionInvalidation& invalidation) {
  for (const script::SubscriptionInvalidation& known : effects_.invalidations) {
    if (known.subscription_field == invalidation.subscription_field &&
        known.payload == invalidation.payload) {
      return true;
    }
  }
  if (effects_.invalidations.size() >= script::kMaxInvalidations) return false;
  effects_.invalidations.push_back(invalidation);
  return true;
}

bool RequestEffects::AddHeader(
    const std::pair<std::string, std::string>& header) {
  const auto& [name, value] = header;
  const std::size_t bytes = header_bytes_ + name.size() + value.size();
  if (bytes > kMaxResponseHeaderBytes) return false;
  header_bytes_ = bytes;
  for (http::Header& known : effects_.response_headers) {
    if (!absl::EqualsIgnoreCase(known.name, name)) continue;
    known = {name, value};
    return true;
  }
  effects_.response_headers.push_back({name, value});
  return true;
}

Effects RequestEffects::Finish() {
  const sync::MutexLock lock(mutex_);
  return std::move(effects_);
}

}  // namespace byoshin::local::appsync
