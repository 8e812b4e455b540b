// Waits for what a service gives to a callback, on a thread that may wait:
//
//   absl::Status emptied = Await<absl::Status>(
//       [&](auto done) { sqs.Empty(arn, done); });
#ifndef BYOSHIN_LOCAL_STACK_AWAIT_H_
#define BYOSHIN_LOCAL_STACK_AWAIT_H_

#include <future>
#include <memory>

namespace byoshin::local::stack {

template <typename T, typename Start>
T Await(Start start) {
  auto promise = std::make_shared<std::promise<T>>();
  std::future<T> future = promise->get_future();
  start([promise](const T& value) { promise->set_value(value); });
  return future.get();
}

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_AWAIT_H_
