// The filters of ListSecrets and BatchGetSecretValue.
// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Filter.html
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_FILTERS_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_FILTERS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "local/gateway/json_fields.h"
#include "local/secretsmanager/secret.h"

namespace byoshin::local::secretsmanager {

struct Filter {
  std::string key{};
  // Any of them; one that begins with "!" must not match.
  std::vector<std::string> values{};
};

absl::StatusOr<std::vector<Filter>> ReadFilters(JsonFields& fields);

// Whether the secret matches all of them.
bool Matches(const Secret& secret, const std::vector<Filter>& filters);

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_FILTERS_H_
