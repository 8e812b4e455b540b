// The same calls by the clients of core/aws and by the AWS SDK for JavaScript:
// a service must not be able to tell them apart in anything that matters.

#include <json/json.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/bedrock/client.h"
#include "core/aws/bedrock/json_client.h"
#include "core/aws/caller.h"
#include "core/aws/dynamodb/client.h"
#include "core/aws/dynamodb/json_client.h"
#include "core/aws/error.h"
#include "core/aws/rdsdata/client.h"
#include "core/aws/rdsdata/json_client.h"
#include "core/aws/stepfunctions/client.h"
#include "core/aws/stepfunctions/json_client.h"
#include "core/env/environment.h"
#include "core/http/curl_client.h"
#include "core/http/server.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "core/time/real_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/lambda_process.h"
#include "tests/integration/sdk_call.h"
#include "tests/integration/wire.h"

namespace byoshin::integration {
namespace {

using ::testing::SizeIs;

class ClientsWireTest : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<http::Server>> server =
        http::Server::Start({}, [this](const http::ServerRequest& request,
                                       const http::Responder& respond) {
          const sync::MutexLock lock(mutex_);
          requests_.push_back(request);
          respond(response_);
        });
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  // For all requests that follow.
  void Answer(http::ServerResponse response) {
    const sync::MutexLock lock(mutex_);
    response_ = std::move(response);
  }

  aws::ClientDependencies Dependencies() {
    std::map<std::string, std::string> variables = LambdaEnvironment();
    variables["AWS_ENDPOINT_URL"] = server_->url();
    return {.http = http_,
            .clock = clock_,
            .environment = env::FromMap(variables),
            .retry = {.max_attempts = 1}};
  }
  aws::rdsdata::JsonClient Database() {
    return aws::rdsdata::JsonClient(Dependencies());
  }
  aws::stepfunctions::JsonClient Workflows() {
    return aws::stepfunctions::JsonClient(Dependencies());
  }
  aws::bedrock::JsonClient Models() {
    return aws::bedrock::JsonClient(Dependencies());
  }
  aws::dynamodb::JsonClient Table() {
    return aws::dynamodb::JsonClient(Dependencies());
  }
  absl::Time Deadline() { return clock_.Now() + absl::Minutes(1); }

  struct Compared {
    std::string package{};  // of the SDK, without its prefix
    std::string signing_name{};
    std::string operation{};
    std::string input{};  // JSON
  };
  // Makes the call with the SDK, and compares it with ours, which was made
  // before.
  void CompareWithSdk(const Compared& compared) {
    const Json::Value result =
        CallWithSdk({.service = compared.package,
                     .operation = compared.operation,
                     .endpoint = server_->url(),
                     .input = json::ParseValue(compared.input).value()});
    ASSERT_TRUE(result.isMember("output")) << result;
    std::vector<http::ServerRequest> requests;
    {
      const sync::MutexLock lock(mutex_);
      requests = std::exchange(requests_, {});
    }
    ASSERT_THAT(requests, SizeIs(2));
    ExpectEquivalent(requests[0], requests[1], compared.signing_name);
  }
  void CompareRdsData(const std::string& operation, const std::string& input) {
    CompareWithSdk({"rds-data", "rds-data", operation, input});
  }
  void CompareTable(const std::string& operation, const std::string& input) {
    CompareWithSdk({"dynamodb", "dynamodb", operation, input});
  }
  void CompareStates(const std::string& operation, const std::string& input) {
    CompareWithSdk({"sfn", "states", operation, input});
  }

