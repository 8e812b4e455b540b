// Statements on a real server: parameters, results, errors.

#include <json/json.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/rdsdata/testing/data_api_fixture.h"

namespace byoshin::local::rdsdata {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class StatementsTest : public DataApiTest {};

// A list with the parameter x.
std::string X(const std::string& value, const std::string& hint = "") {
  return absl::StrCat(
      R"([{"name":"x","value":)", value,
      hint.empty() ? "" : absl::StrCat(R"(,"typeHint":")", hint, "\""), "}]");
}

TEST_F(StatementsTest, ReturnsEachTypeAsItsField) {
  EXPECT_EQ(Records("SELECT true, 7::int2, 8, 9::int8"),
            R"([[{"booleanValue":true},{"longValue":7},{"longValue":8},)"
            R"({"longValue":9}]])");
  EXPECT_EQ(Records("SELECT 0.5::float4, -2.0::float8, 1.50::numeric"),
            R"([[{"doubleValue":0.5},{"doubleValue":-2.0},)"
            R"({"stringValue":"1.50"}]])");
  EXPECT_EQ(Records("SELECT 'é'::text, 'b'::varchar(3), 'c'::char(2), "
                    "'d'::name, NULL::text"),
            R"([[{"stringValue":"é"},{"stringValue":"b"},)"
            R"({"stringValue":"c "},{"stringValue":"d"},{"isNull":true}]])");
  EXPECT_EQ(Records("SELECT '\\x00ff'::bytea, ''::bytea"),
            R"([[{"blobValue":"AP8="},{"blobValue":""}]])");
  EXPECT_EQ(Records("SELECT '{\"a\": 1}'::json, '{\"a\":1}'::jsonb, "
                    "'8476a536-e9f4-41e8-9739-2dfe598c3fcd'::uuid, "
                    "'10.0.0.0/8'::cidr, '10.0.0.1'::inet"),
            R"([[{"stringValue":"{\"a\": 1}"},{"stringValue":"{\"a\": 1}"},)"
            R"({"stringValue":"8476a536-e9f4-41e8-9739-2dfe598c3fcd"},)"
            R"({"stringValue":"10.0.0.0/8"},{"stringValue":"10.0.0.1"}]])");
}

TEST_F(StatementsTest, ReturnsTimesInUtcWithoutAnOffset) {
  EXPECT_EQ(Records("SELECT '2024-02-29'::date, '23:59:01.5'::time, "
                    "'2024-02-29 01:02:03.123456'::timestamp, "
                    "'2024-02-29 01:02:03+09'::timestamptz"),
            R"([[{"stringValue":"2024-02-29"},{"stringValue":"23:59:01.5"},)"
            R"({"stringValue":"2024-02-29 01:02:03.123456"},)"
            R"({"stringValue":"2024-02-28 16:02:03"}]])");
}

TEST_F(StatementsTest, ReturnsNumbersThatJsonLacksAsTexts) {
  EXPECT_EQ(Records("SELECT 'NaN'::float8, '-Infinity'::float4"),
            R"([[{"doubleValue":"NaN"},{"doubleValue":"-Infinity"}]])");
}

TEST_F(StatementsTest, ReturnsArrays) {
  EXPECT_EQ(Records("SELECT '{1,2}'::int[], '{a,\"b,c\",NULL}'::text[], "
                    "'{t,f}'::bool[], '{0.5}'::float8[], '{}'::int8[], "
                    "'{1.0,2}'::numeric[]"),
            R"([[{"arrayValue":{"longValues":[1,2]}},)"
            R"({"arrayValue":{"stringValues":["a","b,c",null]}},)"
            R"({"arrayValue":{"booleanValues":[true,false]}},)"
            R"({"arrayValue":{"doubleValues":[0.5]}},)"
            R"({"arrayValue":{"longValues":[]}},)"
            R"({"arrayValue":{"stringValues":["1.0","2"]}}]])");
  EXPECT_EQ(Error("SELECT '{{1},{2}}'::int[]"),
            "UnsupportedResultException: "
            "The result contains a multidimensional array.");
}

TEST_F(StatementsTest, ReturnsEnumerationsAndRefusesOtherTypes) {
  Execute("DROP TYPE IF EXISTS mood");
  Execute("CREATE TYPE mood AS ENUM ('sad', 'ok')");
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(Records("SELECT 'ok'::mood, '{sad,ok}'::mood[]"),
              R"([[{"stringValue":"ok"},)"
              R"({"arrayValue":{"stringValues":["sad","ok"]}}]])");
  }
  EXPECT_EQ(Error("SELECT 'int'::regtype"),
            "UnsupportedResultException: "
            "The result contains the unsupported data type regtype.");
  EXPECT_THAT(Error("SELECT '1 day'::interval"), HasSubstr("interval"));
  EXPECT_THAT(Error("SELECT ROW(1, 2)"), HasSubstr("record"));
}

