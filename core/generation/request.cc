#include "core/generation/request.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/api_error.h"
#include "core/generation/constants.h"
#include "core/generation/message.h"
#include "core/generation/process.h"
#include "core/generation/text.h"
#include "core/json/json.h"
#include "core/json/value.h"
#include "proto/generation.pb.h"

namespace byoshin::generation {
namespace {

// Collects the invalid fields of a request.
class Complaints {
 public:
  void Add(absl::string_view field, Message message) {
    only_uuids_ = false;
    AddAny(field, std::move(message));
  }
  void AddUuid(absl::string_view field) {
    AddAny(field, {"UUID形式で指定してください", "Give a UUID."});
  }

  // OK if there are none.
  absl::Status ToStatus() const {
    if (details_.empty()) return absl::OkStatus();
    // The fields are named in the log, their values are not.
    const std::string fields = absl::StrJoin(
        details_, ", ", [](std::string* out, const FieldError& detail) {
          out->append(detail.field);
        });
    return generation::ToStatus(
        {.code = only_uuids_ ? ErrorCode::kInvalidUuid
                             : ErrorCode::kValidationError,
         .details = details_},
        absl::StrCat("invalid fields: ", fields));
  }

 private:
  void AddAny(absl::string_view field, Message message) {
    details_.push_back(
        {.field = std::string(field), .message = std::move(message)});
  }

  std::vector<FieldError> details_;
  bool only_uuids_ = true;
};

// Reads members of `params`.
class ParamsReader {
 public:
  ParamsReader(const Json::Value& params, Complaints& complaints)
      : params_(params), complaints_(complaints) {}

  bool Has(const char* name) const {
    return params_.isMember(name) && !params_[name].isNull();
  }

  // A text of 1 to `max` characters; empty if it is invalid.
  std::string RequiredText(const char* name, std::size_t max) {
    if (!Has(name)) {
      complaints_.Add(FieldOf(name), {"必須項目です", "This is required."});
      return {};
    }
    std::string text = OptionalText(name, max);
    if (params_[name].isString() && IsBlank(params_[name].asString())) {
      complaints_.Add(
          FieldOf(name),
          {absl::StrCat("1文字以上", max, "文字以内で入力してください"),
           absl::StrCat("Enter 1 to ", max, " characters.")});
    }
    return text;
  }

  std::string OptionalText(const char* name, std::size_t max) {
    if (!Has(name)) return {};
    if (!params_[name].isString()) {
      complaints_.Add(FieldOf(name),
                      {"文字列で指定してください", "Give a text."});
      return {};
    }
    std::string text = params_[name].asString();
    if (CountCharacters(text) > max) {
      complaints_.Add(FieldOf(name),
                      {absl::StrCat(max, "文字以内で入力してください"),
                       absl::StrCat("Enter at most ", max, " characters.")});
    } else if (HasControlCharacters(text)) {
      complaints_.Add(FieldOf(name),
                      {"使用できない文字が含まれています",
                       "It contains characters that are not allowed."});
    }
    return text;
  }

  std::string Uuid(const char* name) {
    const std::optional<std::string> uuid =
        params_[name].isString() ? ParseUuid(params_[name].asString())
                                 : std::nullopt;
    if (!uuid.has_value()) complaints_.AddUuid(FieldOf(name));
    return uuid.value_or("");
  }

  std::string RequiredUuid(const char* name) {
    if (Has(name)) return Uuid(name);
    complaints_.Add(FieldOf(name), {"必須項目です", "This is required."});
    return {};
  }

  // A day or an instant after `now`, as it was given.
  std::string Deadline(const char* name, absl::Time now) {
    if (!Has(name)) {
      complaints_.Add(FieldOf(name), {"必須項目です", "This is required."});
      return {};
    }
    const std::string text = json::TextMember(params_, name);
    const std::optional<Moment> moment = ParseMoment(text);
    if (!moment.has_value()) {
      complaints_.Add(FieldOf(name),
                      {"日時はISO 8601形式で指定してください",
                       "Give a date or a time in ISO 8601 format."});
    } else if (moment->end - absl::Milliseconds(1) <= now) {
      complaints_.Add(FieldOf(name), {"未来の日時を指定してください",
                                      "Give a date or a time in the future."});
    }
    return text;
  }

