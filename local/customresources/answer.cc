#include "local/customresources/answer.h"

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"

namespace byoshin::local::customresources {
namespace {

absl::Status InvalidAnswer(absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("Invalid response of the custom resource: ", what));
}

}  // namespace

absl::StatusOr<FunctionAnswer> ParseAnswer(absl::string_view text,
                                           const RequestIds& ids) {
  if (text.size() > kMaxAnswerBytes) {
    return InvalidAnswer(
        absl::StrCat("it is longer than ", kMaxAnswerBytes, " bytes"));
  }
  const absl::StatusOr<Json::Value> json = json::ParseValue(text);
  if (!json.ok()) return InvalidAnswer(json.status().message());
  if (!json->isObject()) return InvalidAnswer("it is not a JSON object");
  const std::pair<const char*, const std::string*> repeated[] = {
      {"StackId", &ids.stack_id},
      {"RequestId", &ids.request_id},
      {"LogicalResourceId", &ids.logical_id}};
  for (const auto& [name, value] : repeated) {
    if (json::TextMember(*json, name) != *value) {
      return InvalidAnswer(absl::StrCat(name, " is not that of the request"));
    }
  }
  const std::string status = json::TextMember(*json, "Status");
  if (status != "SUCCESS" && status != "FAILED") {
    return InvalidAnswer("Status must be SUCCESS or FAILED");
  }
  FunctionAnswer answer{
      .success = status == "SUCCESS",
      .reason = json::TextMember(*json, "Reason"),
      .physical_id = json::TextMember(*json, "PhysicalResourceId")};
  if (answer.success && answer.physical_id.empty()) {
    return InvalidAnswer("it has no PhysicalResourceId");
  }
  if (answer.physical_id.size() > kMaxPhysicalIdBytes) {
    return InvalidAnswer("PhysicalResourceId is too long");
  }
  const Json::Value& data = (*json)["Data"];
  if (data.isNull()) return answer;
  if (!data.isObject()) return InvalidAnswer("Data is not an object");
  for (auto member = data.begin(); member != data.end(); ++member) {
    answer.data[member.name()] = cloudformation::IsScalar(*member)
                                     ? cloudformation::ScalarText(*member)
                                     : json::WriteValue(*member);
  }
  return answer;
}

}  // namespace byoshin::local::customresources
