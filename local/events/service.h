// EventBridge's API over the wire, for looking at rules and turning them off
// and on:
//
//   EventsService service(events);
//   $ aws events list-rules --endpoint-url …
//
// Rules are on the default event bus; there is no other.
#ifndef BYOSHIN_LOCAL_EVENTS_SERVICE_H_
#define BYOSHIN_LOCAL_EVENTS_SERVICE_H_

#include "absl/strings/string_view.h"
#include "local/events/events.h"
#include "local/gateway/service.h"

namespace byoshin::local::events {

// Thread-safe.
class EventsService final : public Service {
 public:
  // `events` outlives this.
  explicit EventsService(Events& events) : events_(events) {}

  absl::string_view name() const override { return "events"; }
  void Handle(Call call, AnswerFunction answer) override;

 private:
  void SetState(const Call& call, Rule::State state, AnswerFunction answer);

  Events& events_;
};

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_SERVICE_H_
