// Keeps a server busy over many connections from one thread and says how fast
// it was.
//
//   absl::StatusOr<LoadResult> result = RunLoad(
//       {.port = 4566, .connections = 64, .duration = absl::Seconds(3)},
//       [&](int connection) { return std::make_unique<Gets>(requests); });
#ifndef BYOSHIN_TESTS_BENCH_LOAD_H_
#define BYOSHIN_TESTS_BENCH_LOAD_H_

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "tests/bench/wire.h"

namespace byoshin::bench {

// What is said on one connection, one request at a time. An operation is one
// exchange or several.
class Conversation {
 public:
  virtual ~Conversation() = default;

  // The next request; the bytes stay until the next call. Empty: there are no
  // more.
  virtual absl::string_view Next() = 0;

  // Takes the answer to it. True if it ends an operation.
  virtual absl::StatusOr<bool> Take(const WireAnswer& answer) = 0;
};

struct LoadOptions {
  int port = 0;  // on 127.0.0.1
  int connections = 1;
  // The first fifth is not counted.
  absl::Duration duration = absl::Seconds(3);
};

struct LoadResult {
  double per_second = 0;
  // From sending an operation's first request to its last answer.
  absl::Duration p50;
  absl::Duration p99;
  absl::Duration max;
};

// Ends early when all conversations have. An error if a connection breaks, a
// conversation returns one, or nothing was measured.
absl::StatusOr<LoadResult> RunLoad(
    const LoadOptions& options,
    const std::function<std::unique_ptr<Conversation>(int connection)>& start);

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_LOAD_H_
