// Waits for the argument of a callback, on a thread that may block.
//
//   absl::Status emptied = async::Await<absl::Status>(
//       [&](auto done) { sqs.Empty(arn, done); });
//   async::Await<void>([&](auto done) { sqs.Unsubscribe(id, done); });
#ifndef BYOSHIN_CORE_ASYNC_AWAIT_H_
#define BYOSHIN_CORE_ASYNC_AWAIT_H_

#include <future>
#include <memory>
#include <type_traits>
#include <utility>

namespace byoshin::async {

// Calls `start` with a callback and returns the callback's argument: a T, or
// nothing if T is void. The callback is called exactly once, on any thread.
// Throws std::future_error if all copies of it are destroyed uncalled.
template <typename T, typename Start>
T Await(Start&& start) {
  // Shared, since the callback's thread may still be in set_value() when the
  // waiting thread goes on.
  auto promise = std::make_shared<std::promise<T>>();
  std::future<T> future = promise->get_future();
  if constexpr (std::is_void_v<T>) {
    std::forward<Start>(start)(
        [promise = std::move(promise)] { promise->set_value(); });
  } else {
    std::forward<Start>(start)([promise = std::move(promise)](T value) {
      promise->set_value(std::move(value));
    });
  }
  return future.get();
}

}  // namespace byoshin::async

#endif  // BYOSHIN_CORE_ASYNC_AWAIT_H_
