#include "tests/integration/mock_api.h"

#include <utility>

#include "mockapi/server.h"

namespace byoshin::integration {

absl::StatusOr<std::unique_ptr<MockApi>> MockApi::Start() {
  std::unique_ptr<MockApi> api(new MockApi());
  absl::StatusOr<std::unique_ptr<http::Server>> server =
      mockapi::StartServer(http::ServerOptions(), api->logger_);
  if (!server.ok()) return server.status();
  api->server_ = *std::move(server);
  return api;
}

}  // namespace byoshin::integration
