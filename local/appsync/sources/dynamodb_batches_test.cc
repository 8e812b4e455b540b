#include "local/appsync/sources/dynamodb_batches.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "gtest/gtest.h"
#include "local/appsync/sources/dynamodb_request.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;

Data Parsed(absl::string_view json) {
  absl::StatusOr<Data> data = Data::Parse(json);
  EXPECT_TRUE(data.ok()) << data.status();
  return data.value_or(Data());
}

TEST(DynamoDbBatches, ShowNullForItemsThatWereNotPut) {
  const Data request = Parsed(
      R"({"operation":"BatchPutItem","tables":)"
      R"({"T":[{"id":{"S":"a"},"n":{"N":1}},{"id":{"S":"b"},"n":{"N":2}}]}})");
  const Data answer = Parsed(R"({"UnprocessedItems":{"T":[{"PutRequest":)"
                             R"({"Item":{"n":{"N":"1"},"id":{"S":"a"}}}}]}})");
  EXPECT_EQ(BatchResult(request, answer),
            Parsed(R"({"data":{"T":[null,{"id":"b","n":2}]},)"
                   R"("unprocessedItems":{"T":[{"n":1,"id":"a"}]}})"));
}

TEST(DynamoDbBatches, ShowNullForKeysThatWereNotDeleted) {
  const Data request = Parsed(
      R"({"operation":"BatchDeleteItem","tables":)"
      R"({"T":[{"id":{"S":"a"}},{"id":{"S":"b"}}],"U":[{"id":{"S":"a"}}]}})");
  const Data answer = Parsed(R"({"UnprocessedItems":{"T":[{"DeleteRequest":)"
                             R"({"Key":{"id":{"S":"b"}}}}]}})");
  EXPECT_EQ(BatchResult(request, answer),
            Parsed(R"({"data":{"T":[{"id":"a"},null],"U":[{"id":"a"}]},)"
                   R"("unprocessedKeys":{"T":[{"id":"b"}],"U":[]}})"));
}

TEST(DynamoDbBatches, NeedTablesAndKnownOperations) {
  for (const char* request :
       {R"({"operation":"BatchGetItem"})",
        R"({"operation":"BatchPutItem","tables":[]})",
        R"({"operation":"BatchWriteItem","tables":{}})", R"({})", "null",
        R"({"operation":"TransactWriteItems",)"
        R"("transactItems":[{"operation":"GetItem"}]})"}) {
    EXPECT_FALSE(DynamoDbCallFor("T", Parsed(request)).ok()) << request;
  }
}

}  // namespace
}  // namespace byoshin::local::appsync
