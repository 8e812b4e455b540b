// Clients of a GraphQL API that subscribe over WebSockets and read what they
// are sent, many on one thread: for measuring, so nothing is in between.
//
//   absl::StatusOr<std::unique_ptr<Subscribers>> subscribers =
//       Subscribers::Open(target, {.count = 40, .subscription = …});
//   (*subscribers)->Receive(absl::Seconds(1), [](int which, absl::string_view
//       message) { ... });
#ifndef BYOSHIN_TESTS_BENCH_APPSYNC_SUBSCRIBERS_H_
#define BYOSHIN_TESTS_BENCH_APPSYNC_SUBSCRIBERS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "tests/bench/connection.h"
#include "tests/bench/graphql_wire.h"

namespace byoshin::bench {

// Takes the answer to a mutation from what was received; false if it is not
// whole yet. An error if the mutation has failed.
absl::StatusOr<bool> TakeMutationAnswer(Connection& connection);

// Not thread-safe.
class Subscribers {
 public:
  struct Options {
    int count = 1;
    // What each subscribes to.
    GraphqlOperation subscription{};
  };

  // Returns when all subscriptions are acknowledged.
  static absl::StatusOr<std::unique_ptr<Subscribers>> Open(
      const GraphqlTarget& target, const Options& options);

  Subscribers(const Subscribers&) = delete;
  Subscribers& operator=(const Subscribers&) = delete;
  ~Subscribers();

  // For waiting for several kinds of sockets: readable if Receive() has
  // something to read. What came together with an acknowledgment has been read:
  // the first Receive() has it.
  int descriptor() const { return poll_; }

  // Waits until there is something to read, at most `limit`, reads it and calls
  // `on_data` with each message of the subscription and the number of its
  // subscriber. An error if a socket was closed or got an error message.
  absl::Status Receive(
      absl::Duration limit,
      absl::FunctionRef<void(int subscriber, absl::string_view message)>
          on_data);

 private:
  Subscribers() = default;

  absl::Status Add(const GraphqlTarget& target,
                   const GraphqlOperation& subscription);
  // Takes the whole frames from the socket's bytes.
  absl::Status TakeFrames(
      int subscriber,
      absl::FunctionRef<void(int subscriber, absl::string_view message)>
          on_message);

  int poll_ = -1;
  std::vector<Connection> sockets_;
  // Messages that came together with the acknowledgment of a subscription.
  std::vector<std::pair<int, std::string>> early_;
};

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_APPSYNC_SUBSCRIBERS_H_
