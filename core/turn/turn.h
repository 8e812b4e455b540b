// Defers work until an event loop has processed all requests that have arrived.
//
// A server's thread processes requests that have arrived together one after
// another. Work that is needed once for all of them, such as a commit, is done
// at the end of the turn:
//
//   if (turn::AtEnd(this, [this] { Commit(); }) == turn::Put::kNowhere) {
//     Commit();  // this thread has no turns
//   }
//
// The event loop provides turns on its thread:
//
//   turn::Loop loop([&io](turn::Work work) { asio::post(io, work); });
//   io.run();
#ifndef BYOSHIN_CORE_TURN_TURN_H_
#define BYOSHIN_CORE_TURN_TURN_H_

#include <functional>
#include <utility>
#include <vector>

namespace byoshin::turn {

using Work = std::function<void()>;

enum class Put {
  kNowhere,  // no event loop runs on this thread, or nothing may be deferred
  kAtEnd,
  kAlready,  // work with the same key is already pending
};

// Calls `work` on this thread at the end of the turn. What it uses must outlive
// the event loop.
Put AtEnd(const void* key, Work work);

// Gives the thread turns while it exists. Not thread-safe.
class Loop {
 public:
  // `post` must call its argument later, on this thread, after everything that
  // the event loop has pending.
  explicit Loop(std::function<void(Work)> post);
  ~Loop();

  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

 private:
  friend Put AtEnd(const void* key, Work work);

  void EndTurn();

  const std::function<void(Work)> post_;
  std::vector<std::pair<const void*, Work>> due_;
};

// Nothing is deferred while it exists: for code that waits for an answer on a
// thread whose turn ends only afterwards. Not thread-safe.
class Pause {
 public:
  Pause();
  ~Pause();

  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;

 private:
  Loop* const loop_;
};

}  // namespace byoshin::turn

#endif  // BYOSHIN_CORE_TURN_TURN_H_
