#include "local/stepfunctions/history.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/json/text.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service_traits.h"
#include "local/stepfunctions/answers.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/execution_json.h"
#include "local/stepfunctions/executions.h"
#include "local/stepfunctions/operation_json.h"

namespace byoshin::local::stepfunctions {
namespace {

// How many events come before the page.
absl::StatusOr<std::size_t> ReadEventToken(const std::string& token,
                                           std::size_t events) {
  if (token.empty()) return 0;
  std::string text;
  std::size_t before = 0;
  if (!absl::WebSafeBase64Unescape(token, &text) ||
      !absl::SimpleAtoi(text, &before) || before > events) {
    return InvalidPageTokenError();
  }
  return before;
}

// Those of the execution, or of a child of a distributed map. Valid until the
// next use of `executions`.
absl::StatusOr<const std::vector<HistoryEvent>*> EventsOf(
    Executions& executions, const std::string& arn) {
  const absl::StatusOr<kept::Execution> kept = executions.Find(arn);
  if (!kept.ok()) {
    const FoundChild found = FindChild(executions, arn);
    if (found.child == nullptr) return kept.status();
    return &found.child->events;
  }
  const absl::StatusOr<const Execution*> execution = executions.Open(arn);
  if (!execution.ok()) return execution.status();
  return &(*execution)->events();
}

}  // namespace

Answer HistoryAnswer(OperationContext& context, JsonFields& fields) {
  const std::string arn = fields.Text("executionArn");
  const bool reverse = fields.Flag("reverseOrder");
  const ExecutionData data =
      !fields.Has("includeExecutionData") || fields.Flag("includeExecutionData")
          ? ExecutionData::kIncluded
          : ExecutionData::kExcluded;
  const PageFields page = ReadPage(fields);
  const absl::StatusOr<const std::vector<HistoryEvent>*> events =
      EventsOf(context.executions, arn);
  if (!events.ok()) return ToAnswer(events.status());
  const std::size_t count = (*events)->size();
  const absl::StatusOr<std::size_t> begin = ReadEventToken(page.token, count);
  if (!begin.ok()) return ToAnswer(begin.status());
  const std::size_t end = std::min(count, *begin + page.limit);
  std::string body = "{\"events\":[";
  for (std::size_t i = *begin; i < end; ++i) {
    if (i != *begin) body += ',';
    HistoryEventJson((**events)[reverse ? count - 1 - i : i], data)
        .AppendJson(body);
  }
  body += ']';
  if (end < count) {
    body += ",\"nextToken\":";
    json::AppendQuoted(absl::WebSafeBase64Escape(absl::StrCat(end)), body);
  }
  body += '}';
  return {.content_type = kJson10ContentType, .body = std::move(body)};
}

}  // namespace byoshin::local::stepfunctions
