// EventBridge as a module of the cloud. Needs Lambda's module and
// iam::Authority before it. Offers events::Events.
#ifndef BYOSHIN_LOCAL_EVENTS_MODULE_H_
#define BYOSHIN_LOCAL_EVENTS_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::events {

cloud::ModuleSpec EventsModule();

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_MODULE_H_
