#include "local/logs/service.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "local/gateway/error.h"
#include "local/gateway/json_api.h"
#include "local/gateway/paging.h"
#include "local/gateway/permission.h"
#include "local/gateway/service_traits.h"
#include "local/logs/filter_pattern.h"
#include "local/logs/log_page.h"
#include "local/wire/models.h"

namespace byoshin::local::logs {
namespace {

constexpr ServiceTraits kTraits = {.name = "logs",
                                   .target_prefix = "Logs_20140328",
                                   .json_content_type = kJson11ContentType};

constexpr char kInvalidParameter[] = "InvalidParameterException";
constexpr FieldErrors kErrors = {.model = &wire::kLogsModel,
                                 .invalid_code = kInvalidParameter};
constexpr std::int64_t kMaxListed = 50;

absl::Status NotFound(absl::string_view what) {
  return ServiceError(
      {.code = "ResourceNotFoundException",
       .message = absl::StrCat("The specified ", what, " does not exist.")});
}

// The name in "arn:aws:logs:…:log-group:NAME:*", or the name itself.
std::string GroupNameOf(absl::string_view name_or_arn) {
  constexpr absl::string_view kBefore = ":log-group:";
  if (absl::StartsWith(name_or_arn, "arn:")) {
    const std::size_t at = name_or_arn.find(kBefore);
    if (at != absl::string_view::npos) {
      name_or_arn.remove_prefix(at + kBefore.size());
      absl::ConsumeSuffix(&name_or_arn, ":*");
    }
  }
  return std::string(name_or_arn);
}

absl::StatusOr<Page> PageFor(const std::vector<std::string>& keys,
                             const PageRequest& request) {
  std::optional<Page> page = PageOf(keys, request);
  if (page.has_value()) return *std::move(page);
  return ServiceError({.code = kInvalidParameter,
                       .message = "The specified nextToken is invalid."});
}

// A stream, derived from its lines.
struct Stream {
  std::string name{};
  std::int64_t first_ms = 0;
  std::int64_t last_ms = 0;
  std::string key{};  // by which streams are sorted
};

std::vector<Stream> StreamsOf(const std::vector<LogLine>& lines,
                              absl::string_view prefix, bool by_time) {
  std::map<std::string, Stream> by_name;
  for (const LogLine& line : lines) {
    if (!absl::StartsWith(line.stream, prefix)) continue;
    const std::int64_t ms = absl::ToUnixMillis(line.time);
    auto [stream, fresh] = by_name.try_emplace(
        line.stream, Stream{.name = line.stream, .first_ms = ms});
    stream->second.last_ms = ms;
  }
  std::vector<Stream> streams;
  for (auto& [name, stream] : by_name) {
    stream.key =
        by_time ? absl::StrFormat("%020d %s", stream.last_ms, name) : name;
    streams.push_back(std::move(stream));
  }
  std::sort(streams.begin(), streams.end(),
            [](const Stream& a, const Stream& b) { return a.key < b.key; });
  return streams;
}

Json::Value ToJson(const Stream& stream, const std::string& group_arn) {
  Json::Value value(Json::objectValue);
  value["logStreamName"] = stream.name;
  value["creationTime"] = Json::Int64(stream.first_ms);
  value["firstEventTimestamp"] = Json::Int64(stream.first_ms);
  value["lastEventTimestamp"] = Json::Int64(stream.last_ms);
  value["lastIngestionTime"] = Json::Int64(stream.last_ms);
  value["arn"] = absl::StrCat(absl::StripSuffix(group_arn, ":*"),
                              ":log-stream:", stream.name);
  value["storedBytes"] = 0;
  return value;
}

Json::Value EventToJson(const LogLine& line) {
  Json::Value value(Json::objectValue);
  const Json::Int64 ms(absl::ToUnixMillis(line.time));
  value["timestamp"] = ms;
  value["ingestionTime"] = ms;
  value["message"] = line.text;
  return value;
}

// Removes the lines for which `unwanted` is true.
void Drop(std::vector<LogLine>& lines,
          const std::function<bool(const LogLine&)>& unwanted) {
  lines.erase(std::remove_if(lines.begin(), lines.end(), unwanted),
              lines.end());
}

}  // namespace

const ServiceTraits& LogsService::traits() const { return kTraits; }

std::vector<NeededPermission> LogsService::PermissionsFor(
    const Call& call) const {
  return {PermissionByName(call, traits(),
                           {{"logGroupName", "log-group:", ":*"},
                            {"logGroupIdentifier", "log-group:", ":*"}})};
}

void LogsService::Handle(Call call, AnswerFunction answer) {
  answer(Json11Answer(Perform(call)));
}

absl::StatusOr<Json::Value> LogsService::Perform(const Call& call) {
  using Operation = absl::StatusOr<Json::Value> (LogsService::*)(
      const std::string& region, JsonFields& fields);
  static const auto& operations = *new std::map<std::string, Operation>{
      {"DescribeLogGroups", &LogsService::DescribeLogGroups},
      {"DescribeLogStreams", &LogsService::DescribeLogStreams},
      {"FilterLogEvents", &LogsService::FilterLogEvents},
      {"GetLogEvents", &LogsService::GetLogEvents},
  };
  const auto operation = operations.find(call.operation);
  if (operation == operations.end()) {
    return UnknownJsonOperation("CloudWatch Logs", call.operation);
  }
  JsonFields fields(call, kErrors);
  if (!fields.status().ok()) return fields.status();
  return (this->*operation->second)(call.region, fields);
}

std::string LogsService::ArnOf(const LogGroup& group) const {
  return absl::StrCat("arn:aws:logs:", group.region, ":", options_.account_id,
                      ":log-group:", group.name, ":*");
}

std::vector<LogGroup> LogsService::Groups(const std::string& region) {
  std::vector<LogGroup> groups = groups_.List(region);
  if (region != options_.region) return groups;
  std::set<std::string> made;
  for (const LogGroup& group : groups) made.insert(group.name);
  for (const std::string& name : logs_.Groups()) {
    if (made.contains(name)) continue;
    LogGroup group{.name = name, .region = region};
    // It was created with its first line.
    const std::vector<LogLine> lines = LinesOf(group);
    if (!lines.empty()) group.created = lines.front().time;
    groups.push_back(std::move(group));
  }
  std::sort(
      groups.begin(), groups.end(),
      [](const LogGroup& a, const LogGroup& b) { return a.name < b.name; });
  return groups;
}

absl::StatusOr<LogGroup> LogsService::FindGroup(const std::string& region,
                                                JsonFields& fields) {
  const std::string identifier = fields.Text("logGroupIdentifier");
  const std::string name = GroupNameOf(
      identifier.empty() ? fields.Required("logGroupName") : identifier);
  if (!fields.status().ok()) return fields.status();
  for (LogGroup& group : Groups(region)) {
    if (group.name == name) return std::move(group);
  }
  return NotFound("log group");
}

std::vector<LogLine> LogsService::LinesOf(const LogGroup& group) {
  std::vector<LogLine> lines = logs_.Tail(group.name, kAllLines);
  if (group.retention_days.has_value()) {
    const absl::Time oldest =
        clock_.Now() - absl::Hours(24) * *group.retention_days;
    Drop(lines, [&](const LogLine& line) { return line.time < oldest; });
  }
  // Lines may be out of order if the clock was set back.
  std::sort(lines.begin(), lines.end(), [](const LogLine& a, const LogLine& b) {
    return PositionOf(a) < PositionOf(b);
  });
  return lines;
}

// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_LogGroup.html
Json::Value LogsService::GroupJson(const LogGroup& group) {
  Json::Value value(Json::objectValue);
  value["logGroupName"] = group.name;
  value["creationTime"] = Json::Int64(absl::ToUnixMillis(group.created));
  if (group.retention_days.has_value()) {
    value["retentionInDays"] = *group.retention_days;
  }
  value["metricFilterCount"] = 0;
  value["arn"] = ArnOf(group);
  value["logGroupArn"] = std::string(absl::StripSuffix(ArnOf(group), ":*"));
  value["logGroupClass"] = "STANDARD";
  Json::UInt64 bytes = 0;
  for (const LogLine& line : LinesOf(group)) bytes += line.text.size();
  value["storedBytes"] = bytes;
  return value;
}

// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeLogGroups.html
absl::StatusOr<Json::Value> LogsService::DescribeLogGroups(
    const std::string& region, JsonFields& fields) {
  const std::string prefix = fields.Text("logGroupNamePrefix");
  const std::string pattern = fields.Text("logGroupNamePattern");
  const std::int64_t limit = fields.Integer("limit", {.otherwise = kMaxListed});
  const std::string token = fields.Text("nextToken");
  if (!prefix.empty() && !pattern.empty()) {
    fields.Fail(
        "LogGroup name prefix and LogGroup name pattern are mutually exclusive "
        "parameters.");
  }
  if (!fields.status().ok()) return fields.status();
  std::vector<LogGroup> groups;
  std::vector<std::string> names;
  for (LogGroup& group : Groups(region)) {
    if (!absl::StartsWith(group.name, prefix) ||
        !absl::StrContains(group.name, pattern)) {
      continue;
    }
    names.push_back(group.name);
    groups.push_back(std::move(group));
  }
  const absl::StatusOr<Page> page = PageFor(
      names, {.limit = static_cast<std::size_t>(limit), .token = token});
  if (!page.ok()) return page.status();
  Json::Value answer(Json::objectValue);
  answer["logGroups"] = Json::arrayValue;
  for (std::size_t i = page->begin; i < page->end; ++i) {
    answer["logGroups"].append(GroupJson(groups[i]));
  }
  if (!page->next_token.empty()) answer["nextToken"] = page->next_token;
  return answer;
}

// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeLogStreams.html
absl::StatusOr<Json::Value> LogsService::DescribeLogStreams(
    const std::string& region, JsonFields& fields) {
  const absl::StatusOr<LogGroup> group = FindGroup(region, fields);
  const std::string prefix = fields.Text("logStreamNamePrefix");
  const bool by_time = fields.Text("orderBy") == "LastEventTime";
  const bool descending = fields.Flag("descending");
  const std::int64_t limit = fields.Integer("limit", {.otherwise = kMaxListed});
  const std::string token = fields.Text("nextToken");
  if (by_time && !prefix.empty()) {
    fields.Fail("Cannot order by LastEventTime with a logStreamNamePrefix.");
  }
  if (!fields.status().ok()) return fields.status();
  if (!group.ok()) return group.status();
  std::vector<Stream> streams = StreamsOf(LinesOf(*group), prefix, by_time);
  if (descending) std::reverse(streams.begin(), streams.end());
  std::vector<std::string> keys;
  for (const Stream& stream : streams) keys.push_back(stream.key);
  const absl::StatusOr<Page> page =
      PageFor(keys, {.limit = static_cast<std::size_t>(limit),
                     .token = token,
                     .order = descending ? PageRequest::Order::kDescending
                                         : PageRequest::Order::kAscending});
  if (!page.ok()) return page.status();
  Json::Value answer(Json::objectValue);
  answer["logStreams"] = Json::arrayValue;
  for (std::size_t i = page->begin; i < page->end; ++i) {
    answer["logStreams"].append(ToJson(streams[i], ArnOf(*group)));
  }
  if (!page->next_token.empty()) answer["nextToken"] = page->next_token;
  return answer;
}

// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetLogEvents.html
absl::StatusOr<Json::Value> LogsService::GetLogEvents(const std::string& region,
                                                      JsonFields& fields) {
  const absl::StatusOr<LogGroup> group = FindGroup(region, fields);
  const std::string stream = fields.Required("logStreamName");
  const std::optional<std::int64_t> start = fields.Time("startTime");
  const std::optional<std::int64_t> end = fields.Time("endTime");
  LogPageRequest request{
      .limit = static_cast<std::size_t>(fields.Integer(
          "limit", {.otherwise = kMaxEvents, .max = kMaxEvents})),
      .token = fields.Text("nextToken"),
      .from_head = fields.Flag("startFromHead")};
  if (!fields.status().ok()) return fields.status();
  if (!group.ok()) return group.status();
  std::vector<LogLine> lines = LinesOf(*group);
  Drop(lines, [&](const LogLine& line) { return line.stream != stream; });
  if (lines.empty()) return NotFound("log stream");
  Drop(lines, [&](const LogLine& line) {
    const std::int64_t ms = absl::ToUnixMillis(line.time);
    return (start.has_value() && ms < *start) ||
           (end.has_value() && ms >= *end);
  });
  const absl::StatusOr<LogPage> page = LogPageOf(lines, request);
  if (!page.ok()) return page.status();
  Json::Value answer(Json::objectValue);
  answer["events"] = Json::arrayValue;
  for (std::size_t i = page->begin; i < page->end; ++i) {
    answer["events"].append(EventToJson(lines[i]));
  }
  answer["nextForwardToken"] = page->forward_token;
  answer["nextBackwardToken"] = page->backward_token;
  return answer;
}

// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html
absl::StatusOr<Json::Value> LogsService::FilterLogEvents(
    const std::string& region, JsonFields& fields) {
  const absl::StatusOr<LogGroup> group = FindGroup(region, fields);
  const std::vector<std::string> streams = fields.Texts("logStreamNames");
  const std::string prefix = fields.Text("logStreamNamePrefix");
  const std::optional<std::int64_t> start = fields.Time("startTime");
  const std::optional<std::int64_t> end = fields.Time("endTime");
  const absl::StatusOr<FilterPattern> pattern =
      FilterPattern::Parse(fields.Text("filterPattern"));
  const LogPageRequest request{
      .limit = static_cast<std::size_t>(fields.Integer(
          "limit", {.otherwise = kMaxEvents, .max = kMaxEvents})),
      .token = fields.Text("nextToken"),
      .from_head = true};
  if (!streams.empty() && !prefix.empty()) {
    fields.Fail(
        "logStreamNames and logStreamNamePrefix can't be given together.");
  }
  if (!fields.status().ok()) return fields.status();
  if (!group.ok()) return group.status();
  if (!pattern.ok()) return pattern.status();
  std::vector<LogLine> lines = LinesOf(*group);
  Drop(lines, [&](const LogLine& line) {
    const std::int64_t ms = absl::ToUnixMillis(line.time);
    return (start.has_value() && ms < *start) ||
           (end.has_value() && ms > *end) ||
           !absl::StartsWith(line.stream, prefix) ||
           (!streams.empty() && std::find(streams.begin(), streams.end(),
                                          line.stream) == streams.end()) ||
           !pattern->Matches(line.text);
  });
  const absl::StatusOr<LogPage> page = LogPageOf(lines, request);
  if (!page.ok()) return page.status();
  Json::Value answer(Json::objectValue);
  answer["events"] = Json::arrayValue;
  answer["searchedLogStreams"] = Json::arrayValue;
  for (std::size_t i = page->begin; i < page->end; ++i) {
    Json::Value& event = answer["events"].append(EventToJson(lines[i]));
    event["logStreamName"] = lines[i].stream;
    event["eventId"] = EventId(lines[i]);
  }
  if (page->end < lines.size()) answer["nextToken"] = page->forward_token;
  return answer;
}

}  // namespace byoshin::local::logs
