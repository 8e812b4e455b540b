#include "tests/bench/server.h"

#include <errno.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "tests/bench/connection.h"
#include "tests/bench/wire.h"

namespace byoshin::bench {
namespace {

constexpr absl::string_view kUrl = "http://127.0.0.1:";

absl::StatusOr<std::string> MakeFolder() {
  std::string name =
      (std::filesystem::temp_directory_path() / "byoshin-bench-XXXXXX")
          .string();
  if (mkdtemp(name.data()) == nullptr) {
    return absl::ErrnoToStatus(errno, "making a data folder");
  }
  return name;
}

absl::StatusOr<int> PortIn(const std::string& line) {
  std::string digits;
  for (std::size_t at = line.find(kUrl.data()) + kUrl.size();
       at < line.size() && line[at] >= '0' && line[at] <= '9'; ++at) {
    digits += line[at];
  }
  int port = 0;
  if (absl::SimpleAtoi(digits, &port)) return port;
  return absl::NotFoundError(absl::StrCat("no port in: ", line));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const Options& options) {
  std::unique_ptr<Server> server(new Server());
  server->host_name_ = options.host_name;
  std::vector<std::string> argv = options.argv;
  absl::StatusOr<std::string> folder = MakeFolder();
  if (!folder.ok()) return folder.status();
  server->data_folder_ = *folder;
  argv.push_back(absl::StrCat(options.data_flag, *folder));
  absl::StatusOr<std::unique_ptr<integration::Process>> process =
      integration::Process::Start(
          {.argv = argv, .environment = options.environment});
  if (!process.ok()) return process.status();
  server->process_ = *std::move(process);
  absl::StatusOr<std::string> line = server->process_->AwaitLine(kUrl);
  if (!line.ok()) return line.status();
  absl::StatusOr<int> port = PortIn(*line);
  if (!port.ok()) return port.status();
  server->port_ = *port;

  absl::StatusOr<Connection> connection = Connection::Open(*port);
  if (!connection.ok()) return connection.status();
  absl::StatusOr<Reply> health =
      connection->Exchange(PlainGet(server->host(), options.health_path));
  if (!health.ok()) return health.status();
  server->ready_after_ = absl::Now() - server->process_->started();
  return server;
}

Server::~Server() {
  process_.reset();
  std::error_code ignored;
  if (!data_folder_.empty()) {
    std::filesystem::remove_all(data_folder_, ignored);
  }
}

std::string Server::host() const {
  return absl::StrCat(host_name_, ":", port_);
}

double Server::StatusKib(absl::string_view field) const {
  std::ifstream status(absl::StrCat("/proc/", process_->pid(), "/status"));
  std::string line;
  while (std::getline(status, line)) {
    if (!absl::StartsWith(line, field)) continue;
    double kib = 0;
    const std::string number =
        line.substr(field.size(), line.rfind(' ') - field.size());
    return absl::SimpleAtod(number, &kib) ? kib : 0;
  }
  return 0;
}

}  // namespace byoshin::bench
