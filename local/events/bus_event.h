// An event on the default event bus, which is the only one.
//
//   BusEvent event{.id = random::NewUuid(),
//                  .source = "aws.states",
//                  .detail_type = "Step Functions Execution Status Change",
//                  .account_id = account, .region = region, .time = now,
//                  .resources = {execution_arn}, .detail = R"({"status":…})"};
//   events.Publish(std::move(event), done);
//
// https://docs.aws.amazon.com/eventbridge/latest/ref/overiew-event-structure.html
#ifndef BYOSHIN_LOCAL_EVENTS_BUS_EVENT_H_
#define BYOSHIN_LOCAL_EVENTS_BUS_EVENT_H_

#include <string>
#include <vector>

#include "absl/time/time.h"

namespace byoshin::local::events {

struct BusEvent {
  std::string id{};
  std::string source{};
  std::string detail_type{};
  std::string account_id{};
  std::string region{};
  absl::Time time{};
  std::vector<std::string> resources{};
  std::string detail = "{}";  // a JSON object
};

// The event as targets get it: JSON, with the members in AWS's order.
std::string WriteEvent(const BusEvent& event);

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_BUS_EVENT_H_
