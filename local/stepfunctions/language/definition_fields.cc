// Which fields a state can have.
#include <algorithm>
#include <iterator>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/definition_parser.h"
#include "local/stepfunctions/language/field_reader.h"

namespace byoshin::local::stepfunctions::internal {
namespace {

constexpr StateType kStateTypes[] = {
    StateType::kTask,     StateType::kPass,    StateType::kChoice,
    StateType::kWait,     StateType::kSucceed, StateType::kFail,
    StateType::kParallel, StateType::kMap,
};

constexpr absl::string_view kPassFields[] = {
    "Type",       "Comment", "QueryLanguage", "InputPath",
    "OutputPath", "Result",  "ResultPath",    "Parameters",
    "Output",     "Assign",  "Next",          "End",
};
constexpr absl::string_view kTaskFields[] = {
    "Type",
    "Comment",
    "QueryLanguage",
    "InputPath",
    "OutputPath",
    "ResultPath",
    "Parameters",
    "Arguments",
    "Output",
    "Assign",
    "Resource",
    "Credentials",
    "ResultSelector",
    "Retry",
    "Catch",
    "TimeoutSeconds",
    "Next",
    "TimeoutSecondsPath",
    "End",
    "HeartbeatSeconds",
    "HeartbeatSecondsPath",
};
constexpr absl::string_view kWaitFields[] = {
    "Type",   "Comment", "QueryLanguage", "InputPath", "OutputPath",
    "Output", "Assign",  "Seconds",       "Timestamp", "SecondsPath",
    "Next",   "End",     "TimestampPath",
};
constexpr absl::string_view kParallelFields[] = {
    "Type",           "Comment",    "QueryLanguage", "InputPath",
    "OutputPath",     "ResultPath", "Arguments",     "Parameters",
    "Output",         "Assign",     "Retry",         "Catch",
    "ResultSelector", "Branches",   "Next",          "End",
};
constexpr absl::string_view kMapFields[] = {
    "Type",
    "Comment",
    "QueryLanguage",
    "InputPath",
    "OutputPath",
    "ResultPath",
    "Parameters",
    "Output",
    "Assign",
    "ResultSelector",
    "Retry",
    "Catch",
    "ItemProcessor",
    "Iterator",
    "ItemsPath",
    "Items",
    "ItemSelector",
    "ItemReader",
    "ItemBatcher",
    "ResultWriter",
    "MaxConcurrency",
    "MaxConcurrencyPath",
    "ToleratedFailurePercentage",
    "ToleratedFailurePercentagePath",
    "ToleratedFailureCount",
    "ToleratedFailureCountPath",
    "Label",
    "Next",
    "End",
};
constexpr absl::string_view kChoiceFields[] = {
    "Type",   "Comment", "QueryLanguage", "InputPath", "OutputPath",
    "Output", "Assign",  "Choices",       "Default",
};
constexpr absl::string_view kSucceedFields[] = {
    "Type", "Comment", "QueryLanguage", "InputPath", "OutputPath", "Output",
};
constexpr absl::string_view kFailFields[] = {
    "Type",  "Comment",   "QueryLanguage", "Error",
    "Cause", "ErrorPath", "CausePath",
};

// Fields of one query language. All others are for both.
constexpr absl::string_view kJsonPathOnly[] = {
    "InputPath",
    "OutputPath",
    "ResultPath",
    "Parameters",
    "ResultSelector",
    "Result",
    "ItemsPath",
    "TimeoutSecondsPath",
    "HeartbeatSecondsPath",
    "SecondsPath",
    "TimestampPath",
    "MaxConcurrencyPath",
    "ToleratedFailureCountPath",
    "ToleratedFailurePercentagePath",
    "ErrorPath",
    "CausePath",
    "MaxItemsPath",
    "MaxItemsPerBatchPath",
    "MaxInputBytesPerBatchPath",
    "Variable",
    "And",
    "Or",
    "Not",
};
constexpr absl::string_view kJsonataOnly[] = {"Output", "Arguments", "Items",
                                              "Condition"};

}  // namespace

absl::Span<const absl::string_view> FieldsOf(StateType type) {
  switch (type) {
    case StateType::kTask:
      return kTaskFields;
    case StateType::kPass:
      return kPassFields;
    case StateType::kChoice:
      return kChoiceFields;
    case StateType::kWait:
      return kWaitFields;
    case StateType::kSucceed:
      return kSucceedFields;
    case StateType::kFail:
      return kFailFields;
    case StateType::kParallel:
      return kParallelFields;
    case StateType::kMap:
      break;
  }
  return kMapFields;
}

std::optional<StateType> TypeNamed(absl::string_view name) {
  for (const StateType type : kStateTypes) {
    if (NameOf(type) == name) return type;
  }
  return std::nullopt;
}

void CheckLanguage(const FieldReader& fields, QueryLanguage language,
                   absl::Span<const absl::string_view> allowed) {
  const bool jsonpath = language == QueryLanguage::kJsonPath;
  const absl::Span<const absl::string_view> others =
      jsonpath ? absl::Span<const absl::string_view>(kJsonataOnly)
               : absl::Span<const absl::string_view>(kJsonPathOnly);
  const auto has = [](absl::Span<const absl::string_view> names,
                      absl::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const Data::Member& member : fields.object().members()) {
    const absl::string_view name = member.name();
    if (!has(others, name) || !has(allowed, name)) continue;
    fields.Mistake(absl::StrCat(
        "The QueryLanguage is set to '", NameOf(language), "', but field '",
        name, "' is only supported for the '",
        NameOf(jsonpath ? QueryLanguage::kJsonata : QueryLanguage::kJsonPath),
        "' QueryLanguage"));
  }
}

}  // namespace byoshin::local::stepfunctions::internal