  sync::Mutex mutex_;
  http::ServerResponse response_ ABSL_GUARDED_BY(mutex_){
      .headers = {{"Content-Type", "application/json"}}, .body = "{}"};
  std::vector<http::ServerRequest> requests_ ABSL_GUARDED_BY(mutex_);
  http::CurlClient http_{/*ca_file=*/""};
  time::RealClock clock_;
  // Last, so that it stops before what its handler uses is gone.
  std::unique_ptr<http::Server> server_;
};

TEST_F(ClientsWireTest, ExecutesAsTheSdkWould) {
  using aws::rdsdata::Blob;
  using aws::rdsdata::TypeHint;
  const absl::Status status =
      Database()
          .ExecuteStatement(
              {.database = {.resource_arn = "arn:aws:rds:us-east-1:1:cluster:c",
                            .secret_arn = "arn:s",
                            .name = "app",
                            .schema = "public"},
               .sql = "SELECT '秒', \"x\" FROM t WHERE a = :a\n",
               .parameters =
                   {{.name = "null", .value = {}},
                    {.name = "bool", .value = true},
                    {.name = "int", .value = int64_t{9007199254740991}},
                    {.name = "double", .value = 0.1},
                    {.name = "text", .value = "é\"\\/\t"},
                    {.name = "blob", .value = Blob{std::string("\0\xff\n", 3)}},
                    {.name = "id", .value = "u", .hint = TypeHint::kUuid}},
               .transaction_id = "tx",
               .include_result_metadata = true,
               .continue_after_timeout = true,
               .format = aws::rdsdata::ResultFormat::kJson},
              Deadline())
          .status();
  ASSERT_TRUE(status.ok()) << status;
  CompareRdsData("ExecuteStatement", R"({
    "resourceArn": "arn:aws:rds:us-east-1:1:cluster:c", "secretArn": "arn:s",
    "database": "app", "schema": "public",
    "sql": "SELECT '秒', \"x\" FROM t WHERE a = :a\n",
    "parameters": [
      {"name": "null", "value": {"isNull": true}},
      {"name": "bool", "value": {"booleanValue": true}},
      {"name": "int", "value": {"longValue": 9007199254740991}},
      {"name": "double", "value": {"doubleValue": 0.1}},
      {"name": "text", "value": {"stringValue": "é\"\\/\t"}},
      {"name": "blob", "value": {"blobValue": "AP8K"}},
      {"name": "id", "value": {"stringValue": "u"}, "typeHint": "UUID"}],
    "transactionId": "tx", "includeResultMetadata": true,
    "continueAfterTimeout": true, "formatRecordsAs": "JSON"})");
}

TEST_F(ClientsWireTest, ExecutesBatchesAsTheSdkWould) {
  ASSERT_TRUE(Database()
                  .BatchExecuteStatement(
                      {.database = {.resource_arn = "c", .secret_arn = "s"},
                       .sql = "INSERT INTO t VALUES (:a)",
                       .parameter_sets = {{{.name = "a", .value = 1}},
                                          {{.name = "a", .value = 2}}}},
                      Deadline())
                  .ok());
  CompareRdsData("BatchExecuteStatement", R"x({
    "resourceArn": "c", "secretArn": "s", "sql": "INSERT INTO t VALUES (:a)",
    "parameterSets": [[{"name": "a", "value": {"longValue": 1}}],
                      [{"name": "a", "value": {"longValue": 2}}]]})x");
}

TEST_F(ClientsWireTest, BeginsAndEndsTransactionsAsTheSdkWould) {
  Answer({.body = R"({"transactionId": "tx"})"});
  ASSERT_TRUE(Database()
                  .BeginTransaction(
                      {.resource_arn = "c", .secret_arn = "s", .name = "app"},
                      Deadline())
                  .ok());
  CompareRdsData("BeginTransaction", R"({
    "resourceArn": "c", "secretArn": "s", "database": "app"})");
  const aws::rdsdata::EndTransactionRequest end{
      .resource_arn = "c", .secret_arn = "s", .transaction_id = "tx=="};
  const std::string input =
      R"({"resourceArn": "c", "secretArn": "s", "transactionId": "tx=="})";
  ASSERT_TRUE(Database().CommitTransaction(end, Deadline()).ok());
  CompareRdsData("CommitTransaction", input);
  ASSERT_TRUE(Database().RollbackTransaction(end, Deadline()).ok());
  CompareRdsData("RollbackTransaction", input);
}

