// TestEventPattern.
#ifndef BYOSHIN_LOCAL_EVENTS_TEST_PATTERN_H_
#define BYOSHIN_LOCAL_EVENTS_TEST_PATTERN_H_

#include "local/events/request.h"

namespace byoshin::local::events {

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_TestEventPattern.html
void TestEventPattern(Request request);

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_TEST_PATTERN_H_
