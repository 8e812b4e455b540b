// The local cloud in a process of its own, over a data folder that outlives it.
//
//   LocalCloud cloud(folder);
//   absl::Status status = cloud.Start();
//   ...
//   cloud.KillNow();        // SIGKILL
//   status = cloud.Start(); // over what is left
#ifndef BYOSHIN_TESTS_CRASH_LOCAL_CLOUD_H_
#define BYOSHIN_TESTS_CRASH_LOCAL_CLOUD_H_

#include <json/json.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tests/bench/connection.h"
#include "tests/bench/wire.h"
#include "tests/integration/process.h"

namespace byoshin::crash {

// A client on a connection of its own. Not thread-safe.
class Client {
 public:
  static absl::StatusOr<std::unique_ptr<Client>> Connect(int port);

  // `target` is such as "AmazonSQS.SendMessage". The output, if the answer is
  // 200. FailedPrecondition if a condition failed; Unavailable if there was no
  // answer, so that nobody knows whether it was done; Internal for any other.
  absl::StatusOr<Json::Value> Call(absl::string_view target,
                                   const std::string& body);

 private:
  Client(bench::Connection connection, int port);

  bench::Connection connection_;
  const bench::Signer dynamodb_;
  const bench::Signer sqs_;
};

// Not thread-safe.
class LocalCloud {
 public:
  // `flags` besides those of port and folder.
  LocalCloud(std::string folder, std::vector<std::string> flags)
      : folder_(std::move(folder)), flags_(std::move(flags)) {}

  // Returns once it serves.
  absl::Status Start();
  void KillNow();

  int port() const { return port_; }

 private:
  const std::string folder_;
  const std::vector<std::string> flags_;
  std::unique_ptr<integration::Process> process_;
  int port_ = 0;
};

}  // namespace byoshin::crash

#endif  // BYOSHIN_TESTS_CRASH_LOCAL_CLOUD_H_
