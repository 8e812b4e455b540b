// What answers of several operations have in common.
#ifndef BYOSHIN_LOCAL_COGNITO_ANSWERS_H_
#define BYOSHIN_LOCAL_COGNITO_ANSWERS_H_

#include <json/json.h>

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"

namespace byoshin::local::cognito {

struct PageNames {
  const char* list;
  // Of the request.
  const char* limit;
  // Of the request and of the answer.
  const char* token;
  std::int64_t max;
};
// The page of `entries` that the request wants.
absl::StatusOr<Json::Value> PageJson(
    const PageNames& names, const std::map<std::string, Json::Value>& entries,
    JsonFields& fields);

// See kOwnerHeader; empty if there is none.
std::string OwnerOf(const Call& call);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_ANSWERS_H_
