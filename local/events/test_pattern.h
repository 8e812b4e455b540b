// TestEventPattern.
#ifndef BYOSHIN_LOCAL_EVENTS_TEST_PATTERN_H_
#define BYOSHIN_LOCAL_EVENTS_TEST_PATTERN_H_

#include <json/json.h>

#include "absl/status/statusor.h"
#include "local/gateway/service.h"

namespace byoshin::local::events {

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_TestEventPattern.html
absl::StatusOr<Json::Value> TestEventPattern(const Call& call);

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_TEST_PATTERN_H_