TEST_F(ClientsWireTest, DrivesExecutionsAsTheSdkWould) {
  Answer({.body = R"({"executionArn": "e", "startDate": 1.5,
                      "stopDate": 2, "status": "RUNNING"})"});
  ASSERT_TRUE(Workflows()
                  .StartExecution({.state_machine_arn = "m",
                                   .name = "n",
                                   .input = R"({"a": "秒"})"},
                                  Deadline())
                  .ok());
  CompareStates("StartExecution", R"({
    "stateMachineArn": "m", "name": "n", "input": "{\"a\": \"秒\"}"})");
  ASSERT_TRUE(
      Workflows()
          .StopExecution({.execution_arn = "e", .error = "E", .cause = "C"},
                         Deadline())
          .ok());
  CompareStates("StopExecution",
                R"({"executionArn": "e", "error": "E", "cause": "C"})");
  ASSERT_TRUE(Workflows().DescribeExecution("e", Deadline()).ok());
  CompareStates("DescribeExecution", R"({"executionArn": "e"})");
}

TEST_F(ClientsWireTest, ReportsOnTasksAsTheSdkWould) {
  ASSERT_TRUE(Workflows().SendTaskSuccess("t", "{}", Deadline()).ok());
  CompareStates("SendTaskSuccess", R"({"taskToken": "t", "output": "{}"})");
  ASSERT_TRUE(Workflows()
                  .SendTaskFailure({.token = "t", .error = "E", .cause = "C"},
                                   Deadline())
                  .ok());
  CompareStates("SendTaskFailure",
                R"({"taskToken": "t", "error": "E", "cause": "C"})");
  ASSERT_TRUE(Workflows().SendTaskHeartbeat("t", Deadline()).ok());
  CompareStates("SendTaskHeartbeat", R"({"taskToken": "t"})");
}

TEST_F(ClientsWireTest, ReadsItemsAsTheSdkWould) {
  Answer({.body = R"({"Items": []})"});
  ASSERT_TRUE(Table()
                  .GetItem({.table_name = "t",
                            .key = {{"pk", "秒"}, {"n", int64_t{1}}}},
                           Deadline())
                  .ok());
  CompareTable("GetItem", R"({"TableName": "t", "ConsistentRead": true,
    "Key": {"pk": {"S": "秒"}, "n": {"N": "1"}}})");
  ASSERT_TRUE(Table()
                  .Query({.table_name = "t",
                          .key_condition_expression = "pk = :pk",
                          .projection_expression = "pk, #t",
                          .placeholders = {.names = {{"#t", "ttl"}},
                                           .values = {{":pk", "a"}}},
                          .exclusive_start_key = {{"pk", "a"}}},
                         Deadline())
                  .ok());
  CompareTable("Query", R"({"TableName": "t", "ConsistentRead": true,
    "KeyConditionExpression": "pk = :pk", "ProjectionExpression": "pk, #t",
    "ExpressionAttributeNames": {"#t": "ttl"},
    "ExpressionAttributeValues": {":pk": {"S": "a"}},
    "ExclusiveStartKey": {"pk": {"S": "a"}}})");
}

TEST_F(ClientsWireTest, WritesItemsAsTheSdkWould) {
  const aws::dynamodb::PutItemRequest put = {
      .table_name = "t",
      .item = {{"pk", "a"}, {"n", int64_t{-1}}},
      .condition_expression = "#t < :now",
      .placeholders = {.names = {{"#t", "ttl"}},
                       .values = {{":now", int64_t{9}}}}};
  const std::string put_input = R"({"TableName": "t",
    "Item": {"pk": {"S": "a"}, "n": {"N": "-1"}},
    "ConditionExpression": "#t < :now",
    "ExpressionAttributeNames": {"#t": "ttl"},
    "ExpressionAttributeValues": {":now": {"N": "9"}}})";
  ASSERT_TRUE(Table().PutItem(put, Deadline()).ok());
  CompareTable("PutItem", put_input);
  ASSERT_TRUE(
      Table()
          .TransactWriteItems({.puts = {put}, .client_request_token = "once"},
                              Deadline())
          .ok());
  CompareTable("TransactWriteItems",
               absl::StrCat(R"({"ClientRequestToken": "once",
                 "TransactItems": [{"Put": )",
                            put_input, "}]}"));
  ASSERT_TRUE(Table()
                  .DeleteItem({.table_name = "t",
                               .key = {{"pk", "a"}},
                               .condition_expression = "g = :g",
                               .placeholders = {.values = {{":g", "x"}}}},
                              Deadline())
                  .ok());
  CompareTable("DeleteItem", R"({"TableName": "t", "Key": {"pk": {"S": "a"}},
    "ConditionExpression": "g = :g",
    "ExpressionAttributeValues": {":g": {"S": "x"}}})");
  ASSERT_TRUE(Table()
                  .BatchWriteItem({.table_name = "t",
                                   .writes = {.puts = {{{"pk", "a"}}},
                                              .deletes = {{{"pk", "b"}}}}},
                                  Deadline())
                  .ok());
  CompareTable("BatchWriteItem", R"({"RequestItems": {"t": [
    {"PutRequest": {"Item": {"pk": {"S": "a"}}}},
    {"DeleteRequest": {"Key": {"pk": {"S": "b"}}}}]}})");
}

