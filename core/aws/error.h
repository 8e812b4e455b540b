// An error returned by an AWS service, carried in an absl::Status.
//
//   absl::Status status = table.PutItem(request);
//   if (std::optional<aws::Error> error = aws::ErrorOf(status);
//       error && error->code == "ConditionalCheckFailedException") ...
//
// Clients over any SDK can create such statuses, so callers don't depend on the
// client.
#ifndef BYOSHIN_CORE_AWS_ERROR_H_
#define BYOSHIN_CORE_AWS_ERROR_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::aws {

// The error of the Data API when the cluster was paused and is being resumed.
inline constexpr char kDatabaseResuming[] = "DatabaseResumingException";

struct Error {
  // AWS's name for it, without namespace: "ThrottlingException".
  std::string code{};
  std::string message{};
  int http_status = 0;
  std::string request_id{};
};

// A status with the error attached. Its code follows from the error:
//   NotFound, AlreadyExists, PermissionDenied
//   ResourceExhausted   throttling, or a limit that will be free again
//   Unavailable         the service or the database failed (5xx)
//   DeadlineExceeded    AWS gave up: a statement or a model took too long
//   Aborted             a transaction has ended; begin another
//   Internal            a model failed on this input
//   FailedPrecondition  a condition is false, or the resource's state or
//                       configuration does not permit the call
//   InvalidArgument     anything else
// `operation` is, for example, "SQS SendMessageBatch".
absl::Status ToStatus(const Error& error, absl::string_view operation);

// `status` with another code; message and attached error are kept.
absl::Status WithCode(absl::StatusCode code, const absl::Status& status);

// The error attached to `status`, if there is one.
std::optional<Error> ErrorOf(const absl::Status& status);

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_ERROR_H_
