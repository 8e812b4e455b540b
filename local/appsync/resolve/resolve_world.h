// What the execution of requests uses.
#ifndef BYOSHIN_LOCAL_APPSYNC_RESOLVE_RESOLVE_WORLD_H_
#define BYOSHIN_LOCAL_APPSYNC_RESOLVE_RESOLVE_WORLD_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/async/gate.h"
#include "core/time/clock.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/resolve/trace.h"
#include "local/appsync/script/runtime.h"
#include "local/appsync/sources/data_sources.h"
#include "local/iam/evaluation.h"

namespace byoshin::local::appsync {

// All outlive the requests, except for those that are dropped when the gate is
// closed.
struct ResolveWorld {
  script::Runtime& runtime;
  DataSources& sources;
  time::Clock& clock;
  Traces& traces;
  // Whether a caller with IAM credentials may do what it wants. Never null.
  std::function<bool(const iam::AccessRequest&)> is_allowed;
  // Does the work soon, on a thread that may be busy for a while: answers of
  // data sources come on threads of other services. Never null.
  std::function<void(std::function<void()>)> post;
  // Does work that may take seconds, on threads that nothing else waits for.
  // Never null.
  std::function<void(std::function<void()>)> post_long;
  // Answers of data sources are dropped once it is closed.
  std::shared_ptr<async::Gate> gate;
  // What the code of a request may take on threads that other requests wait
  // for, and altogether.
  absl::Duration quick_code_time = absl::Milliseconds(50);
  absl::Duration max_code_time = kRequestTimeout;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_RESOLVE_RESOLVE_WORLD_H_