TEST_F(ClientsWireTest, AsksModelsAsTheSdkWould) {
  Answer({.headers = {{"Content-Type", "application/json"}},
          .body = R"({"output": {"message": {"role": "assistant",
                      "content": [{"text": "a"}]}}, "stopReason": "end_turn",
                      "usage": {"inputTokens": 1, "outputTokens": 1,
                      "totalTokens": 2}, "metrics": {"latencyMs": 1}})"});
  for (const std::string& model :
       {std::string("amazon.nova-lite-v1:0"),
        std::string("arn:aws:bedrock:us-east-1:1:inference-profile/"
                    "us.amazon.nova-pro-v1:0"),
        std::string("a b+c%2F'()*!~_.-é秒")}) {
    const absl::Status status =
        Models()
            .Converse({.model_id = model,
                       .system = "Be short.",
                       .messages = {{.text = "Eins, 二?"},
                                    {.role = aws::bedrock::Role::kAssistant,
                                     .text = "Yes"},
                                    {.text = "\"More\""}},
                       .max_tokens = 100,
                       .temperature = 0.5,
                       .top_p = 0.9,
                       .stop_sequences = {"END"}},
                      Deadline())
            .status();
    ASSERT_TRUE(status.ok()) << status;
    Json::Value input = json::ParseValue(R"({
      "system": [{"text": "Be short."}],
      "messages": [{"role": "user", "content": [{"text": "Eins, 二?"}]},
                   {"role": "assistant", "content": [{"text": "Yes"}]},
                   {"role": "user", "content": [{"text": "\"More\""}]}],
      "inferenceConfig": {"maxTokens": 100, "temperature": 0.5, "topP": 0.9,
                          "stopSequences": ["END"]}})")
                            .value();
    input["modelId"] = model;
    CompareWithSdk(
        {"bedrock-runtime", "bedrock", "Converse", json::WriteValue(input)});
  }
}

TEST_F(ClientsWireTest, NamesErrorsAsTheSdkDoes) {
  const http::ServerResponse errors[] = {
      {.status = 400,
       .headers = {{"x-amzn-ErrorType", "DatabaseErrorException:http://x/"}},
       .body = R"({"message": "ERROR: x; SQLState: 42601"})"},
      {.status = 404,
       .headers = {{"X-Amzn-Errortype", "TransactionNotFoundException"}},
       .body = R"({"message": "no", "code": "Other"})"},
      {.status = 400, .body = R"({"__type": "a.b#StatementTimeoutException"})"},
      {.status = 403, .body = R"({"code": "ForbiddenException"})"}};
  for (const http::ServerResponse& error : errors) {
    Answer(error);
    const absl::Status status = Database().RollbackTransaction({}, Deadline());
    const Json::Value result = CallWithSdk(
        {.service = "rds-data",
         .operation = "RollbackTransaction",
         .endpoint = server_->url(),
         .input = json::ParseValue(R"({"transactionId": ""})").value()});
    EXPECT_EQ(aws::ErrorOf(status)->code, result["error"].asString());
  }
}

}  // namespace
}  // namespace byoshin::integration
