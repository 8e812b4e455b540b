#include "local/store/run_on_loop.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "core/async/await.h"
#include "local/store/work_loop.h"

namespace byoshin::local {

void RunOnLoop(WorkLoop& loop, absl::FunctionRef<void()> work) {
  async::Await<void>([&](auto done) {
    loop.Submit([work, done]() -> AfterCommit {
      work();
      return [done](const absl::Status&) { done(); };
    });
  });
}

}  // namespace byoshin::local
