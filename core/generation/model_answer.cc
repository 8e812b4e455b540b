#include "core/generation/model_answer.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/generation/goal_store.h"
#include "core/generation/process.h"
#include "core/generation/prompts.h"
#include "core/generation/text.h"
#include "core/json/value.h"

namespace byoshin::generation {
namespace {

struct CountRange {
  int min;
  int max;
};

// From the first "{" to the last "}": models like to add fences and greetings.
absl::string_view JsonPartOf(absl::string_view answer) {
  const std::size_t begin = answer.find('{');
  const std::size_t end = answer.rfind('}');
  if (begin == absl::string_view::npos || end == absl::string_view::npos ||
      end < begin) {
    return {};
  }
  return answer.substr(begin, end - begin + 1);
}

absl::StatusOr<Json::Value> ParseList(absl::string_view answer,
                                      absl::string_view name,
                                      CountRange count) {
  const absl::StatusOr<Json::Value> json = json::ParseValue(JsonPartOf(answer));
  if (!json.ok() || !json->isObject()) {
    return absl::InvalidArgumentError("the answer is not a JSON object");
  }
  Json::Value list = (*json)[std::string(name)];
  if (!list.isArray()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": expected an array"));
  }
  const int size = static_cast<int>(list.size());
  if (size >= count.min && size <= count.max) return list;
  return absl::InvalidArgumentError(absl::StrCat(
      name, ": expected ", count.min,
      count.min == count.max ? std::string() : absl::StrCat(" to ", count.max),
      " elements, found ", size));
}

// Reads the elements of the list; keeps the first complaint.
class ElementReader {
 public:
  ElementReader(absl::string_view list_name, int index,
                const Json::Value& element)
      : where_(absl::StrCat(list_name, "[", index, "]")), element_(element) {
    if (!element_.isObject()) Complain("", "expected an object");
  }

  std::string Text(const char* name, std::size_t max) {
    if (!status_.ok()) return {};
    const Json::Value& value = element_[name];
    if (!value.isString()) {
      Complain(name, "expected a string");
      return {};
    }
    std::string text(absl::StripAsciiWhitespace(value.asString()));
    const std::size_t length = CountCharacters(text);
    if (IsBlank(text)) {
      Complain(name, "must not be blank");
    } else if (length > max) {
      Complain(name, absl::StrCat("expected at most ", max,
                                  " characters, found ", length));
    } else if (HasControlCharacters(text)) {
      Complain(name, "must not contain control characters");
    }
    return text;
  }

  ActionType Type(const char* name) {
    if (!status_.ok()) return {};
    const std::optional<ActionType> type =
        ActionTypeOf(json::TextMember(element_, name));
    if (!type.has_value()) {
      Complain(name, absl::StrCat("expected \"", kExecutionAction, "\" or \"",
                                  kHabitAction, "\""));
    }
    return type.value_or(ActionType::kExecution);
  }

  absl::Duration Minutes(const char* name) {
    if (!status_.ok()) return {};
    const Json::Value& value = element_[name];
    // 30.0 is 30.
    if (!value.isInt64()) {
      Complain(name, "expected an integer");
      return {};
    }
    const std::int64_t minutes = value.asInt64();
    const std::int64_t min = absl::ToInt64Minutes(kMinTaskTime);
    const std::int64_t max = absl::ToInt64Minutes(kMaxTaskTime);
    if (minutes < min || minutes > max) {
      Complain(name, absl::StrCat("expected ", min, " to ", max, ", found ",
                                  minutes));
      return {};
    }
    return absl::Minutes(minutes);
  }

  // Titles must differ within a list.
  void CheckUnique(const std::string& title, std::set<std::string>& titles) {
    if (status_.ok() && !titles.insert(title).second) {
      Complain("title", "must differ from the titles before");
    }
  }

  const absl::Status& status() const { return status_; }

 private:
  void Complain(absl::string_view name, absl::string_view what) {
    status_.Update(absl::InvalidArgumentError(
        absl::StrCat(where_, name.empty() ? "" : ".", name, ": ", what)));
  }

  const std::string where_;
  const Json::Value& element_;
  absl::Status status_;
};

// Reads what all elements have, then `read_rest`.
template <typename T, typename ReadRest>
absl::StatusOr<std::vector<T>> ParseElements(absl::string_view answer,
                                             ProcessType type, CountRange count,
                                             std::size_t max_title,
                                             ReadRest read_rest) {
  const absl::string_view name = ListNameOf(type);
  const absl::StatusOr<Json::Value> list = ParseList(answer, name, count);
  if (!list.ok()) return list.status();
  std::vector<T> parsed;
  std::set<std::string> titles;
  for (int i = 0; i < static_cast<int>(list->size()); ++i) {
    ElementReader reader(name, i, (*list)[i]);
    T element;
    element.position = i + 1;
    element.title = reader.Text("title", max_title);
    reader.CheckUnique(element.title, titles);
    element.description = reader.Text("description", kMaxItemDescriptionLength);
    read_rest(reader, element);
    if (!reader.status().ok()) return reader.status();
    parsed.push_back(std::move(element));
  }
  return parsed;
}

}  // namespace

absl::StatusOr<std::vector<SubGoal>> ParseSubGoals(absl::string_view answer) {
  return ParseElements<SubGoal>(
      answer, ProcessType::kSubGoals, {kSubGoalsPerGoal, kSubGoalsPerGoal},
      kMaxItemTitleLength, [](ElementReader&, SubGoal&) {});
}

absl::StatusOr<std::vector<Action>> ParseActions(absl::string_view answer) {
  return ParseElements<Action>(
      answer, ProcessType::kActions, {kActionsPerSubGoal, kActionsPerSubGoal},
      kMaxItemTitleLength, [](ElementReader& reader, Action& action) {
        action.type = reader.Type("type");
      });
}

absl::StatusOr<std::vector<Task>> ParseTasks(absl::string_view answer) {
  return ParseElements<Task>(
      answer, ProcessType::kTasks, {kMinTasksPerAction, kMaxTasksPerAction},
      kMaxTaskTitleLength, [](ElementReader& reader, Task& task) {
        task.estimated_time = reader.Minutes("estimatedMinutes");
      });
}

}  // namespace byoshin::generation
