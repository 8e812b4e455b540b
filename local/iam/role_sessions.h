// The sessions in which a service of the cloud acts as roles.
//
//   RoleSessions sessions(iam, "states.amazonaws.com");
//   absl::StatusOr<std::string> key = sessions.AccessKeyOf(role_arn);
//   if (!key.ok()) return key.status();
//   call.caller.access_key_id = *key;
#ifndef BYOSHIN_LOCAL_IAM_ROLE_SESSIONS_H_
#define BYOSHIN_LOCAL_IAM_ROLE_SESSIONS_H_

#include <map>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "core/sync/mutex.h"
#include "local/iam/iam.h"

namespace byoshin::local::iam {

// Thread-safe.
class RoleSessions {
 public:
  // `iam` must outlive this. `service` is the principal that roles trust.
  RoleSessions(Iam& iam, std::string service)
      : iam_(iam), service_(std::move(service)) {}

  // The access key of the role's session, which is started when needed and
  // kept. NotFound if there is no such role, PermissionDenied if it does not
  // trust the service.
  absl::StatusOr<std::string> AccessKeyOf(const std::string& role_arn);

 private:
  Iam& iam_;
  const std::string service_;
  sync::Mutex mutex_;
  // Access keys by the ARNs of roles.
  std::map<std::string, std::string> sessions_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_ROLE_SESSIONS_H_