TEST_F(StatementsTest, FollowsTheResultSetOptions) {
  Json::Value request =
      Sql("SELECT 1.50, 2::numeric, 7, 0.5::float8, '{1.5,2}'::numeric[]");
  request["resultSetOptions"]["decimalReturnType"] = "DOUBLE_OR_LONG";
  request["resultSetOptions"]["longReturnType"] = "STRING";
  EXPECT_EQ(
      json::WriteValue(Call("/Execute", request)["records"]),
      R"([[{"doubleValue":1.5},{"longValue":2},{"stringValue":"7"},)"
      R"({"doubleValue":0.5},{"arrayValue":{"doubleValues":[1.5,2.0]}}]])");
}

TEST_F(StatementsTest, FormatsRecordsAsJson) {
  Json::Value request =
      Sql("SELECT 1 AS id, 'a\"b' AS name, NULL AS nothing, true AS yes, "
          "'{1,2}'::int[] AS list, 1.5::numeric AS price");
  request["formatRecordsAs"] = "JSON";
  request["includeResultMetadata"] = true;
  EXPECT_EQ(json::WriteValue(Call("/Execute", request)),
            R"({"formattedRecords":"[{\"id\":1,\"name\":\"a\\\"b\",)"
            R"(\"nothing\":null,\"yes\":true,\"list\":[1,2],)"
            R"(\"price\":\"1.5\"}]","numberOfRecordsUpdated":0})");
}

TEST_F(StatementsTest, SendsEachFieldAsItsType) {
  EXPECT_EQ(Records("SELECT pg_typeof(:x)::text", X(R"({"stringValue":"a"})")),
            R"([[{"stringValue":"text"}]])");
  EXPECT_EQ(Records("SELECT pg_typeof(:x)::text, :x", X(R"({"longValue":-5})")),
            R"([[{"stringValue":"bigint"},{"longValue":-5}]])");
  EXPECT_EQ(Records("SELECT :x", X(R"({"longValue":9223372036854775807})")),
            R"([[{"longValue":9223372036854775807}]])");
  EXPECT_EQ(
      Records("SELECT pg_typeof(:x)::text, :x", X(R"({"doubleValue":0.1})")),
      R"([[{"stringValue":"double precision"},{"doubleValue":0.1}]])");
  EXPECT_EQ(Records("SELECT :x", X(R"({"doubleValue":"NaN"})")),
            R"([[{"doubleValue":"NaN"}]])");
  EXPECT_EQ(Records("SELECT NOT :x", X(R"({"booleanValue":false})")),
            R"([[{"booleanValue":true}]])");
  EXPECT_EQ(Records("SELECT :x, length(:x)", X(R"({"blobValue":"AAEC"})")),
            R"([[{"blobValue":"AAEC"},{"longValue":3}]])");
  EXPECT_EQ(Records("SELECT :x::int IS NULL", X(R"({"isNull":true})")),
            R"([[{"booleanValue":true}]])");
}

TEST_F(StatementsTest, FollowsTypeHints) {
  const auto type_of = [this](const std::string& text, const char* hint) {
    return Records("SELECT pg_typeof(:x)::text",
                   X(absl::StrCat(R"({"stringValue":")", text, "\"}"), hint));
  };
  EXPECT_THAT(type_of("2024-01-02", "DATE"), HasSubstr("\"date\""));
  EXPECT_THAT(type_of("1.5", "DECIMAL"), HasSubstr("numeric"));
  EXPECT_THAT(type_of("[1]", "JSON"), HasSubstr("json"));
  EXPECT_THAT(type_of("12:30:00.5", "TIME"), HasSubstr("time without"));
  EXPECT_THAT(type_of("2024-01-02 12:30:00", "TIMESTAMP"),
              HasSubstr("timestamp without"));
  EXPECT_THAT(type_of("8476a536-e9f4-41e8-9739-2dfe598c3fcd", "UUID"),
              HasSubstr("uuid"));
  EXPECT_THAT(type_of("a", "UUID"),
              StartsWith("DatabaseErrorException: ERROR: invalid input syntax "
                         "for type uuid: \"a\""));
  EXPECT_THAT(type_of("a", "XML"), StartsWith("ValidationException: "));
}

TEST_F(StatementsTest, NeedsACastForATextThatIsNoText) {
  EXPECT_EQ(
      Error("SELECT gen_random_uuid() = :x", X(R"({"stringValue":"a"})")),
      "DatabaseErrorException: ERROR: operator does not exist: uuid = text; "
      "Hint: No operator matches the given name and argument types. You might "
      "need to add explicit type casts.; Position: 26; SQLState: 42883");
  EXPECT_EQ(Records("SELECT :x::uuid IS NOT NULL",
                    X(R"({"stringValue":)"
                      R"("8476a536-e9f4-41e8-9739-2dfe598c3fcd"})")),
            R"([[{"booleanValue":true}]])");
}

