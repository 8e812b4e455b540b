#include "local/applications/generation/simulated_users.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/generation/process.h"
#include "core/http/client.h"
#include "core/json/value.h"

namespace byoshin::local::applications {
namespace {

using generation::NameOf;
using generation::ProcessStatus;
using generation::ProcessType;

// Real time; a call may wait for a function to start.
constexpr absl::Duration kCallTimeout = absl::Seconds(60);

constexpr int kConflict = 409;

std::string PathOf(absl::string_view path, const std::string& process_id) {
  return absl::StrReplaceAll(
      path,
      {{absl::StrCat("{", generation::kProcessIdParameter, "}"), process_id}});
}

// A goal of each minute, so that a simulation can be repeated.
std::string GoalIdOf(absl::Time minute) {
  return absl::StrFormat("00000000-0000-4000-8000-%012d",
                         absl::ToUnixSeconds(minute));
}

Json::Value NewGoal(const std::string& goal_id) {
  Json::Value params(Json::objectValue);
  params["goalId"] = goal_id;
  params["title"] = "Run a marathon";
  params["description"] = "I finish in under five hours.";
  params["deadline"] = "2999-12-31";
  params["background"] = "I run twice a week.";
  return params;
}

}  // namespace

SimulatedUsers::SimulatedUsers(World world) : world_(std::move(world)) {
  for (int i = 0; i < kSimulatedUsers; ++i) {
    const std::string name = absl::StrCat("simulated-", i);
    users_.push_back({.name = world_.parts.users_have_addresses
                                  ? absl::StrCat(name, "@example.com")
                                  : name});
  }
}

Json::Value SimulatedUsers::Call(const std::string& token, const char* method,
                                 absl::string_view path,
                                 const Json::Value& body) {
  http::Request request{
      .method = method,
      .url = absl::StrCat(world_.endpoint, "/restapis/", world_.parts.api_id,
                          "/", world_.parts.stage, "/_user_request_", path),
      .headers = {{"Authorization", absl::StrCat("Bearer ", token)},
                  {"Content-Type", "application/json"}},
      .connect_timeout = kCallTimeout,
      .timeout = kCallTimeout};
  if (!body.isNull()) request.body = json::WriteValue(body);
  const absl::StatusOr<http::Response> response =
      world_.http_client.Send(request);
  if (response.ok() && response->status / 100 == 2) {
    const absl::StatusOr<Json::Value> answer = json::ParseValue(response->body);
    if (answer.ok() && answer->isObject()) return (*answer)["data"];
  }
  // The state did not permit it any more: functions take no simulated time, so
  // that a process may be over before it is cancelled.
  if (response.ok() && response->status == kConflict) return {};
  ++counts_.failed_calls;
  return {};
}

Json::Value SimulatedUsers::Generate(const std::string& token,
                                     absl::string_view type,
                                     const Json::Value& params) {
  Json::Value body(Json::objectValue);
  body["type"] = std::string(type);
  body["params"] = params;
  return Call(token, "POST", generation::kGeneratePath, body);
}

std::string SimulatedUsers::GoOn(User& user, const std::string& token,
                                 absl::Time minute) {
  Json::Value last;
  if (!user.process_id.empty()) {
    last = Call(token, "GET", PathOf(generation::kStatusPath, user.process_id));
  }
  const std::optional<ProcessStatus> status =
      generation::ProcessStatusOf(json::TextMember(last, "status"));
  if (status.has_value() && generation::CanRetry(*status) &&
      last["retryCount"].asInt() < generation::kMaxRetries) {
    const std::string id = json::TextMember(
        Call(token, "POST", PathOf(generation::kRetryPath, user.process_id)),
        "processId");
    if (!id.empty()) ++counts_.retried;
    return id;
  }
  if (status == ProcessStatus::kCompleted &&
      json::TextMember(last, "type") == NameOf(ProcessType::kSubGoals)) {
    Json::Value params(Json::objectValue);
    params["goalId"] = user.goal_id;
    return json::TextMember(
        Generate(token, NameOf(ProcessType::kActions), params), "processId");
  }
  user.goal_id = GoalIdOf(minute);
  return json::TextMember(
      Generate(token, NameOf(ProcessType::kSubGoals), NewGoal(user.goal_id)),
      "processId");
}

void SimulatedUsers::Visit(absl::Time minute) {
  const std::int64_t number = absl::ToUnixSeconds(minute) / 60;
  User& user = users_[static_cast<std::size_t>(number % kSimulatedUsers)];
  const absl::StatusOr<std::string> token = world_.token(user.name);
  if (!token.ok()) {
    ++counts_.failed_calls;
    return;
  }
  user.process_id = GoOn(user, *token, minute);
  if (user.process_id.empty()) return;
  ++counts_.started;
  if (counts_.started % kCancelledOneIn != 0) return;
  const Json::Value cancelled =
      Call(*token, "POST", PathOf(generation::kCancelPath, user.process_id));
  if (!cancelled.isNull()) ++counts_.cancelled;
}

}  // namespace byoshin::local::applications
