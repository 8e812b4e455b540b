// Resolvers, and the functions that pipeline resolvers consist of.
#ifndef BYOSHIN_LOCAL_APPSYNC_MODEL_RESOLVER_H_
#define BYOSHIN_LOCAL_APPSYNC_MODEL_RESOLVER_H_

#include <json/json.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace byoshin::local::appsync {

// https://docs.aws.amazon.com/appsync/latest/APIReference/API_FunctionConfiguration.html
struct Function {
  std::string id{};
  std::string name{};
  std::string data_source{};
  // Of APPSYNC_JS; empty if the data source, a Lambda function, is called
  // without any.
  std::string code{};
  std::int64_t max_batch_size = 0;
  // As CreateFunction and UpdateFunction take them.
  Json::Value settings{};
};

// https://docs.aws.amazon.com/appsync/latest/APIReference/API_Resolver.html
struct Resolver {
  enum class Kind { kUnit, kPipeline };

  std::string type_name{};
  std::string field_name{};
  Kind kind = Kind::kUnit;
  std::string data_source{};             // kUnit
  std::vector<std::string> functions{};  // kPipeline: ids
  std::string code{};                    // as above
  std::int64_t max_batch_size = 0;
  // As CreateResolver and UpdateResolver take them.
  Json::Value settings{};
};

// Read `settings`, a request of CreateFunction, CreateResolver and so on. The
// caller sets the id and checks that what they name exists.
// BadRequestException says what is wrong; mapping templates (VTL) and caching
// are refused.
absl::StatusOr<Function> ReadFunction(const Json::Value& settings);
absl::StatusOr<Resolver> ReadResolver(const Json::Value& settings);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_MODEL_RESOLVER_H_
