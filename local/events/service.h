// EventBridge's API:
//
//   EventsService service(events);
//   $ aws events list-rules --endpoint-url …
//
// Rules are on the default event bus; there is no other.
#ifndef BYOSHIN_LOCAL_EVENTS_SERVICE_H_
#define BYOSHIN_LOCAL_EVENTS_SERVICE_H_

#include <vector>

#include "local/events/events.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local::events {

// Thread-safe.
class EventsService final : public Service {
 public:
  // `events` must outlive this.
  explicit EventsService(Events& events) : events_(events) {}

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

 private:
  Events& events_;
};

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_SERVICE_H_
