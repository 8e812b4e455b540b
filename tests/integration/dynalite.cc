#include "tests/integration/dynalite.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/http/curl_client.h"
#include "core/json/value.h"
#include "core/scheduler/constants.h"
#include "tests/integration/node.h"

namespace byoshin::integration {
namespace {

constexpr char kScript[] = "tests/integration/dynalite_server.js";
constexpr char kReady[] = "listening on ";
// dynalite wants to see a signature, but does not verify it.
constexpr char kAuthorization[] =
    "AWS4-HMAC-SHA256 Credential=test/20251202/us-east-1/dynamodb/aws4_request,"
    " SignedHeaders=host, Signature=test";

Json::Value StringValue(absl::string_view text) {
  Json::Value value;
  value["S"] = std::string(text);
  return value;
}

void AddKey(Json::Value& table, const char* name, const char* type) {
  Json::Value attribute;
  attribute["AttributeName"] = name;
  attribute["AttributeType"] = "S";
  table["AttributeDefinitions"].append(attribute);
  Json::Value key;
  key["AttributeName"] = name;
  key["KeyType"] = type;
  table["KeySchema"].append(key);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Dynalite>> Dynalite::Start() {
  absl::StatusOr<std::unique_ptr<Process>> process = Process::Start(
      {.argv = {NodePath(), kScript}, .environment = NodeEnvironment()});
  if (!process.ok()) return process.status();
  absl::StatusOr<std::string> ready = (*process)->AwaitLine(kReady);
  if (!ready.ok()) return ready.status();
  return std::unique_ptr<Dynalite>(new Dynalite(
      *std::move(process),
      absl::StrCat("http://127.0.0.1:", absl::StripPrefix(*ready, kReady))));
}

Dynalite::Dynalite(std::unique_ptr<Process> process, std::string url)
    : process_(std::move(process)),
      url_(std::move(url)),
      client_(std::make_unique<http::CurlClient>(/*ca_file=*/"")) {}

absl::StatusOr<Json::Value> Dynalite::Call(absl::string_view operation,
                                           const Json::Value& input) {
  absl::StatusOr<http::Response> response = client_->Send(
      {.method = "POST",
       .url = absl::StrCat(url_, "/"),
       .headers = {{"Authorization", kAuthorization},
                   {"Content-Type", "application/x-amz-json-1.0"},
                   {"X-Amz-Date", "20251202T102300Z"},
                   {"X-Amz-Target",
                    absl::StrCat("DynamoDB_20120810.", operation)}},
       .body = json::WriteValue(input),
       .timeout = kGuard});
  if (!response.ok()) return response.status();
  if (response->status != 200) {
    return absl::UnknownError(absl::StrCat(
        "dynalite, ", operation, ": ", response->status, " ", response->body));
  }
  return json::ParseValue(response->body);
}

absl::Status Dynalite::CreateMetricsTable(const std::string& name) {
  Json::Value table;
  table["TableName"] = name;
  table["BillingMode"] = "PAY_PER_REQUEST";
  AddKey(table, scheduler::kMetricNameKey, "HASH");
  AddKey(table, scheduler::kSlotTimeKey, "RANGE");
  if (auto created = Call("CreateTable", table); !created.ok()) {
    return created.status();
  }
  // It is being created for a moment, as a real one is for some seconds.
  Json::Value query;
  query["TableName"] = name;
  for (;;) {
    absl::StatusOr<Json::Value> state = Call("DescribeTable", query);
    if (!state.ok()) return state.status();
    if ((*state)["Table"]["TableStatus"] == "ACTIVE") return absl::OkStatus();
  }
}

absl::StatusOr<std::vector<Json::Value>> Dynalite::Scan(
    const std::string& table) {
  Json::Value query;
  query["TableName"] = table;
  query["ConsistentRead"] = true;
  std::vector<Json::Value> items;
  for (;;) {
    absl::StatusOr<Json::Value> page = Call("Scan", query);
    if (!page.ok()) return page.status();
    for (const Json::Value& item : (*page)["Items"]) items.push_back(item);
    if (!page->isMember("LastEvaluatedKey")) return items;
    query["ExclusiveStartKey"] = (*page)["LastEvaluatedKey"];
  }
}

absl::StatusOr<Json::Value> Dynalite::Find(const std::string& table,
                                           const std::string& slot_time) {
  Json::Value query;
  query["TableName"] = table;
  query["ConsistentRead"] = true;
  query["Key"][scheduler::kMetricNameKey] = StringValue(scheduler::kMetricName);
  query["Key"][scheduler::kSlotTimeKey] = StringValue(slot_time);
  absl::StatusOr<Json::Value> answer = Call("GetItem", query);
  if (!answer.ok()) return answer.status();
  return (*answer)["Item"];
}

}  // namespace byoshin::integration
