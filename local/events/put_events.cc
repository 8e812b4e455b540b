#include "local/events/put_events.h"

#include <json/json.h>

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/gateway/error.h"

namespace byoshin::local::events {
namespace {

constexpr std::size_t kMaxEntries = 10;
constexpr std::size_t kMaxEntriesBytes = 262144;

Json::Value Refusal(const char* code, const std::string& message) {
  Json::Value value(Json::objectValue);
  value["ErrorCode"] = code;
  value["ErrorMessage"] = message;
  return value;
}

// The entry of the answer.
Json::Value Take(const Json::Value& entry) {
  for (const char* name : {"Source", "DetailType", "Detail"}) {
    if (json::TextMember(entry, name).empty()) {
      return Refusal("InvalidArgument",
                     absl::StrCat("Parameter ", name, " is not valid. Reason: ",
                                  name, " is a required argument."));
    }
  }
  const std::string source = json::TextMember(entry, "Source");
  if (absl::StartsWith(source, "aws.")) {
    return Refusal("NotAuthorizedForSourceException",
                   absl::StrCat("Not authorized for the source: ", source));
  }
  const absl::StatusOr<Json::Value> detail =
      json::ParseValue(json::TextMember(entry, "Detail"));
  if (!detail.ok() || !detail->isObject()) {
    return Refusal("MalformedDetail", "Detail is malformed.");
  }
  Json::Value value(Json::objectValue);
  value["EventId"] = random::NewUuid();
  return value;
}

absl::Status Invalid(const std::string& message) {
  return ServiceError({.code = "ValidationException", .message = message});
}

}  // namespace

absl::StatusOr<Json::Value> PutEvents(const Call& call) {
  const absl::StatusOr<Json::Value>& body = call.JsonBody();
  if (!body.ok() || !body->isObject()) {
    return ServiceError({.code = "SerializationException",
                         .message = "the request is not a JSON object"});
  }
  const Json::Value& entries = (*body)["Entries"];
  if (!entries.isArray() || entries.empty() || entries.size() > kMaxEntries) {
    return Invalid(
        "1 validation error detected: Value at 'entries' failed to satisfy "
        "constraint: Member must have length from 1 to 10");
  }
  if (call.body.size() > kMaxEntriesBytes) {
    return Invalid(
        "Total size of the entries in the request is over the "
        "limit.");
  }
  Json::Value answer(Json::objectValue);
  int failed = 0;
  for (const Json::Value& entry : entries) {
    Json::Value taken = Take(entry);
    if (taken.isMember("ErrorCode")) ++failed;
    answer["Entries"].append(std::move(taken));
  }
  answer["FailedEntryCount"] = failed;
  return answer;
}

}  // namespace byoshin::local::events
