// Runs work on a loop and waits for its commit, on a thread that may block.
//
//   RunOnLoop(loop, [&] { count = rules_.size(); });
#ifndef BYOSHIN_LOCAL_STORE_RUN_ON_LOOP_H_
#define BYOSHIN_LOCAL_STORE_RUN_ON_LOOP_H_

#include "absl/functional/function_ref.h"
#include "local/store/work_loop.h"

namespace byoshin::local {

// Returns after the commit, or after the rollback if the commit failed. Not for
// work of the loop itself, which would deadlock. Throws std::future_error if
// the loop has stopped.
void RunOnLoop(WorkLoop& loop, absl::FunctionRef<void()> work);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_RUN_ON_LOOP_H_
