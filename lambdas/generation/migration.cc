// Migration: brings the database's schema and users up to date, as a custom
// resource of the template.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/aws/secretsmanager/json_client.h"
#include "core/generation/config.h"
#include "core/generation/constants.h"
#include "core/generation/database_users.h"
#include "core/generation/migrator.h"
#include "core/generation/workflow_handler.h"
#include "lambdas/generation/wiring.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  generation::Function function(generation::kMigrationFunction);
  aws::secretsmanager::JsonClient secrets(function.dependencies());
  std::optional<generation::Migrator> migrator;
  std::optional<generation::DatabaseUsers> users;

  return function.Run([&](generation::Stores& stores) -> generation::HandlerOr {
    absl::StatusOr<std::vector<generation::DatabaseUser>> names =
        generation::LoadDatabaseUsers(function.environment());
    if (!names.ok()) return names.status();
    migrator.emplace(stores.database, function.clock());
    users.emplace(stores.database, secrets, *std::move(names));
    return std::make_unique<generation::MigrationHandler>(
        generation::MigrationHandler::Dependencies{
            .migrator = *migrator,
            .users = *users,
            .http_client = function.process().http_client(),
            .clock = function.clock(),
            .logger = function.logger()});
  });
}
