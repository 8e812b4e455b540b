// The interface of a Lambda function: a payload in, a payload or an error out.
// runtime.h runs it with the Lambda runtime.
#ifndef BYOSHIN_CORE_LAMBDA_HANDLER_H_
#define BYOSHIN_CORE_LAMBDA_HANDLER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace byoshin::lambda {

struct Invocation {
  std::string payload;
  std::string request_id;
  // When Lambda will kill the function; infinite if there is no deadline.
  absl::Time deadline = absl::InfiniteFuture();
  // When the request that led to it was made, as its X-Ray trace says; in the
  // infinite past if unknown. A cloud on simulated time goes by this, whereas
  // the function's own clock is real.
  absl::Time requested = absl::InfinitePast();
};

// Called for one invocation at a time, many times in the life of a process.
class Handler {
 public:
  Handler() = default;
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  virtual ~Handler() = default;

  // The response as JSON. An error becomes a failed invocation, with an error
  // type derived from the status code, such as "Byoshin.InvalidArgument", and
  // the message.
  virtual absl::StatusOr<std::string> Handle(const Invocation& invocation) = 0;
};

}  // namespace byoshin::lambda

#endif  // BYOSHIN_CORE_LAMBDA_HANDLER_H_
