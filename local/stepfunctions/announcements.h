// Status changes on their way to EventBridge. Each is stored with the change
// itself, and removed once EventBridge has stored it: a crash can at worst
// repeat one.
//
//   announcements.Add(execution);   // in the transaction of the change
//   announcements.Send();           // after its commit
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_ANNOUNCEMENTS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_ANNOUNCEMENTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/status_change.h"
#include "local/store/loop_gate.h"
#include "local/store/store.h"

namespace byoshin::local::stepfunctions {

// Not thread-safe: belongs to the loop.
class Announcements {
 public:
  // `store` outlives it.
  Announcements(Store& store, std::shared_ptr<LoopGate> gate,
                StatusChangeSink sink)
      : store_(store), gate_(std::move(gate)), sink_(std::move(sink)) {}

  // Reads what is stored, also after a rollback.
  absl::Status Load();
  // Nothing is sent before this.
  void Begin();

  // For STANDARD executions. Does nothing if nobody wants status changes.
  void Add(const kept::Execution& execution);
  void Send();

 private:
  struct Waiting {
    kept::Execution execution{};
    bool under_way = false;
  };

  void HandleSent(std::uint64_t id, const absl::Status& status);

  Store& store_;
  const std::shared_ptr<LoopGate> gate_;
  const StatusChangeSink sink_;
  bool begun_ = false;
  std::map<std::uint64_t, Waiting> waiting_;  // in their order
  std::uint64_t last_id_ = 0;
  // Answers from before a rollback are not for what was loaded after it.
  std::uint64_t epoch_ = 0;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_ANNOUNCEMENTS_H_
