// Events as SQS hands them to the Collector.
//
//   SqsEvent({{"id-1", WindowBody("2025-12-02T10:23:00Z",
//                                 "2025-12-02T10:23:05Z")}})
#ifndef BYOSHIN_TESTS_INTEGRATION_SQS_EVENT_H_
#define BYOSHIN_TESTS_INTEGRATION_SQS_EVENT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::integration {

struct SqsRecord {
  std::string message_id{};
  std::string body{};
};

std::string SqsEvent(const std::vector<SqsRecord>& records);

// {"from": ..., "to": ...}
std::string WindowBody(absl::string_view from, absl::string_view to);

// The body for the slot that begins at `from`.
std::string SlotBody(absl::Time from);

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_SQS_EVENT_H_
