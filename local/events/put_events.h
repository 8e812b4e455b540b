// Taking events that somebody sends.
#ifndef BYOSHIN_LOCAL_EVENTS_PUT_EVENTS_H_
#define BYOSHIN_LOCAL_EVENTS_PUT_EVENTS_H_

#include <json/json.h>

#include "absl/status/statusor.h"
#include "local/gateway/service.h"

namespace byoshin::local::events {

// Checks the entries and gives each an id. Rules of the local cloud have
// schedules, and no patterns: so none matches, and as on AWS an event that no
// rule matches is dropped.
// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
absl::StatusOr<Json::Value> PutEvents(const Call& call);

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_PUT_EVENTS_H_