  static std::string FieldOf(const char* name) {
    return absl::StrCat("params.", name);
  }

 private:
  const Json::Value& params_;
  Complaints& complaints_;
};

GenerationParams ReadSubGoalParams(ParamsReader& reader, absl::Time now) {
  GenerationParams params;
  params.set_goal_id(reader.RequiredUuid("goalId"));
  params.set_title(reader.RequiredText("title", kMaxTitleLength));
  params.set_description(
      reader.RequiredText("description", kMaxDescriptionLength));
  params.set_deadline(reader.Deadline("deadline", now));
  params.set_background(
      reader.RequiredText("background", kMaxBackgroundLength));
  if (std::string text =
          reader.OptionalText("constraints", kMaxConstraintsLength);
      !IsBlank(text)) {
    params.set_constraints(std::move(text));
  }
  return params;
}

// Either a goal's id or that of one of its parts.
GenerationParams ReadPartParams(ParamsReader& reader, ProcessType type,
                                Complaints& complaints) {
  const char* const part =
      type == ProcessType::kActions ? "subGoalId" : "actionId";
  GenerationParams params;
  if (reader.Has("goalId") == reader.Has(part)) {
    complaints.Add(
        ParamsReader::FieldOf("goalId"),
        {absl::StrCat("goalIdまたは", part, "のどちらか一方を指定してください"),
         absl::StrCat("Give either goalId or ", part, ".")});
  } else if (reader.Has("goalId")) {
    params.set_goal_id(reader.Uuid("goalId"));
  } else if (type == ProcessType::kActions) {
    params.set_sub_goal_id(reader.Uuid(part));
  } else {
    params.set_action_id(reader.Uuid(part));
  }
  return params;
}

absl::Status Invalid(absl::string_view field, Message message) {
  Complaints complaints;
  complaints.Add(field, std::move(message));
  return complaints.ToStatus();
}

// "A、B" or "A, B".
std::string TypeNames(absl::string_view separator) {
  return absl::StrJoin(kProcessTypes, separator,
                       [](std::string* out, ProcessType one) {
                         absl::StrAppend(out, NameOf(one));
                       });
}

std::optional<Target> FindTarget(const GenerationParams& params) {
  if (params.has_goal_id()) {
    return Target{.kind = TargetKind::kGoal, .id = params.goal_id()};
  }
  if (params.has_sub_goal_id()) {
    return Target{.kind = TargetKind::kSubGoal, .id = params.sub_goal_id()};
  }
  if (params.has_action_id()) {
    return Target{.kind = TargetKind::kAction, .id = params.action_id()};
  }
  return std::nullopt;
}

// The value of a query parameter; nullopt if it is missing or empty.
std::optional<std::string> Given(
    const std::map<std::string, std::string>& parameters,
    const std::string& name) {
  const auto found = parameters.find(name);
  if (found == parameters.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

int ReadCount(const std::optional<std::string>& text, const char* name,
              int otherwise, int max, Complaints& complaints) {
  if (!text.has_value()) return otherwise;
  int number = 0;
  // Digits only: SimpleAtoi takes signs and spaces too.
  const bool digits = std::all_of(text->begin(), text->end(), [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c));
  });
  if (!digits || !absl::SimpleAtoi(*text, &number) || number < 1 ||
      number > max) {
    complaints.Add(name,
                   {absl::StrCat("1から", max, "の整数で指定してください"),
                    absl::StrCat("Give a whole number from 1 to ", max, ".")});
  }
  return number;
}

std::optional<Moment> ReadDate(const std::optional<std::string>& text,
                               const char* name, Complaints& complaints) {
  if (!text.has_value()) return std::nullopt;
  const std::optional<Moment> moment = ParseMoment(*text);
  if (!moment.has_value()) {
    complaints.Add(name, {"日時はISO 8601形式で指定してください",
                          "Give a date or a time in ISO 8601 format."});
  }
  return moment;
}

}  // namespace

absl::StatusOr<GenerateRequest> ParseGenerateRequest(absl::string_view body,
                                                     absl::Time now) {
  if (body.size() > kMaxRequestBytes) {
    return Invalid("body",
                   {"リクエストが大きすぎます", "The request is too large."});
  }
  const absl::StatusOr<Json::Value> json = json::ParseValue(body);
  if (!json.ok() || !json->isObject()) {
    return ToStatus(
        {.code = ErrorCode::kValidationError, .details = NotAnObjectDetails()},
        "the body is not a JSON object");
  }
  const std::optional<ProcessType> type =
      ProcessTypeOf(json::TextMember(*json, "type"));
  if (!type.has_value()) {
    return ToStatus(
        {.code = ErrorCode::kInvalidProcessType,
         .details = {{.field = "type",
                      .message = {absl::StrCat(TypeNames("、"),
                                               "のいずれかを指定してください"),
                                  absl::StrCat("Give one of ", TypeNames(", "),
                                               ".")}}}},
        "unknown process type");
  }
  const Json::Value& object = (*json)["params"];
  if (!object.isObject()) {
    return Invalid("params",
                   {"オブジェクトで指定してください", "Give an object."});
  }
  Complaints complaints;
  ParamsReader reader(object, complaints);
  const GenerationParams params =
      *type == ProcessType::kSubGoals
          ? ReadSubGoalParams(reader, now)
          : ReadPartParams(reader, *type, complaints);
  if (absl::Status status = complaints.ToStatus(); !status.ok()) return status;
  return GenerateRequest{.type = *type,
                         .target = FindTarget(params).value_or(Target()),
                         .params = json::ToJson(params)};
}

absl::StatusOr<Target> TargetOf(absl::string_view params) {
  const absl::StatusOr<GenerationParams> parsed =
      json::FromJson<GenerationParams>(params);
  if (!parsed.ok()) {
    return absl::DataLossError(
        absl::StrCat("the params of the process are unreadable: ",
                     parsed.status().message()));
  }
  const std::optional<Target> target = FindTarget(*parsed);
  if (!target.has_value()) {
    return absl::DataLossError("the params of the process name no target");
  }
  return *target;
}

absl::StatusOr<std::string> ParseProcessId(absl::string_view text) {
  const std::optional<std::string> uuid = ParseUuid(text);
  if (uuid.has_value()) return *uuid;
  Complaints complaints;
  complaints.AddUuid(kProcessIdParameter);
  return complaints.ToStatus();
}

absl::StatusOr<HistoryQuery> ParseHistoryQuery(
    const std::map<std::string, std::string>& parameters) {
  Complaints complaints;
  HistoryQuery query;
  query.page =
      ReadCount(Given(parameters, "page"), "page", 1, kMaxPage, complaints);
  query.page_size = ReadCount(Given(parameters, "pageSize"), "pageSize",
                              kDefaultPageSize, kMaxPageSize, complaints);
  if (const auto name = Given(parameters, "type"); name.has_value()) {
    query.type = ProcessTypeOf(*name);
    if (!query.type.has_value()) {
      complaints.Add("type", {"処理タイプが正しくありません",
                              "The process type is invalid."});
    }
  }
  if (const auto name = Given(parameters, "status"); name.has_value()) {
    query.status = ProcessStatusOf(*name);
    if (!query.status.has_value()) {
      complaints.Add(
          "status", {"ステータスが正しくありません", "The status is invalid."});
    }
  }
  const std::optional<Moment> start =
      ReadDate(Given(parameters, "startDate"), "startDate", complaints);
  const std::optional<Moment> end =
      ReadDate(Given(parameters, "endDate"), "endDate", complaints);
  if (start.has_value()) query.start = start->begin;
  if (end.has_value()) query.end = end->end;
  if (start.has_value() && end.has_value() && start->begin >= end->end) {
    complaints.Add("endDate",
                   {"開始日以降の日時を指定してください",
                    "Give a date that is not before the start date."});
  }
  if (absl::Status status = complaints.ToStatus(); !status.ok()) return status;
  return query;
}

}  // namespace byoshin::generation
