#include "core/aws/rdsdata/json_client.h"

#include <json/json.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/error.h"
#include "core/aws/rdsdata/client.h"
#include "core/aws/rdsdata/sql_state.h"
#include "core/aws/retry.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/json/value.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws::rdsdata {
namespace {

using ::byoshin::http::testing::HeaderOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const absl::Time kStart = absl::FromUnixSeconds(1764670980);
const absl::Time kDeadline = kStart + absl::Minutes(5);

http::Response ErrorResponse(int status, const std::string& type,
                             const std::string& message = "no") {
  return {.status = status,
          .headers = {{"x-amzn-ErrorType", type}},
          .body = absl::StrCat(R"({"message":")", message, R"("})")};
}

class RdsDataJsonClientTest : public ::testing::Test {
 protected:
  JsonClient Client(RetryPolicy retry = {}) {
    return JsonClient({.http = http_,
                       .clock = clock_,
                       .environment = env::FromMap(variables_),
                       .retry = retry,
                       .random = [] { return 0.5; }});
  }
  absl::StatusOr<ExecuteStatementResult> Execute() {
    return Client().ExecuteStatement(request_, kDeadline);
  }
  // The only record of a result whose records are as given.
  std::vector<Field> RecordOf(const std::string& fields) {
    http_.Answer(
        {.status = 200, .body = absl::StrCat(R"({"records":[)", fields, "]}")});
    const absl::StatusOr<ExecuteStatementResult> result = Execute();
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() && result->records.size() == 1 ? result->records[0]
                                                      : std::vector<Field>();
  }

  ExecuteStatementRequest request_{
      .database = {.resource_arn = "arn:c", .secret_arn = "arn:s"},
      .sql = "SELECT 1"};
  std::map<std::string, std::string> variables_ = {
      {"AWS_ACCESS_KEY_ID", "AKID"}, {"AWS_SECRET_ACCESS_KEY", "hush"}};
  http::testing::FakeClient http_;
  time::testing::InstantClock clock_{kStart};
};

TEST_F(RdsDataJsonClientTest, ExecutesAStatementWithParameters) {
  http_.Answer({.status = 200, .body = R"({"numberOfRecordsUpdated":2})"});
  request_ = {.database = {.resource_arn = "arn:c",
                           .secret_arn = "arn:s",
                           .name = "app",
                           .schema = "public"},
              .sql = "INSERT INTO t VALUES (:a)",
              .parameters =
                  {{.name = "null", .value = {}},
                   {.name = "bool", .value = true},
                   {.name = "int", .value = int64_t{-5}},
                   {.name = "double", .value = 0.5},
                   {.name = "text", .value = "秒"},
                   {.name = "blob", .value = Blob{std::string("\0\xff", 2)}},
                   {.name = "id", .value = "u", .hint = TypeHint::kUuid},
                   {.name = "date", .value = "d", .hint = TypeHint::kDate},
                   {.name = "n", .value = "1", .hint = TypeHint::kDecimal},
                   {.name = "j", .value = "{}", .hint = TypeHint::kJson},
                   {.name = "t", .value = "0", .hint = TypeHint::kTime},
                   {.name = "ts", .value = "0", .hint = TypeHint::kTimestamp}},
              .transaction_id = "tx",
              .include_result_metadata = true,
              .continue_after_timeout = true,
              .format = ResultFormat::kJson};
  const absl::StatusOr<ExecuteStatementResult> result = Execute();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->records_updated, 2);
  ASSERT_THAT(http_.requests(), SizeIs(1));
  const http::Request& request = http_.requests()[0];
  EXPECT_EQ(request.url, "https://rds-data.us-east-1.amazonaws.com/Execute");
  EXPECT_THAT(HeaderOf(request, "authorization"),
              HasSubstr("/us-east-1/rds-data/aws4_request"));
  EXPECT_EQ(
      request.body,
      R"({"continueAfterTimeout":true,"database":"app",)"
      R"("formatRecordsAs":"JSON","includeResultMetadata":true,"parameters":[)"
      R"({"name":"null","value":{"isNull":true}},)"
      R"({"name":"bool","value":{"booleanValue":true}},)"
      R"({"name":"int","value":{"longValue":-5}},)"
      R"({"name":"double","value":{"doubleValue":0.5}},)"
      R"({"name":"text","value":{"stringValue":"秒"}},)"
      R"({"name":"blob","value":{"blobValue":"AP8="}},)"
      R"({"name":"id","typeHint":"UUID","value":{"stringValue":"u"}},)"
      R"({"name":"date","typeHint":"DATE","value":{"stringValue":"d"}},)"
      R"({"name":"n","typeHint":"DECIMAL","value":{"stringValue":"1"}},)"
      R"({"name":"j","typeHint":"JSON","value":{"stringValue":"{}"}},)"
      R"({"name":"t","typeHint":"TIME","value":{"stringValue":"0"}},)"
      R"({"name":"ts","typeHint":"TIMESTAMP","value":{"stringValue":"0"}}],)"
      R"("resourceArn":"arn:c","schema":"public","secretArn":"arn:s",)"
      R"x("sql":"INSERT INTO t VALUES (:a)","transactionId":"tx"})x");
}

