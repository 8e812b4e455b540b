// util.dynamodb, util.transform, and the modules of @aws-appsync/utils.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/script/testing.h"

namespace byoshin::local::appsync::script {
namespace {

using ::testing::HasSubstr;

// An expression, and its value as JSON or the message of its error.
using ModuleCases = std::vector<std::pair<std::string, std::string>>;

std::string ValueOf(absl::string_view expression) {
  static auto* const runtime = new Runtime(FixedOptions());
  const Evaluation evaluation = EvaluateRequest(
      *runtime, absl::StrCat("import * as ddb from "
                             "'@aws-appsync/utils/dynamodb';\n"
                             "import * as rds from '@aws-appsync/utils/rds';\n"
                             "import * as ai from '@aws-appsync/utils/ai';\n"
                             "export const request = (ctx) => (",
                             expression, ");"));
  if (evaluation.error.has_value()) return evaluation.error->message;
  return evaluation.result.value_or("undefined");
}

void ExpectModuleValues(const ModuleCases& cases) {
  for (const auto& [expression, value] : cases) {
    EXPECT_EQ(ValueOf(expression), value) << expression;
  }
}

TEST(UtilDynamodb, ConvertsValues) {
  ExpectModuleValues({
      {"util.dynamodb.toDynamoDB(10)", R"j({"N":10})j"},
      {"util.dynamodb.toDynamoDB(null)", R"j({"NULL":null})j"},
      {"util.dynamodb.toDynamoDB({ a: ['b', true, undefined] })",
       R"j({"M":{"a":{"L":[{"S":"b"},{"BOOL":true},{"NULL":null}]}}})j"},
      {"util.dynamodb.toMapValues({ a: 1 })", R"j({"a":{"N":1}})j"},
      {"util.dynamodb.toMap({ a: 1 })", R"j({"M":{"a":{"N":1}}})j"},
      {"util.dynamodb.toList([1])", R"j({"L":[{"N":1}]})j"},
      {"util.dynamodb.toList(1)", "null"},
      {"util.dynamodb.toString('a')", R"j({"S":"a"})j"},
      {"util.dynamodb.toString(null)", "null"},
      {"util.dynamodb.toStringSet(['a'])", R"j({"SS":["a"]})j"},
      {"util.dynamodb.toNumber(1)", R"j({"N":1})j"},
      {"util.dynamodb.toNumberSet([1, 2.5])", R"j({"NS":[1,2.5]})j"},
      {"util.dynamodb.toBinary('AA==')", R"j({"B":"AA=="})j"},
      {"util.dynamodb.toBinarySet(['AA=='])", R"j({"BS":["AA=="]})j"},
      {"util.dynamodb.toBoolean(false)", R"j({"BOOL":false})j"},
      {"util.dynamodb.toNull()", R"j({"NULL":null})j"},
      {"util.dynamodb.toS3Object('k', 'b', 'r')",
       R"j({"S":"{\"s3\":{\"key\":\"k\",\"bucket\":\"b\",\"region\":\"r\"}}"})j"},
      {"util.dynamodb.fromS3ObjectJson(util.dynamodb.toS3Object('k', 'b', "
       "'r', 'v').S)",
       R"j({"key":"k","bucket":"b","region":"r","version":"v"})j"},
  });
}

TEST(UtilTransform, WritesFilterExpressions) {
  const auto filter = [](absl::string_view expression) {
    return ValueOf(
        absl::StrCat("JSON.parse(util.transform."
                     "toDynamoDBFilterExpression(",
                     expression, "))"));
  };
  EXPECT_EQ(filter("{ title: { contains: 'x' }, n: { ge: 1, le: 5 } }"),
            R"j({"expression":"(contains(#title,:title_contains)) AND )j"
            R"j(((#n >= :n_ge) AND (#n <= :n_le))",)j"
            R"j("expressionNames":{"#title":"title","#n":"n"},)j"
            R"j("expressionValues":{":title_contains":{"S":"x"},)j"
            R"j(":n_ge":{"N":1},":n_le":{"N":5}}})j");
  EXPECT_EQ(filter("{ and: [{ or: [{ a: { eq: 1 } }, { b: { in: [1] } }] }, "
                   "{ not: { c: { size: { between: [1, 3] } } } }] }"),
            R"j({"expression":"(((#a = :and_0_or_0_a_eq) OR )j"
            R"j((#b IN (:and_0_or_1_b_in_0))) AND (NOT (size(#c) BETWEEN )j"
            R"j(:and_1_not_c_size_between_start AND )j"
            R"j(:and_1_not_c_size_between_end)))",)j"
            R"j("expressionNames":{"#a":"a","#b":"b","#c":"c"},)j"
            R"j("expressionValues":{":and_0_or_0_a_eq":{"N":1},)j"
            R"j(":and_0_or_1_b_in_0":{"N":1},)j"
            R"j(":and_1_not_c_size_between_start":{"N":1},)j"
            R"j(":and_1_not_c_size_between_end":{"N":3}}})j");
  EXPECT_EQ(
      filter("{ a: { attributeType: 'stringSet' }, b: { "
             "attributeExists: false }, c: { notContains: 1 } }"),
      R"j({"expression":"(attribute_type(#a,:a_attributeType)) AND )j"
      R"j((attribute_not_exists(#b)) AND (NOT contains(#c,:c_notContains))",)j"
      R"j("expressionNames":{"#a":"a","#b":"b","#c":"c"},)j"
      R"j("expressionValues":{":a_attributeType":{"S":"SS"},)j"
      R"j(":c_notContains":{"N":1}}})j");
  EXPECT_EQ(
      filter("{}"),
      R"j({"expression":"","expressionNames":{},"expressionValues":{}})j");
}

TEST(UtilTransform, GivesNullForWhatItCannotWrite) {
  for (const absl::string_view filter :
       {"null", "[]", "'text'", "{ v: 1 }", "{ v: { what: 1 } }",
        "{ and: { a: { eq: 1 } } }", "{ v: { between: [1] } }",
        "{ v: { size: 3 } }"}) {
    EXPECT_EQ(ValueOf(absl::StrCat("util.transform."
                                   "toDynamoDBConditionExpression(",
                                   filter, ")")),
              "null")
        << filter;
  }
}

TEST(UtilTransform, MultipliesSubscriptionFilters) {
  ExpectModuleValues({
      {"util.transform.toSubscriptionFilter({ z: { eq: 0 }, or: [{ a: { ne: 1 "
       "} }, { b: { in: [2] } }] }, ['y'], { r: { gt: 1 } })",
       R"j({"filterGroup":[{"filters":[)j"
       R"j({"fieldName":"z","operator":"eq","value":0},)j"
       R"j({"fieldName":"a","operator":"ne","value":1},)j"
       R"j({"fieldName":"r","operator":"gt","value":1}]},{"filters":[)j"
       R"j({"fieldName":"z","operator":"eq","value":0},)j"
       R"j({"fieldName":"b","operator":"in","value":[2]},)j"
       R"j({"fieldName":"r","operator":"gt","value":1}]}]})j"},
      {"util.transform.toSubscriptionFilter({ a: { eq: 1 } }, ['a'])",
       R"j({"filterGroup":[]})j"},
      {"util.transform.toSubscriptionFilter([])", "null"},
  });
}

// The example of AWS's guide and variations.
TEST(UtilTransform, IgnoredFieldsDoNotWidenSubscriptionFilters) {
  const auto filter = [](absl::string_view members, absl::string_view ignored) {
    return absl::StrCat("util.transform.toSubscriptionFilter({ ", members,
                        " }, [", ignored, "])");
  };
  constexpr char kTwo[] = "or: [{ author: { eq: 'A' } }, { p: { eq: 0 } }]";
  constexpr char kP[] = R"j({"filterGroup":[{"filters":[)j"
                        R"j({"fieldName":"p","operator":"eq","value":0}]}]})j";
  constexpr char kNobody[] = R"j({"filterGroup":[]})j";
  ExpectModuleValues({
      {filter(absl::StrCat("percentageUp: { lte: 50, gte: 20 }, and: [{ title: "
                           "{ ne: 'B' } }, { downvotes: { gt: 20 } }], ",
                           kTwo),
              "'percentageUp', 'author'"),
       R"j({"filterGroup":[{"filters":[)j"
       R"j({"fieldName":"title","operator":"ne","value":"B"},)j"
       R"j({"fieldName":"downvotes","operator":"gt","value":20},)j"
       R"j({"fieldName":"p","operator":"eq","value":0}]}]})j"},
      {filter(kTwo, "'author'"), kP},
      {filter(absl::StrCat("and: [{ ", kTwo, " }]"), "'author'"), kP},
      {filter(absl::StrCat("or: [{ ", kTwo, " }]"), "'author'"), kP},
      {filter("or: [{ and: [{ author: { eq: 'A' } }] }, { p: { eq: 0 } }]",
              "'author'"),
       kP},
      {filter("or: [{}, { p: { eq: 0 } }]", ""), kP},
      {filter(kTwo, "'author', 'p'"), kNobody},
      {filter(absl::StrCat("title: { ne: 'B' }, ", kTwo), "'author', 'p'"),
       kNobody},
  });
}

TEST(UtilTransform, WritesQueriesOfOpenSearch) {
  EXPECT_EQ(
      ValueOf("JSON.parse(util.transform.toElasticsearchQueryDSL({ upvotes: { "
              "ne: 15, range: [10, 20] }, title: { eq: 'hihihi', wildcard: "
              "'h*i' } }))"),
      R"j({"bool":{"must":[{"bool":{"must":[{"bool":{"must_not":)j"
      R"j({"term":{"upvotes":15}}}},{"range":{"upvotes":{"gte":10,"lte":20}}}]}},)j"
      R"j({"bool":{"must":[{"term":{"title":"hihihi"}},)j"
      R"j({"wildcard":{"title":"h*i"}}]}}]}})j");
  EXPECT_EQ(
      ValueOf("JSON.parse(util.transform.toElasticsearchQueryDSL({ or: "
              "[{ a: { exists: false } }, { not: { b: { gt: 1 } } }] }))"),
      R"j({"bool":{"should":[{"bool":{"must_not":{"exists":{"field":"a"}}}},)j"
      R"j({"bool":{"must_not":{"range":{"b":{"gt":1}}}}}]}})j");
}

TEST(DynamodbModule, WritesRequests) {
  ExpectModuleValues({
      {"ddb.get({ key: { id: '1' }, consistentRead: true, projection: ['a.b', "
       "'a.c'] })",
       R"j({"operation":"GetItem","key":{"id":{"S":"1"}},"consistentRead":true,)j"
       R"j("projection":{"expression":"#expName_1.#expName_2, )j"
       R"j(#expName_1.#expName_3","expressionNames":{"#expName_1":"a",)j"
       R"j("#expName_2":"b","#expName_3":"c"}}})j"},
      {"ddb.put({ key: { id: 1 }, item: { v: [] }, condition: { id: { "
       "attributeExists: false } } })",
       R"j({"operation":"PutItem","key":{"id":{"N":1}},"condition":)j"
       R"j({"expression":"(attribute_not_exists(#id))",)j"
       R"j("expressionNames":{"#id":"id"}},"attributeValues":{"v":{"L":[]}}})j"},
      {"ddb.remove({ key: { id: 1 }, _version: 2 })",
       R"j({"operation":"DeleteItem","key":{"id":{"N":1}},"_version":2})j"},
      {"ddb.query({ query: { id: { eq: 1 } }, limit: 5, other: 1 })",
       R"j({"operation":"Query","limit":5,"query":{"expression":"(#id = :id_eq)",)j"
       R"j("expressionNames":{"#id":"id"},"expressionValues":{":id_eq":{"N":1}}}})j"},
      {"ddb.scan({ segment: 1, totalSegments: 4 })",
       R"j({"operation":"Scan","totalSegments":4,"segment":1})j"},
      {"ddb.sync({ lastSync: 5, limit: 1 })",
       R"j({"operation":"Sync","limit":1,"lastSync":5})j"},
      {"ddb.batchGet({ tables: { t: { keys: [{ id: 1 }], consistentRead: true "
       "} } })",
       R"j({"operation":"BatchGetItem","tables":{"t":{"keys":[{"id":{"N":1}}],)j"
       R"j("consistentRead":true}}})j"},
      {"ddb.batchPut({ tables: { t: [{ id: 1 }] } })",
       R"j({"operation":"BatchPutItem","tables":{"t":[{"id":{"N":1}}]}})j"},
      {"ddb.batchDelete({ tables: { t: [{ id: 1 }] } })",
       R"j({"operation":"BatchDeleteItem","tables":{"t":[{"id":{"N":1}}]}})j"},
      {"ddb.transactGet({ items: [{ table: 't', key: { id: 1 } }] })",
       R"j({"operation":"TransactGetItems","transactItems":[{"table":"t",)j"
       R"j("key":{"id":{"N":1}}}]})j"},
      {"ddb.transactWrite({ items: [{ putItem: { table: 't', key: { id: 1 }, "
       "item: { a: 1 } } }, { conditionCheck: { table: 't', key: { id: 2 }, "
       "condition: { v: { eq: 1 } } } }] })",
       R"j({"operation":"TransactWriteItems","transactItems":[{"table":"t",)j"
       R"j("operation":"PutItem","key":{"id":{"N":1}},"attributeValues":)j"
       R"j({"a":{"N":1}}},{"table":"t","operation":"ConditionCheck",)j"
       R"j("key":{"id":{"N":2}},"condition":{"expression":"(#v = :v_eq)",)j"
       R"j("expressionNames":{"#v":"v"},"expressionValues":)j"
       R"j({":v_eq":{"N":1}}}}]})j"},
  });
  EXPECT_THAT(ValueOf("ddb.get()"), HasSubstr("Expected payload"));
  EXPECT_THAT(ValueOf("ddb.transactWrite({ items: [{}] })"),
              HasSubstr("Unsupported item"));
}

TEST(DynamodbModule, WritesUpdates) {
  const auto update = [](absl::string_view changes) {
    return ValueOf(absl::StrCat(
        "ddb.update({ key: { id: 1 }, update: ", changes, " }).update"));
  };
  EXPECT_EQ(
      update("{ r: ddb.operations.remove(), a: 1, b: "
             "ddb.operations.increment(), c: "
             "ddb.operations.decrement(2) }"),
      R"j({"expression":"SET #expName_1 = :expValue_1, #expName_2 = )j"
      R"j(#expName_2 + :expValue_2, #expName_3 = #expName_3 - :expValue_3 )j"
      R"j(REMOVE #expName_4","expressionNames":{"#expName_1":"a",)j"
      R"j("#expName_2":"b","#expName_3":"c","#expName_4":"r"},)j"
      R"j("expressionValues":{":expValue_1":{"N":1},":expValue_2":{"N":1},)j"
      R"j(":expValue_3":{"N":2}}})j");
  EXPECT_EQ(
      update("{ l: [ddb.operations.updateListItem('x', 1)], m: "
             "ddb.operations.append([1]), n: "
             "ddb.operations.prepend([2]) }"),
      R"j({"expression":"SET #expName_1[1] = :expValue_1, #expName_2 = )j"
      R"j(list_append(#expName_2, :expValue_2), #expName_3 = )j"
      R"j(list_append(:expValue_3, #expName_3)",)j"
      R"j("expressionNames":{"#expName_1":"l","#expName_2":"m",)j"
      R"j("#expName_3":"n"},"expressionValues":{":expValue_1":{"S":"x"},)j"
      R"j(":expValue_2":{"L":[{"N":1}]},":expValue_3":{"L":[{"N":2}]}}})j");
  // A map's members are updated, unless it is replaced.
  EXPECT_EQ(
      update("{ m: { a: 1 }, n: ddb.operations.replace({ b: 2 }) }"),
      R"j({"expression":"SET #expName_1.#expName_2 = :expValue_1, )j"
      R"j(#expName_3 = :expValue_2","expressionNames":{"#expName_1":"m",)j"
      R"j("#expName_2":"a","#expName_3":"n"},"expressionValues":)j"
      R"j({":expValue_1":{"N":1},":expValue_2":{"M":{"b":{"N":2}}}}})j");
}

// The statement's text and its variables.
std::string Sql(absl::string_view statement) {
  return ValueOf(absl::StrCat("rds.createPgStatement(", statement, ")"));
}

TEST(RdsModule, WritesStatements) {
  EXPECT_EQ(
      Sql("rds.select({ table: 'a.b', columns: ['id', 'n'], where: { or: "
          "[{ n: { eq: 'x' } }, { id: { gt: 1, attributeExists: true } "
          "}] }, orderBy: [{ column: 'n', dir: 'desc' }], limit: 5, "
          "offset: '2' })"),
      R"j({"statements":["SELECT \"id\", \"n\" FROM \"a\".\"b\" WHERE )j"
      R"j((\"n\" = :P0) OR (\"id\" > :P1 AND \"id\" IS NOT NULL) ORDER BY )j"
      R"j(\"n\" DESC LIMIT :P2 OFFSET :P3"],"variableMap":{":P0":"x",)j"
      R"j(":P1":1,":P2":5,":P3":2},"variableTypeHintMap":{}})j");
  EXPECT_EQ(
      Sql("rds.insert({ table: 't', values: { id: "
          "rds.typeHint.UUID('u'), j: rds.typeHint.JSON({ a: 1 }), n: "
          "null }, returning: '*' })"),
      R"j({"statements":["INSERT INTO \"t\" (\"id\", \"j\", \"n\") VALUES )j"
      R"j((:P0, :P1, NULL) RETURNING *"],"variableMap":{":P0":"u",)j"
      R"j(":P1":"{\"a\":1}"},"variableTypeHintMap":{":P0":"UUID",)j"
      R"j(":P1":"JSON"}})j");
  EXPECT_EQ(Sql("rds.update({ table: 't', values: { a: 1 }, where: "
                "rds.sql`id = ${2}` }), rds.remove({ table: 't' })"),
            R"j({"statements":["UPDATE \"t\" SET \"a\" = :P0 WHERE id = :P1",)j"
            R"j("DELETE FROM \"t\""],"variableMap":{":P0":1,":P1":2},)j"
            R"j("variableTypeHintMap":{}})j");
}

TEST(RdsModule, QuotesNamesSoThatTheyEndWhereTheyShould) {
  EXPECT_THAT(Sql("rds.select({ table: 'a\"; DROP' })"),
              HasSubstr(R"j(FROM \"a\"\"; DROP\"")j"));
}

TEST(RdsModule, WritesAggregatesJoinsAndSubqueries) {
  EXPECT_THAT(
      Sql("rds.select({ table: 't', columns: ['k', rds.agg.countDistinct('v'), "
          "{ top: rds.agg.max('v') }], groupBy: ['k', 2], having: { v: { sum: "
          "{ gt: 5 } } } })"),
      HasSubstr(
          R"j("SELECT \"k\", COUNT(DISTINCT \"v\"), MAX(\"v\") as \"top\" FROM )j"
          R"j(\"t\" GROUP BY \"k\", 2 HAVING SUM(\"v\") > :P0")j"));
  EXPECT_THAT(
      Sql("rds.select({ from: { s: rds.select({ table: 't' }) }, leftJoin: [{ "
          "table: 'u', using: ['id'] }], innerJoin: [{ from: 'w', on: "
          "rds.sql`s.id = w.id` }] })"),
      HasSubstr(R"j("SELECT * FROM (SELECT * FROM \"t\") as \"s\" INNER JOIN )j"
                R"j(\"w\" ON s.id = w.id LEFT JOIN \"u\" USING (\"id\")")j"));
}

TEST(RdsModule, RefusesWhatItDoesNotKnow) {
  const ModuleCases cases = {
      {"rds.select({})", "'table' or 'from' key is required."},
      {"rds.select({ table: 't', where: { a: { in: [1] } } })",
       "Unsupported condition a.in."},
      {"rds.select({ table: 't', where: { a: { eq: null } } })",
       "Value for a.eq can't be null."},
      {"rds.select({ table: 't', limit: 'x' })", "limit expects a number."},
      {"rds.select({ table: 't', orderBy: [{ column: 'a', dir: '; DROP' }] })",
       "orderBy dir can have either ASC or DESC found ; DROP."},
      {"1", "Unsupported type is passed as argument to createPgStatement"},
  };
  for (const auto& [statement, message] : cases) {
    EXPECT_THAT(Sql(statement), testing::EndsWith(absl::StrCat(": ", message)))
        << statement;
  }
  EXPECT_THAT(ValueOf("rds.createMySQLStatement(rds.remove({ table: 't', "
                      "returning: '*' }))"),
              HasSubstr("returning is not supported in MySQL."));
}

TEST(RdsModule, ReadsResults) {
  EXPECT_EQ(
      ValueOf(
          "rds.toJsonObject({ sqlStatementResults: [{ records: [[{ longValue: "
          "1 }, { isNull: true }, { arrayValue: { stringValues: ['a'] } }]], "
          "columnMetadata: [{ name: 'id' }, { name: 'n' }, { name: 't', label: "
          "'T' }] }, { numberOfRecordsUpdated: 1 }] })"),
      R"j([[{"id":1,"T":["a"]}],[{}]])j");
  EXPECT_EQ(ValueOf("util.rds.toJsonObject('{}')"), "null");
}

TEST(AiModule, WritesRequests) {
  ExpectModuleValues({
      {"ai.invokeModel({ modelId: 'm', body: { a: 1 } })",
       R"j({"operation":"InvokeModel","modelId":"m","body":{"a":1}})j"},
      {"ai.converse({ modelId: 'm', messages: [] })",
       R"j({"operation":"Converse","modelId":"m","messages":[]})j"},
  });
}

}  // namespace
}  // namespace byoshin::local::appsync::script
