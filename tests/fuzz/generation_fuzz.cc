// Tries what reads requests, answers of models and SQL files of generation on
// any bytes.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/api_error.h"
#include "core/generation/constants.h"
#include "core/generation/goal_store.h"
#include "core/generation/model_answer.h"
#include "core/generation/request.h"
#include "core/generation/sql_split.h"
#include "core/generation/text.h"

namespace byoshin::generation {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void CheckRequest(absl::string_view body) {
  const absl::StatusOr<GenerateRequest> request =
      ParseGenerateRequest(body, absl::UnixEpoch());
  if (!request.ok()) {
    Require(HttpStatusOf(ApiErrorOf(request.status())) == 400,
            "an invalid request is the client's error");
    Require(!ApiErrorOf(request.status()).details.empty(),
            "an invalid request has an invalid field");
    return;
  }
  Require(ParseUuid(request->target.id) == request->target.id,
          "a target is a UUID in lower case");
  const absl::StatusOr<Target> target = TargetOf(request->params);
  Require(target.ok() && *target == request->target,
          "the target is found in the params again");
}

template <typename T>
void CheckParts(const absl::StatusOr<std::vector<T>>& parts) {
  if (!parts.ok()) {
    Require(absl::IsInvalidArgument(parts.status()) &&
                parts.status().message().size() < 200,
            "a complaint is short");
    return;
  }
  for (const T& part : *parts) {
    Require(!IsBlank(part.title) && !IsBlank(part.description),
            "a part has texts");
    Require(CountCharacters(part.title) <= kMaxItemTitleLength &&
                CountCharacters(part.description) <= kMaxItemDescriptionLength,
            "texts are short");
    Require(!HasControlCharacters(part.title), "PostgreSQL can store it");
  }
}

void CheckTasks(absl::string_view answer) {
  const absl::StatusOr<std::vector<Task>> tasks = ParseTasks(answer);
  CheckParts(tasks);
  if (!tasks.ok()) return;
  for (const Task& task : *tasks) {
    Require(task.estimated_time >= kMinTaskTime &&
                task.estimated_time <= kMaxTaskTime,
            "a task takes 15 to 120 minutes");
  }
}

void CheckSql(absl::string_view sql) {
  const absl::StatusOr<std::vector<std::string>> statements =
      SplitStatements(sql);
  if (!statements.ok()) return;
  // A comment may end at the end of the text.
  const std::string joined = absl::StrJoin(*statements, "\n;\n");
  const absl::StatusOr<std::vector<std::string>> again =
      SplitStatements(joined);
  Require(again.ok() && *again == *statements,
          "statements are split in the same way again");
}

}  // namespace
}  // namespace byoshin::generation

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace byoshin::generation;  // NOLINT: the subject of this target
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  CheckRequest(text);
  CheckParts(ParseSubGoals(text));
  CheckParts(ParseActions(text));
  CheckTasks(text);
  CheckSql(text);
  return 0;
}
