// What a data source answers a resolver.
#ifndef BYOSHIN_LOCAL_APPSYNC_SOURCES_SOURCE_RESULT_H_
#define BYOSHIN_LOCAL_APPSYNC_SOURCES_SOURCE_RESULT_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/json/data.h"

namespace byoshin::local::appsync {

// ctx.error.
struct SourceError {
  // "DynamoDB:ConditionalCheckFailedException"
  std::string type{};
  std::string message{};
};

struct SourceResult {
  // ctx.result. With an error, what is known nevertheless, such as the item
  // that a condition did not hold for.
  json::Data result{};
  std::optional<SourceError> error{};
  // Whether the error ends the resolver without its response handler: the
  // request was not one of the data source's.
  bool fatal = false;
};

// May be called on any thread.
using SourceDone = std::function<void(SourceResult)>;

inline SourceResult SourceFailure(std::string type, std::string message) {
  return {.error = SourceError{.type = std::move(type),
                               .message = std::move(message)}};
}

// For a request that makes no sense, whatever the data source holds.
inline SourceResult InvalidSourceRequest(std::string message) {
  return {.error = SourceError{.type = "MappingTemplate",
                               .message = std::move(message)},
          .fatal = true};
}

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_SOURCES_SOURCE_RESULT_H_
