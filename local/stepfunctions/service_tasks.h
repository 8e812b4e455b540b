// Runs tasks by calling the services of the cloud, as if the role had signed
// the requests.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_SERVICE_TASKS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_SERVICE_TASKS_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/time/clock.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/iam/iam.h"
#include "local/iam/role_sessions.h"
#include "local/stepfunctions/tasks.h"

namespace byoshin::local::stepfunctions {

// Thread-safe.
class ServiceTasks final : public TaskRunner {
 public:
  // All outlive it.
  struct World {
    iam::Iam& iam;
    iam::Authority& authority;
    time::Clock& clock;
    // Null if there is none. Never null itself.
    std::function<Service*(absl::string_view name)> find_service;
    // Where clients reach the cloud. Never null.
    std::function<std::string()> endpoint;
  };
  explicit ServiceTasks(World world);

  void Run(TaskCall call, std::function<void(TaskOutcome)> done) override;

  // AccessDeniedException if the role is there and does not trust Step
  // Functions. Stacks bring roles, so one that is not there may come.
  absl::Status CheckRole(const std::string& role_arn);

 private:
  const World world_;
  iam::RoleSessions sessions_;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_SERVICE_TASKS_H_