TEST_F(RdsDataJsonClientTest, LeavesOutWhatIsNotSaid) {
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_TRUE(Execute().ok());
  EXPECT_EQ(http_.requests()[0].body,
            R"({"resourceArn":"arn:c","secretArn":"arn:s","sql":"SELECT 1"})");
}

TEST_F(RdsDataJsonClientTest, ReadsFieldsOfEveryType) {
  const std::vector<Field> record =
      RecordOf(R"([{"isNull":true},{"booleanValue":false},)"
               R"({"longValue":9223372036854775807},{"doubleValue":2},)"
               R"({"stringValue":""},{"blobValue":"AP8="}])");
  EXPECT_THAT(record, ElementsAre(Field(), Field(false),
                                  Field(std::numeric_limits<int64_t>::max()),
                                  Field(2.0), Field(""),
                                  Field(Blob{std::string("\0\xff", 2)})));
  EXPECT_TRUE(record[0].is_null());
  EXPECT_EQ(record[1].text(), nullptr);
}

TEST_F(RdsDataJsonClientTest, ReadsArrays) {
  using Array = Field::Array;
  EXPECT_THAT(
      RecordOf(R"([{"arrayValue":{"longValues":[1,null]}},)"
               R"({"arrayValue":{"stringValues":[]}},{"arrayValue":{}},)"
               R"({"arrayValue":{"booleanValues":[true]}},)"
               R"({"arrayValue":{"doubleValues":[0.5]}},)"
               R"({"arrayValue":{"arrayValues":[{"stringValues":["a"]}]}}])"),
      ElementsAre(Field(Array{1, Field()}), Field(Array{}), Field(Array{}),
                  Field(Array{true}), Field(Array{0.5}),
                  Field(Array{Field(Array{"a"})})));
}

TEST_F(RdsDataJsonClientTest, KnowsNumbersThatJsonDoesNotHave) {
  const std::vector<Field> record =
      RecordOf(R"([{"doubleValue":"NaN"},{"doubleValue":"-Infinity"}])");
  ASSERT_THAT(record, SizeIs(2));
  EXPECT_TRUE(std::isnan(*record[0].number()));
  EXPECT_EQ(*record[1].number(), -std::numeric_limits<double>::infinity());

  http_.Answer({.status = 200, .body = "{}"});
  request_.parameters = {
      {.name = "n", .value = std::numeric_limits<double>::quiet_NaN()},
      {.name = "i", .value = std::numeric_limits<double>::infinity()}};
  EXPECT_TRUE(Execute().ok());
  EXPECT_THAT(http_.requests()[1].body,
              HasSubstr(R"([{"name":"n","value":{"doubleValue":"NaN"}},)"
                        R"({"name":"i","value":{"doubleValue":"Infinity"}}])"));
}

