#include "local/iam/role_sessions.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "core/sync/mutex.h"
#include "local/iam/iam.h"

namespace byoshin::local::iam {

absl::StatusOr<std::string> RoleSessions::AccessKeyOf(
    const std::string& role_arn) {
  const sync::MutexLock lock(mutex_);
  const auto kept = sessions_.find(role_arn);
  if (kept != sessions_.end()) {
    if (iam_.FindSession(kept->second).has_value()) return kept->second;
    sessions_.erase(kept);
  }
  const absl::StatusOr<SessionCredentials> session =
      iam_.AssumeRole({.role_arn = role_arn,
                       .session_name = random::NewHex(),
                       .service = service_,
                       .duration = absl::InfiniteDuration()});
  if (!session.ok()) return session.status();
  sessions_[role_arn] = session->access_key_id;
  return session->access_key_id;
}

}  // namespace byoshin::local::iam
