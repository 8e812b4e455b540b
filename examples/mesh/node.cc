// A node of Mesh v2 for the command line: joins a group, and reports and fires
// what it reads from the standard input.
//
//   node --url=URL --key=KEY --domain=D --id=ME [--group=ID]
//
//   temperature=25.5     reports the value, with all that were reported before
//   !button pressed      fires the event "button" with the payload "pressed"
//
// Without --group it is the host of a group of its own, which ends with the
// input; with one, it leaves the group then.
#include <json/json.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/http/ca_file.h"
#include "core/http/client.h"
#include "core/http/curl_client.h"
#include "core/json/value.h"
#include "core/time/iso8601.h"

ABSL_FLAG(std::string, url, "", "GraphQLUrl, an output of the stack");
ABSL_FLAG(std::string, key, "", "ApiKey, an output of the stack");
ABSL_FLAG(std::string, domain, "", "domain of the group");
ABSL_FLAG(std::string, id, "", "id of this node");
ABSL_FLAG(std::string, group, "", "group to join; if empty, a new one");

namespace byoshin {
namespace {

constexpr char kCreate[] =
    "mutation($domain: String!, $me: ID!) {"
    " result: createGroup(name: \"example\", hostId: $me, domain: $domain)"
    " { id } }";
constexpr char kJoin[] =
    "mutation($groupId: ID!, $domain: String!, $me: ID!) {"
    " result: joinGroup(groupId: $groupId, domain: $domain, nodeId: $me)"
    " { heartbeatIntervalSeconds } }";
constexpr char kRenew[] =
    "mutation($groupId: ID!, $domain: String!, $me: ID!) {"
    " result: renewHeartbeat(groupId: $groupId, domain: $domain, hostId: $me)"
    " { heartbeatIntervalSeconds } }";
constexpr char kBeat[] =
    "mutation($groupId: ID!, $domain: String!, $me: ID!) {"
    " result: sendMemberHeartbeat(groupId: $groupId, domain: $domain,"
    " nodeId: $me) { heartbeatIntervalSeconds } }";
// Subscribers get what these two select.
constexpr char kReport[] =
    "mutation($groupId: ID!, $domain: String!, $me: ID!,"
    " $data: [SensorDataInput!]!) {"
    " result: reportDataByNode(groupId: $groupId, domain: $domain,"
    " nodeId: $me, data: $data)"
    " { nodeId groupId domain data { key value } timestamp } }";
constexpr char kFire[] =
    "mutation($groupId: ID!, $domain: String!, $me: ID!,"
    " $events: [EventInput!]!) {"
    " result: fireEventsByNode(groupId: $groupId, domain: $domain,"
    " nodeId: $me, events: $events) { events { name firedByNodeId groupId"
    " domain payload timestamp } firedByNodeId groupId domain timestamp } }";
constexpr char kLeave[] =
    "mutation($groupId: ID!, $domain: String!, $me: ID!) {"
    " result: leaveGroup(groupId: $groupId, domain: $domain, nodeId: $me)"
    " { message } }";
constexpr char kDissolve[] =
    "mutation($groupId: ID!, $domain: String!, $me: ID!) {"
    " result: dissolveGroup(groupId: $groupId, domain: $domain, hostId: $me)"
    " { groupId domain message } }";

class Node {
 public:
  absl::Status Begin() {
    variables_["domain"] = absl::GetFlag(FLAGS_domain);
    variables_["me"] = absl::GetFlag(FLAGS_id);
    if (is_host_) {
      const absl::StatusOr<Json::Value> group = Call(kCreate);
      if (!group.ok()) return group.status();
      variables_["groupId"] = (*group)["id"];
    } else {
      variables_["groupId"] = absl::GetFlag(FLAGS_group);
      const absl::StatusOr<Json::Value> joined = Call(kJoin);
      if (!joined.ok()) return joined.status();
    }
    std::cout << "group " << variables_["groupId"].asString() << std::endl;
    return Beat();
  }

