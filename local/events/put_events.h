// Taking events that somebody sends.
#ifndef BYOSHIN_LOCAL_EVENTS_PUT_EVENTS_H_
#define BYOSHIN_LOCAL_EVENTS_PUT_EVENTS_H_

#include "absl/time/time.h"
#include "local/events/events.h"
#include "local/gateway/service.h"

namespace byoshin::local::events {

// Checks the entries, gives each an id and publishes those that are good; `now`
// is the time of those without one. Answers once they are stored.
// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
void PutEvents(const Call& call, absl::Time now, Events& events,
               AnswerFunction answer);

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_PUT_EVENTS_H_
