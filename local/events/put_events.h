// PutEvents.
#ifndef BYOSHIN_LOCAL_EVENTS_PUT_EVENTS_H_
#define BYOSHIN_LOCAL_EVENTS_PUT_EVENTS_H_

#include "local/events/request.h"

namespace byoshin::local::events {

// Checks the entries, gives each an id, and publishes those that are good. An
// entry without a time has the present one. Answers once they are stored.
// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
void PutEvents(Request request);

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_PUT_EVENTS_H_
