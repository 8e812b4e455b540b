// A server under measurement, in a process of its own, with a new, empty data
// folder unless it is told another.
//
//   absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(
//       {.argv = {"local/serve", "--port=0"}, .data_flag = "--data="});
//   (*server)->port(), (*server)->ready_after(), (*server)->ResidentKib()
#ifndef BYOSHIN_TESTS_BENCH_SERVER_H_
#define BYOSHIN_TESTS_BENCH_SERVER_H_

#include <sys/types.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "local/files/temporary_folder.h"
#include "tests/bench/usage.h"
#include "tests/integration/process.h"

namespace byoshin::bench {

// Not thread-safe.
class Server {
 public:
  struct Options {
    // It must print "http://127.0.0.1:<port>" once it listens.
    std::vector<std::string> argv{};
    // The path of the data folder, behind this, becomes its last argument.
    std::string data_flag{};
    // Which stays. Empty: a new one, which is deleted at the end.
    std::string data_folder{};
    std::map<std::string, std::string> environment{};
    // What GET answers once it serves.
    std::string health_path = "/";
    // What clients call the machine that it runs on.
    std::string host_name = "127.0.0.1";
  };

  static absl::StatusOr<std::unique_ptr<Server>> Start(const Options& options);

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  // Kills it and deletes its data, if they are its own.
  ~Server();

  int port() const { return port_; }
  // As in the Host header.
  std::string host() const;
  // From just before the process was made to its first answered health check.
  absl::Duration ready_after() const { return ready_after_; }

  // 0 if it has ended.
  double ResidentKib() const { return bench::ResidentKib(process_->pid()); }
  double PeakKib() const { return bench::PeakKib(process_->pid()); }

  pid_t pid() const { return process_->pid(); }
  integration::Process& process() { return *process_; }

 private:
  Server() = default;

  std::string host_name_;
  // Outlives the process, which writes to it.
  std::unique_ptr<local::TemporaryFolder> own_folder_;
  std::unique_ptr<integration::Process> process_;
  int port_ = 0;
  absl::Duration ready_after_;
};

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_SERVER_H_
