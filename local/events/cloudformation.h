// EventBridge's resources in templates: AWS::Events::Rule.
#ifndef BYOSHIN_LOCAL_EVENTS_CLOUDFORMATION_H_
#define BYOSHIN_LOCAL_EVENTS_CLOUDFORMATION_H_

#include <memory>

#include "local/cloudformation/provider.h"
#include "local/events/events.h"

namespace byoshin::local::events {

// `events` must outlive the provider.
std::unique_ptr<cloudformation::ResourceProvider> RuleProvider(Events& events);

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_CLOUDFORMATION_H_
