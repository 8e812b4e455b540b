#include "local/applications/generation/write_observer.h"

#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {
namespace {

constexpr int kDone = 200;

bool IsRead(absl::string_view sql) {
  return absl::StartsWithIgnoreCase(absl::StripLeadingAsciiWhitespace(sql),
                                    "SELECT");
}

}  // namespace

void WriteObserver::Handle(Call call, AnswerFunction answer) {
  const bool is_object = call.JsonBody().ok() && call.JsonBody()->isObject();
  if (!is_object || IsRead(json::TextMember(*call.JsonBody(), "sql"))) {
    return service().Handle(std::move(call), std::move(answer));
  }
  std::string cluster = json::TextMember(*call.JsonBody(), "resourceArn");
  service().Handle(std::move(call),
                   [this, cluster = std::move(cluster),
                    answer = std::move(answer)](Answer result) {
                     if (result.status == kDone) on_write_(cluster);
                     answer(std::move(result));
                   });
}

}  // namespace byoshin::local::applications
