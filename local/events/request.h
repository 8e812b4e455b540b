// A request of EventBridge's API, for the functions that answer each operation.
#ifndef BYOSHIN_LOCAL_EVENTS_REQUEST_H_
#define BYOSHIN_LOCAL_EVENTS_REQUEST_H_

#include "local/events/events.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"

namespace byoshin::local::events {

// The references are valid until the operation returns, which may answer later;
// `events` lives as long as the service.
struct Request {
  const Call& call;
  // The call's body, which has been checked against AWS's model.
  JsonFields& fields;
  Events& events;
  AnswerFunction answer;
};

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_REQUEST_H_