TEST_F(StatementsTest, NeverPutsAParameterIntoTheStatement) {
  EXPECT_EQ(
      Records("SELECT :x, ':x'", X(R"({"stringValue":"'; DROP TABLE t; --"})")),
      R"([[{"stringValue":"'; DROP TABLE t; --"},)"
      R"({"stringValue":":x"}]])");
}

TEST_F(StatementsTest, RefusesInvalidParameters) {
  EXPECT_EQ(Error("SELECT :x", X(R"({"arrayValue":{"longValues":[1]}})")),
            "BadRequestException: Array parameters are not supported.");
  EXPECT_EQ(Error("SELECT :x", X("{}")),
            "BadRequestException: "
            "Parameter \"x\" has value with no field set");
  EXPECT_EQ(Error("SELECT :y", X(R"({"longValue":1})")),
            "BadRequestException: Cannot find parameter: y");
  EXPECT_THAT(Error("SELECT :x", X(R"({"longValue":"1"})")),
              StartsWith("ValidationException: "));
  EXPECT_THAT(Error("SELECT :x", X(R"({"blobValue":"*"})")),
              StartsWith("ValidationException: "));
  EXPECT_THAT(Error("SELECT :x", X(R"({"stringValue":"a\u0000b"})")),
              HasSubstr("SQLState: 22021"));
  EXPECT_THAT(Error("SELECT $1", X(R"({"longValue":1})")),
              HasSubstr("there is no parameter $1; SQLState: 42P02"));
}

TEST_F(StatementsTest, CountsTheRowsThatAStatementChanges) {
  Execute("DROP TABLE IF EXISTS counted");
  EXPECT_EQ(json::WriteValue(Execute("CREATE TABLE counted (n int)")),
            R"({"generatedFields":[],"numberOfRecordsUpdated":0})");
  EXPECT_EQ(
      json::WriteValue(Execute("INSERT INTO counted VALUES (1), (2), (3)")),
      R"({"generatedFields":[],"numberOfRecordsUpdated":3})");
  EXPECT_EQ(json::WriteValue(
                Execute("UPDATE counted SET n = 0 WHERE n > 1 RETURNING n")),
            R"({"numberOfRecordsUpdated":2,)"
            R"("records":[[{"longValue":0}],[{"longValue":0}]]})");
  EXPECT_EQ(json::WriteValue(Execute("SELECT n FROM counted WHERE n > 5")),
            R"({"numberOfRecordsUpdated":0,"records":[]})");
}

TEST_F(StatementsTest, DescribesColumns) {
  Execute("DROP TABLE IF EXISTS described");
  Execute(
      "CREATE TABLE described (id serial PRIMARY KEY, name varchar(20), "
      "price numeric(8, 2) NOT NULL, tags text[])");
  Json::Value request = Sql(
      "SELECT id AS number, name, price, tags, 1 + 1 AS two FROM described");
  request["includeResultMetadata"] = true;
  const Json::Value answer = Call("/Execute", request);
  const Json::Value& columns = answer["columnMetadata"];
  ASSERT_EQ(columns.size(), 5);
  EXPECT_EQ(json::WriteValue(columns[0]),
            R"({"arrayBaseColumnType":0,"isAutoIncrement":true,)"
            R"("isCaseSensitive":false,"isCurrency":false,"isSigned":true,)"
            R"("label":"number","name":"number","nullable":0,"precision":10,)"
            R"("scale":0,"schemaName":"public","tableName":"described",)"
            R"("type":4,"typeName":"int4"})");
  EXPECT_EQ(columns[1]["precision"], 20);
  EXPECT_EQ(columns[1]["nullable"], 1);
  EXPECT_EQ(columns[1]["isCaseSensitive"], true);
  EXPECT_EQ(columns[2]["precision"], 8);
  EXPECT_EQ(columns[2]["scale"], 2);
  EXPECT_EQ(columns[3]["type"], 2003);
  EXPECT_EQ(columns[3]["arrayBaseColumnType"], 12);
  EXPECT_EQ(columns[3]["typeName"], "_text");
  EXPECT_EQ(columns[4]["tableName"], "");
  EXPECT_EQ(columns[4]["nullable"], 2);
}

TEST_F(StatementsTest, ReportsErrorsInTheWordsOfTheDataApi) {
  EXPECT_EQ(Error("SELECT * FROM missing"),
            "DatabaseErrorException: ERROR: relation \"missing\" does not "
            "exist; Position: 15; SQLState: 42P01");
  EXPECT_EQ(Error("SELECT 1; SELECT 2"),
            "ValidationException: Multistatements aren't supported.");
  EXPECT_EQ(Records("SELECT 1;"), R"([[{"longValue":1}]])");
  Execute("DROP TABLE IF EXISTS uniques");
  Execute("CREATE TABLE uniques (n int PRIMARY KEY)");
  Execute("INSERT INTO uniques VALUES (1)");
  EXPECT_EQ(Error("INSERT INTO uniques VALUES (1)"),
            "DatabaseErrorException: ERROR: duplicate key value violates "
            "unique constraint \"uniques_pkey\"; Detail: Key (n)=(1) already "
            "exists.; SQLState: 23505");
  EXPECT_THAT(Error("COPY uniques FROM STDIN"), HasSubstr("COPY"));
  EXPECT_EQ(Records("SELECT 2"), R"([[{"longValue":2}]])");
}

TEST_F(StatementsTest, ReportsAnErrorAtTheCommit) {
  Execute("DROP TABLE IF EXISTS deferred");
  Execute("CREATE TABLE deferred (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
  EXPECT_THAT(Error("INSERT INTO deferred VALUES (1), (1)"),
              HasSubstr("SQLState: 23505"));
}

TEST_F(StatementsTest, LimitsResults) {
  EXPECT_EQ(Error("SELECT repeat('x', 65537)"),
            "UnsupportedResultException: Packet for query is too large");
  const std::string too_large =
      "UnsupportedResultException: "
      "Database returned more than the allowed response size limit";
  EXPECT_EQ(Error("SELECT repeat('x', 60000) FROM generate_series(1, 20)"),
            too_large);
  // More than is kept in memory.
  EXPECT_EQ(Error("SELECT repeat('x', 60000) FROM generate_series(1, 1000000)"),
            too_large);
  EXPECT_EQ(Records("SELECT 1"), R"([[{"longValue":1}]])");
}

TEST_F(StatementsTest, LeavesNothingInTheSession) {
  Execute("SET search_path = nowhere");
  Execute("CREATE TEMP TABLE short_lived (n int)");
  EXPECT_EQ(Records("SHOW search_path"),
            R"([[{"stringValue":"\"$user\", public"}]])");
  EXPECT_THAT(Error("SELECT * FROM short_lived"), HasSubstr("42P01"));
  Execute("BEGIN");
  EXPECT_EQ(Records("SELECT 1"), R"([[{"longValue":1}]])");
}

