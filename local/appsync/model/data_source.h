// Where the resolvers of an API get their data.
#ifndef BYOSHIN_LOCAL_APPSYNC_MODEL_DATA_SOURCE_H_
#define BYOSHIN_LOCAL_APPSYNC_MODEL_DATA_SOURCE_H_

#include <json/json.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::appsync {

// https://docs.aws.amazon.com/appsync/latest/APIReference/API_DataSource.html
struct DataSource {
  enum class Type { kNone, kDynamoDb, kLambda, kHttp, kRelationalDatabase };

  std::string name{};
  Type type = Type::kNone;
  // The role that AppSync assumes; empty for those that need none.
  std::string role_arn{};

  // kDynamoDb
  std::string table_name{};
  // kLambda
  std::string function_arn{};
  // kHttp
  std::string endpoint{};
  // What requests are signed for; empty if they are not signed.
  std::string signing_service{};
  std::string signing_region{};
  // kRelationalDatabase
  std::string cluster_arn{};
  std::string secret_arn{};
  std::string database{};
  std::string schema{};

  // Of the table, the function or the cluster.
  std::string region{};
  // As CreateDataSource and UpdateDataSource take them.
  Json::Value settings{};
};

// Reads `settings`, a request of CreateDataSource or UpdateDataSource, of an
// API in `region`. BadRequestException says what is wrong.
absl::StatusOr<DataSource> ReadDataSource(const Json::Value& settings,
                                          const std::string& region);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_MODEL_DATA_SOURCE_H_
