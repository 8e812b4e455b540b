// Runs tasks by calling the services of the cloud, as if the role had signed
// the requests.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_SERVICE_TASKS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_SERVICE_TASKS_H_

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/iam/iam.h"
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
  // The access key of a session of the role, which is kept.
  absl::StatusOr<std::string> SessionOf(const std::string& role_arn);

  const World world_;
  sync::Mutex mutex_;
  // Access keys by the ARNs of roles.
  std::map<std::string, std::string> sessions_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_SERVICE_TASKS_H_
