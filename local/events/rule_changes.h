// The operations that change rules and their targets.
#ifndef BYOSHIN_LOCAL_EVENTS_RULE_CHANGES_H_
#define BYOSHIN_LOCAL_EVENTS_RULE_CHANGES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/events/request.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"

namespace byoshin::local::events {

// OK if the request is for the default bus, which is the only one.
absl::Status CheckBus(JsonFields& fields);
// ResourceNotFoundException.
absl::Status NoRule(absl::string_view name);
// The ARN of the caller's rule.
std::string RuleArn(const Call& call, absl::string_view name);

// The operations of the same names.
void DeleteRule(Request request);
void PutRule(Request request);
void PutTargets(Request request);
void RemoveTargets(Request request);

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_RULE_CHANGES_H_