TEST_F(RdsDataJsonClientTest, ReadsColumnsAndFormattedRecords) {
  http_.Answer(
      {.status = 200,
       .body = R"({"columnMetadata":[{"name":"id","label":"key",)"
               R"("typeName":"uuid","nullable":0},{"name":"n","nullable":1}],)"
               R"("formattedRecords":"[{\"key\":\"u\"}]"})"});
  const absl::StatusOr<ExecuteStatementResult> result = Execute();
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_THAT(result->columns, SizeIs(2));
  EXPECT_EQ(result->columns[0].name, "id");
  EXPECT_EQ(result->columns[0].label, "key");
  EXPECT_EQ(result->columns[0].type_name, "uuid");
  EXPECT_FALSE(result->columns[0].nullable);
  EXPECT_TRUE(result->columns[1].nullable);
  EXPECT_EQ(result->formatted_records, R"([{"key":"u"}])");
  EXPECT_THAT(result->records, IsEmpty());
}

TEST_F(RdsDataJsonClientTest, RefusesAnswersThatMakeNoSense) {
  for (const char* body :
       {R"({"records":5})", R"({"records":[5]})", R"({"records":[[5]]})",
        R"({"records":[[{}]]})", R"({"records":[[{"isNull":false}]]})",
        R"({"records":[[{"longValue":"5"}]]})",
        R"({"records":[[{"longValue":1,"isNull":true}]]})",
        R"({"records":[[{"doubleValue":"x"}]]})",
        R"({"records":[[{"blobValue":"?"}]]})",
        R"({"records":[[{"arrayValue":[]}]]})",
        R"({"records":[[{"arrayValue":{"longValue":[1]}}]]})",
        R"({"records":[[{"arrayValue":{"longValues":["1"]}}]]})",
        R"({"records":[[{"otherValue":1}]]})", R"({"columnMetadata":{}})",
        R"({"columnMetadata":[1]})", R"({"numberOfRecordsUpdated":"1"})"}) {
    http_.Answer({.status = 200, .body = body});
    const absl::Status status = Execute().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << body;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("RDS Data ExecuteStatement: in the answer, "));
  }
}

TEST_F(RdsDataJsonClientTest, RefusesAnArrayAsAParameter) {
  request_.parameters = {{.name = "a", .value = Field::Array{1}}};
  const absl::Status status = Execute().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"a\" is an array"));
  EXPECT_EQ(Client()
                .BatchExecuteStatement(
                    {.parameter_sets = {request_.parameters}}, kDeadline)
                .code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(http_.requests(), IsEmpty());
}

TEST_F(RdsDataJsonClientTest, RunsAStatementForSetsOfParameters) {
  http_.Answer({.status = 200, .body = R"({"updateResults":[{},{}]})"});
  EXPECT_EQ(Client().BatchExecuteStatement(
                {.database = {.resource_arn = "c", .secret_arn = "s"},
                 .sql = "q",
                 .parameter_sets = {{{.name = "a", .value = 1}},
                                    {{.name = "a", .value = 2}}},
                 .transaction_id = "tx"},
                kDeadline),
            absl::OkStatus());
  EXPECT_EQ(http_.requests()[0].url,
            "https://rds-data.us-east-1.amazonaws.com/BatchExecute");
  EXPECT_EQ(http_.requests()[0].body,
            R"({"parameterSets":[[{"name":"a","value":{"longValue":1}}],)"
            R"([{"name":"a","value":{"longValue":2}}]],"resourceArn":"c",)"
            R"("secretArn":"s","sql":"q","transactionId":"tx"})");
}

TEST_F(RdsDataJsonClientTest, BeginsAndEndsTransactions) {
  http_.Answer({.status = 200, .body = R"({"transactionId":"tx"})"});
  http_.Answer({.status = 200, .body = R"({"transactionStatus":"T"})"});
  http_.Answer({.status = 200, .body = R"({"transactionStatus":"R"})"});
  JsonClient client = Client();
  const absl::StatusOr<std::string> transaction = client.BeginTransaction(
      {.resource_arn = "c", .secret_arn = "s", .name = "app"}, kDeadline);
  ASSERT_TRUE(transaction.ok()) << transaction.status();
  EXPECT_EQ(*transaction, "tx");
  const EndTransactionRequest end{
      .resource_arn = "c", .secret_arn = "s", .transaction_id = "tx"};
  EXPECT_EQ(client.CommitTransaction(end, kDeadline), absl::OkStatus());
  EXPECT_EQ(client.RollbackTransaction(end, kDeadline), absl::OkStatus());
  ASSERT_THAT(http_.requests(), SizeIs(3));
  EXPECT_THAT(http_.requests()[0].url, HasSubstr(".com/BeginTransaction"));
  EXPECT_EQ(http_.requests()[0].body,
            R"({"database":"app","resourceArn":"c","secretArn":"s"})");
  EXPECT_THAT(http_.requests()[1].url, HasSubstr(".com/CommitTransaction"));
  EXPECT_EQ(http_.requests()[1].body,
            R"({"resourceArn":"c","secretArn":"s","transactionId":"tx"})");
  EXPECT_THAT(http_.requests()[2].url, HasSubstr(".com/RollbackTransaction"));
}

