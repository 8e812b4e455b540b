// Authorization for the other services of the cloud: credentials for functions,
// and decisions on what roles and services may do. Reports denials.
#ifndef BYOSHIN_LOCAL_IAM_AUTHORITY_H_
#define BYOSHIN_LOCAL_IAM_AUTHORITY_H_

#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/aws/credentials.h"
#include "local/iam/evaluation.h"
#include "local/iam/iam.h"

namespace byoshin::local::iam {

// Thread-safe.
class Authority {
 public:
  // `iam` must outlive this. `note` receives messages for the user.
  Authority(Iam& iam, std::function<void(const std::string&)> note)
      : iam_(iam), note_(std::move(note)) {}

  // The credentials of the function's role. They are valid until EndSession().
  absl::StatusOr<aws::Credentials> CredentialsForFunction(
      const std::string& role);
  void EndSession(const std::string& access_key_id);

  absl::Status AuthorizeRole(const std::string& role, const std::string& action,
                             const std::string& resource);

  // PermissionDenied, with a message for the caller, if it is not allowed.
  absl::Status Authorize(const AccessRequest& request);

  // Holds all callers to the policy of a resource, a JSON text; empty if it has
  // none. The service that has the resource is the only one to store it: it
  // calls this for each policy when it opens, and whenever it has committed a
  // change, whether an API or a template asked for that. A document that it has
  // not checked with ParsePolicy() may have no effect, which the user is told.
  void EnforcePolicy(absl::string_view resource_arn,
                     absl::string_view document);

  void NoteDenial(const AccessRequest& request, const Decision& decision);

 private:
  Iam& iam_;
  const std::function<void(const std::string&)> note_;
};

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_AUTHORITY_H_
