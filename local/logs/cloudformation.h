// AWS::Logs::LogGroup in templates.
#ifndef BYOSHIN_LOCAL_LOGS_CLOUDFORMATION_H_
#define BYOSHIN_LOCAL_LOGS_CLOUDFORMATION_H_

#include <memory>

#include "core/time/clock.h"
#include "local/cloudformation/provider.h"
#include "local/logs/log_groups.h"
#include "local/logs/logs.h"

namespace byoshin::local::logs {

// All must outlive the provider. Deleting a group deletes its lines.
std::unique_ptr<cloudformation::ResourceProvider> LogGroupProvider(
    LogGroups& groups, Logs& logs, time::Clock& clock);

}  // namespace byoshin::local::logs

#endif  // BYOSHIN_LOCAL_LOGS_CLOUDFORMATION_H_
