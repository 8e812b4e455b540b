// Puts work off until an event loop has taken all that has arrived.
//
// A server's thread takes one request after another of those that have arrived
// together. Who would rather do something once for all of them, such as
// committing what they have changed, has it done at the end of the turn:
//
//   if (turn::AtEnd(this, [this] { Commit(); }) == turn::Put::kNowhere) {
//     Commit();  // this thread has no turns
//   }
//
// The event loop says so on its thread:
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
  kNowhere,  // no event loop runs on this thread, or it must not wait for it
  kAtEnd,
  kAlready,  // work with the same key is there, and does for both
};

// Sees to it that `work` is called on this thread at the end of the turn.
// Whatever it uses must live until then: longer than the event loop.
Put AtEnd(const void* key, Work work);

// Gives the thread turns while it exists. Not thread-safe.
class Loop {
 public:
  // `post` calls what it is given later, on this thread, behind all that the
  // event loop has at hand.
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

// Nothing is put off while it exists: for who waits for an answer on a thread
// that would end its turn only afterwards. Not thread-safe.
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
