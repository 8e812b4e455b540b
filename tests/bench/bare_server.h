// The least that deliveries cost on a machine: what it sends looks like an
// AppSync API's messages, but behind it is only a loop of send() calls. What
// subscribers wait for it is the system's part of what they wait for others.
//
//   absl::StatusOr<std::unique_ptr<BareServer>> server = BareServer::Start();
//   RunRounds((*server)->target(), audience, duration);
#ifndef BYOSHIN_TESTS_BENCH_BARE_SERVER_H_
#define BYOSHIN_TESTS_BENCH_BARE_SERVER_H_

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tests/bench/graphql_wire.h"

namespace byoshin::bench {

// For one RunRounds(): subscribers first, then one connection that reports.
class BareServer {
 public:
  static absl::StatusOr<std::unique_ptr<BareServer>> Start();
  // Waits until the connection that reports is closed.
  ~BareServer();
  BareServer(const BareServer&) = delete;
  BareServer& operator=(const BareServer&) = delete;

  const GraphqlTarget& target() const { return target_; }

 private:
  BareServer() = default;

  void Run();
  // Handles reports until the client closes; `received` has the first.
  void Serve(int publisher, std::string received);
  void Deliver(absl::string_view report);

  int listener_ = -1;
  std::vector<int> subscribers_;
  GraphqlTarget target_;
  std::thread thread_;
};

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_BARE_SERVER_H_
