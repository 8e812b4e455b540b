// Those who write to the local cloud until it dies, and remember what they were
// promised.
//
// Each writer has items and messages of its own, and at most one request on its
// way. So after a crash there is at most one change that it can't know the fate
// of; everything else must be exactly as it was acknowledged.
#ifndef BYOSHIN_TESTS_CRASH_WRITERS_H_
#define BYOSHIN_TESTS_CRASH_WRITERS_H_

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tests/crash/local_cloud.h"

namespace byoshin::crash {

inline constexpr char kTable[] = "Items";
// Its key is the attribute "group".
inline constexpr char kIndex[] = "ByGroup";
inline constexpr char kQueue[] = "messages";
inline constexpr char kOrderedQueue[] = "ordered.fifo";

// Makes the table and the standard queue.
absl::Status MakeResources(Client& client);
// Makes the FIFO queue.
absl::Status MakeOrderedQueue(Client& client);

// Not thread-safe: one thread writes, then another one checks.
class Writer {
 public:
  virtual ~Writer() = default;

  // One more acknowledged change. An error ends the round: Unavailable if the
  // server has died, anything else is a failure of the test.
  virtual absl::Status Write(Client& client) = 0;

  // Compares what is there with what was acknowledged. Takes what is there as
  // the new beginning.
  virtual absl::Status Check(Client& client) = 0;
};

// PutItem of new items, on condition that they are new, and now and then
// DeleteItem of an older one.
std::unique_ptr<Writer> MakePutter(int number);
// UpdateItem that adds 1 to a counter.
std::unique_ptr<Writer> MakeCounter(int number);
// TransactWriteItems that adds 1 to two counters.
std::unique_ptr<Writer> MakeTransactor(int number);
// SendMessage; every other message is then received and deleted. There may be
// one only: all share the queue.
std::unique_ptr<Writer> MakeMessenger();
// The same with one group of a FIFO queue: order, duplicates and attempts to
// receive are kept, too.
std::unique_ptr<Writer> MakeOrderedMessenger();

// Every item of the table is in its index, and the other way round.
absl::Status CheckIndex(Client& client);

}  // namespace byoshin::crash

#endif  // BYOSHIN_TESTS_CRASH_WRITERS_H_