TEST_F(RdsDataJsonClientTest, NeedsTheIdOfATransaction) {
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_EQ(Client().BeginTransaction({}, kDeadline).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST_F(RdsDataJsonClientTest, WaitsAsLongAsAStatementMayTake) {
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_TRUE(Execute().ok());
  EXPECT_GT(http_.requests()[0].timeout, kStatementTimeout);
}

TEST_F(RdsDataJsonClientTest, DoesNotSendAStatementTwiceThatMayHaveRun) {
  http_.Fail(absl::UnavailableError("reset"));
  EXPECT_EQ(Execute().status().code(), absl::StatusCode::kUnavailable);
  http_.Fail(absl::DeadlineExceededError("late"));
  EXPECT_EQ(Execute().status().code(), absl::StatusCode::kDeadlineExceeded);
  http_.Answer(ErrorResponse(500, "InternalServerErrorException"));
  EXPECT_EQ(Execute().status().code(), absl::StatusCode::kUnavailable);
  // Within a transaction it would run twice, too.
  request_.transaction_id = "tx";
  http_.Fail(absl::UnavailableError("reset"));
  EXPECT_EQ(Execute().status().code(), absl::StatusCode::kUnavailable);
  http_.Fail(absl::UnavailableError("reset"));
  EXPECT_EQ(Client().CommitTransaction({}, kDeadline).code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(http_.unused(), 0);
}

TEST_F(RdsDataJsonClientTest, SendsAStatementTwiceIfThatIsHarmless) {
  request_.repetition = Repetition::kHarmless;
  http_.Fail(absl::UnavailableError("reset"));
  http_.Answer(ErrorResponse(504, "DatabaseUnavailableException"));
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_TRUE(Execute().ok());
  EXPECT_EQ(http_.unused(), 0);
}

TEST_F(RdsDataJsonClientTest, SendsAStatementAgainThatHasNotRun) {
  http_.Answer(ErrorResponse(400, "DatabaseResumingException"));
  http_.Answer(ErrorResponse(429, "ThrottlingException"));
  http_.Fail(http::MarkUnsent(absl::UnavailableError("refused")));
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_TRUE(Execute().ok());
  EXPECT_EQ(http_.unused(), 0);
}

TEST_F(RdsDataJsonClientTest, OutlastsAClusterThatResumes) {
  http_.AlwaysAnswerBy([this](const http::Request&) -> http::Response {
    if (clock_.Now() < kStart + absl::Seconds(15)) {
      return ErrorResponse(400, "DatabaseResumingException");
    }
    return {.status = 200, .body = "{}"};
  });
  JsonClient client = Client(kResumeRetryPolicy);
  EXPECT_TRUE(client.ExecuteStatement(request_, kDeadline).ok());
}

TEST_F(RdsDataJsonClientTest, GivesDatabaseErrorsACode) {
  const std::pair<const char*, absl::StatusCode> cases[] = {
      {"23505", absl::StatusCode::kAlreadyExists},
      {"23503", absl::StatusCode::kFailedPrecondition},
      {"40001", absl::StatusCode::kAborted},
      {"40P01", absl::StatusCode::kAborted},
      {"57014", absl::StatusCode::kDeadlineExceeded},
      {"53300", absl::StatusCode::kResourceExhausted},
      {"57P01", absl::StatusCode::kUnavailable},
      {"08006", absl::StatusCode::kUnavailable},
      {"42601", absl::StatusCode::kInvalidArgument}};
  for (const auto& [state, code] : cases) {
    http_.Answer(ErrorResponse(
        400, "DatabaseErrorException",
        absl::StrCat("ERROR: x\\n  Detail: y; SQLState: ", state)));
    const absl::Status status = Execute().status();
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_EQ(SqlStateOf(status), state);
    EXPECT_EQ(ErrorOf(status)->code, "DatabaseErrorException");
  }
}

TEST_F(RdsDataJsonClientTest, GivesOtherErrorsTheirCode) {
  const std::pair<http::Response, absl::StatusCode> cases[] = {
      {ErrorResponse(400, "StatementTimeoutException"),
       absl::StatusCode::kDeadlineExceeded},
      {ErrorResponse(404, "TransactionNotFoundException"),
       absl::StatusCode::kAborted},
      {ErrorResponse(400, "HttpEndpointNotEnabledException"),
       absl::StatusCode::kFailedPrecondition},
      {ErrorResponse(403, "ForbiddenException"),
       absl::StatusCode::kPermissionDenied},
      {ErrorResponse(400, "BadRequestException"),
       absl::StatusCode::kInvalidArgument}};
  for (const auto& [response, code] : cases) {
    http_.Answer(response);
    const absl::Status status = Execute().status();
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_EQ(SqlStateOf(status), std::nullopt);
  }
}

}  // namespace
}  // namespace byoshin::aws::rdsdata
