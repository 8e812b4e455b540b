// The loads that servers are measured under, as conversations (load.h).
//
//   Workload workload = ConditionalPuts(signer, /*count=*/100000);
//   workload.prepare(connection);  // makes the table
//   RunLoad(options, workload.start);
#ifndef BYOSHIN_TESTS_BENCH_WORKLOADS_H_
#define BYOSHIN_TESTS_BENCH_WORKLOADS_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "tests/bench/connection.h"
#include "tests/bench/load.h"
#include "tests/bench/wire.h"

namespace byoshin::bench {

struct Workload {
  // Brings the server into the state that the load wants.
  std::function<absl::Status(Connection& connection)> prepare{};
  // What each connection does.
  std::function<std::unique_ptr<Conversation>(int connection)> start{};
};

// The signer of each is for its service, and outlives the workload.

// PutItem of `count` new items, each on condition that it is not there yet.
Workload ConditionalPuts(const Signer& signer, int count);
// GetItem, consistent, of 1000 items in turn.
Workload Gets(const Signer& signer);
// Query of a partition with 100 items.
Workload Queries(const Signer& signer);

enum class SqsProtocol { kJson, kQuery };

// SendMessage to one queue.
Workload Sends(const Signer& signer, SqsProtocol protocol);
// SendMessage, ReceiveMessage of one, DeleteMessage: one operation.
Workload Cycles(const Signer& signer, SqsProtocol protocol);
// The same to a FIFO queue, in JSON. Each connection sends to a message group
// of its own, and signs every request, since each has its own deduplication ID.
Workload FifoSends(const Signer& signer);
Workload FifoCycles(const Signer& signer);

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_WORKLOADS_H_
