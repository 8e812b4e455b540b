// An API with everything that belongs to it, as it was at a moment.
#ifndef BYOSHIN_LOCAL_APPSYNC_MODEL_API_STATE_H_
#define BYOSHIN_LOCAL_APPSYNC_MODEL_API_STATE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "local/appsync/model/api_key.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/model/resolver.h"

namespace byoshin::local::appsync {

template <typename Key, typename Value>
using SharedMap = std::map<Key, std::shared_ptr<const Value>>;

// Values are shared, so that a copy is cheap.
struct ApiState {
  std::shared_ptr<const GraphqlApi> api{};
  // In SDL; null if there is none yet.
  std::shared_ptr<const std::string> schema{};
  SharedMap<std::string, ApiKey> keys{};              // by id
  SharedMap<std::string, DataSource> data_sources{};  // by name
  SharedMap<std::string, Function> functions{};       // by id
  // By type and field.
  SharedMap<std::pair<std::string, std::string>, Resolver> resolvers{};
  // Differs between any two states of the process.
  std::uint64_t version = 0;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_MODEL_API_STATE_H_