TEST_F(StatementsTest, ExecutesABatchAsOneTransaction) {
  Execute("DROP TABLE IF EXISTS batched");
  Execute("CREATE TABLE batched (n int PRIMARY KEY, t text)");
  Json::Value request = Request(
      R"json({"sql": "INSERT INTO batched VALUES (:n, :t)",
          "parameterSets": [
            [{"name": "n", "value": {"longValue": 1}},
             {"name": "t", "value": {"stringValue": "a"}}],
            [{"name": "n", "value": {"longValue": 2}},
             {"name": "t", "value": {"isNull": true}}]]})json");
  EXPECT_EQ(json::WriteValue(Call("/BatchExecute", request)),
            R"({"updateResults":[{"generatedFields":[]},)"
            R"({"generatedFields":[]}]})");
  EXPECT_EQ(Records("SELECT n, t FROM batched ORDER BY n"),
            R"([[{"longValue":1},{"stringValue":"a"}],)"
            R"([{"longValue":2},{"isNull":true}]])");
  request["parameterSets"][0][0]["value"]["longValue"] = 3;
  EXPECT_THAT(Call("/BatchExecute", request).asString(),
              HasSubstr("SQLState: 23505"));
  EXPECT_EQ(Records("SELECT count(*) FROM batched"), R"([[{"longValue":2}]])");
  request["parameterSets"] = Json::Value(Json::arrayValue);
  EXPECT_EQ(json::WriteValue(Call("/BatchExecute", request)),
            R"({"updateResults":[]})");
}

TEST_F(StatementsTest, ExecutesALargeBatch) {
  Execute("DROP TABLE IF EXISTS large");
  Execute("CREATE TABLE large (n int, t text)");
  Json::Value request =
      Request(R"json({"sql": "INSERT INTO large VALUES (:n, :t)"})json");
  for (int i = 0; i < 2000; ++i) {
    Json::Value set = *json::ParseValue(
        R"([{"name": "n", "value": {}}, {"name": "t", "value": {}}])");
    set[0]["value"]["longValue"] = i;
    set[1]["value"]["stringValue"] = std::string(1000, 'x');
    request["parameterSets"].append(set);
  }
  EXPECT_EQ(Call("/BatchExecute", request)["updateResults"].size(), 2000);
  EXPECT_EQ(Records("SELECT count(*) FROM large"), R"([[{"longValue":2000}]])");
}

}  // namespace
}  // namespace byoshin::local::rdsdata
