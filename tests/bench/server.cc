#include "tests/bench/server.h"

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "local/process/child.h"
#include "tests/bench/connection.h"
#include "tests/bench/wire.h"

namespace byoshin::bench {
namespace {

constexpr absl::string_view kUrl = "http://127.0.0.1:";

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
  std::string folder = options.data_folder;
  if (folder.empty()) {
    absl::StatusOr<std::unique_ptr<local::TemporaryFolder>> made =
        local::TemporaryFolder::Make();
    if (!made.ok()) return made.status();
    server->own_folder_ = *std::move(made);
    folder = absl::StrCat(server->own_folder_->path(), "/data");
  }
  argv.push_back(absl::StrCat(options.data_flag, folder));
  absl::StatusOr<std::unique_ptr<integration::Process>> process =
      integration::Process::Start(
          {.argv = argv,
           .environment = options.environment,
           .open_files = local::process::Child::OpenFiles::kInherited});
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

Server::~Server() = default;

std::string Server::host() const {
  return absl::StrCat(host_name_, ":", port_);
}

}  // namespace byoshin::bench
