// Wires a function of Mesh v2: the table behind its service, and its handler.
//
//   int main() {
//     return byoshin::mesh::RunFunction<byoshin::mesh::LeaveGroupHandler>(
//         "LeaveGroup");
//   }
#ifndef BYOSHIN_LAMBDAS_MESH_FUNCTION_H_
#define BYOSHIN_LAMBDAS_MESH_FUNCTION_H_

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "core/aws/dynamodb/json_client.h"
#include "core/lambda/handler.h"
#include "core/lambda/process.h"
#include "core/mesh/config.h"
#include "core/mesh/handlers.h"
#include "core/mesh/service.h"
#include "core/mesh/table_store.h"

namespace byoshin::mesh {

// `name` is the function's in messages. Returns the exit status.
template <typename FieldHandlerType>
int RunFunction(const char* name) {
  lambda::Process process(name);
  aws::dynamodb::JsonClient table({.http = process.http_client(),
                                   .clock = process.clock(),
                                   .environment = process.environment(),
                                   .logger = &process.logger()});
  std::optional<TableStore> store;
  std::optional<Service> service;
  return process.Run([&]() -> absl::StatusOr<std::unique_ptr<lambda::Handler>> {
    absl::StatusOr<Config> config = LoadConfig(process.environment());
    if (!config.ok()) return config.status();
    store.emplace(TableStore::Dependencies{.table = table,
                                           .clock = process.clock(),
                                           .table_name = config->table_name});
    service.emplace(Service::Dependencies{.store = *store,
                                          .clock = process.clock(),
                                          .config = *std::move(config)});
    return std::make_unique<FieldHandlerType>(
        HandlerDependencies{.service = *service,
                            .logger = process.logger(),
                            .clock = process.clock()});
  });
}

}  // namespace byoshin::mesh

#endif  // BYOSHIN_LAMBDAS_MESH_FUNCTION_H_