  absl::Status Take(const std::string& line) {
    // Lines come often enough in this example; a program that may be silent
    // for longer sends heartbeats by a timer.
    if (absl::Now() >= next_beat_) {
      if (absl::Status status = Beat(); !status.ok()) return status;
    }
    absl::string_view event = line;
    if (absl::ConsumePrefix(&event, "!")) return Fire(std::string(event));
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(line, absl::MaxSplits('=', 1));
    values_[parts.first] = parts.second;
    Json::Value data(Json::arrayValue);
    for (const auto& [key, value] : values_) {
      Json::Value entry(Json::objectValue);
      entry["key"] = key;
      entry["value"] = value;
      data.append(entry);
    }
    return Show(Call(kReport, "data", data), "timestamp");
  }

  absl::Status End() {
    return Show(Call(is_host_ ? kDissolve : kLeave), "message");
  }

 private:
  absl::Status Fire(const std::string& text) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(text, absl::MaxSplits(' ', 1));
    Json::Value event(Json::objectValue);
    event["eventName"] = parts.first;
    event["payload"] = parts.second;
    event["firedAt"] = time::FormatIso8601(absl::Now());
    Json::Value events(Json::arrayValue);
    events.append(event);
    return Show(Call(kFire, "events", events), "timestamp");
  }

  // Of five heartbeats, one must arrive in time.
  absl::Status Beat() {
    const absl::StatusOr<Json::Value> beat = Call(is_host_ ? kRenew : kBeat);
    if (!beat.ok()) return beat.status();
    next_beat_ = absl::Now() +
                 absl::Seconds((*beat)["heartbeatIntervalSeconds"].asInt());
    return absl::OkStatus();
  }

  static absl::Status Show(const absl::StatusOr<Json::Value>& result,
                           const char* member) {
    if (!result.ok()) return result.status();
    std::cout << (*result)[member].asString() << std::endl;
    return absl::OkStatus();
  }

  absl::StatusOr<Json::Value> Call(const char* query, const char* name,
                                   const Json::Value& value) {
    Json::Value variables = variables_;
    variables[name] = value;
    return Send(query, variables);
  }
  absl::StatusOr<Json::Value> Call(const char* query) {
    return Send(query, variables_);
  }

  // The value of the field, or the error: its type tells whether to leave.
  absl::StatusOr<Json::Value> Send(const char* query,
                                   const Json::Value& variables) {
    Json::Value body(Json::objectValue);
    body["query"] = query;
    body["variables"] = variables;
    const absl::StatusOr<http::Response> response =
        client_.Send({.method = "POST",
                      .url = absl::GetFlag(FLAGS_url),
                      .headers = {{"Content-Type", "application/json"},
                                  {"x-api-key", absl::GetFlag(FLAGS_key)}},
                      .body = json::WriteValue(body),
                      .timeout = absl::Seconds(30)});
    if (!response.ok()) return response.status();
    const absl::StatusOr<Json::Value> answer = json::ParseValue(response->body);
    if (!answer.ok() || !answer->isObject()) {
      return absl::UnavailableError(
          absl::StrCat("HTTP ", response->status, ": ", response->body));
    }
    if ((*answer)["errors"].isArray() && !(*answer)["errors"].empty()) {
      const Json::Value& error = (*answer)["errors"][0];
      return absl::FailedPreconditionError(
          absl::StrCat(json::TextMember(error, "errorType"), ": ",
                       json::TextMember(error, "message")));
    }
    return (*answer)["data"]["result"];
  }

  const bool is_host_ = absl::GetFlag(FLAGS_group).empty();
  http::CurlClient client_{http::FindCaFile(env::OfProcess())};
  Json::Value variables_{Json::objectValue};
  std::map<std::string, std::string> values_;
  absl::Time next_beat_;
};

absl::Status Run() {
  Node node;
  if (absl::Status status = node.Begin(); !status.ok()) return status;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.empty()) continue;
    if (absl::Status status = node.Take(line); !status.ok()) return status;
  }
  return node.End();
}

}  // namespace
}  // namespace byoshin

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = byoshin::Run();
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << status.message() << std::endl;
  return EXIT_FAILURE;
}
