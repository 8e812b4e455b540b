// The event that Step Functions sends to EventBridge when a STANDARD execution
// starts or ends.
//
// https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_STATUS_CHANGE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_STATUS_CHANGE_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "local/stepfunctions/kept.pb.h"

namespace byoshin::local::stepfunctions {

struct StatusChange {
  std::string execution_arn{};
  std::string region{};
  std::string account_id{};
  absl::Time time{};
  std::string detail{};  // a JSON object
};

StatusChange StatusChangeOf(const kept::Execution& execution);

// Where status changes go. Both functions are null, or neither; they are called
// on any thread and must not block.
struct StatusChangeSink {
  // Whether anybody may want them.
  std::function<bool()> wanted{};
  // `done` is called once the change is stored.
  std::function<void(StatusChange change,
                     std::function<void(absl::Status)> done)>
      send{};
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_STATUS_CHANGE_H_
