// What the functions of asynchronous generation have in common: a process, the
// clients of AWS, and the stores in the database.
//
//   int main() {
//     generation::Function function("StatusCheckHandler");
//     return function.Run([&](generation::Stores& stores) { ... });
//   }
#ifndef BYOSHIN_LAMBDAS_GENERATION_WIRING_H_
#define BYOSHIN_LAMBDAS_GENERATION_WIRING_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/aws/caller.h"
#include "core/aws/rdsdata/client.h"
#include "core/aws/rdsdata/json_client.h"
#include "core/aws/stepfunctions/json_client.h"
#include "core/env/environment.h"
#include "core/generation/api_handler.h"
#include "core/generation/config.h"
#include "core/generation/sql.h"
#include "core/generation/sql_goal_store.h"
#include "core/generation/sql_process_store.h"
#include "core/generation/state_service.h"
#include "core/generation/workflow.h"
#include "core/lambda/handler.h"
#include "core/lambda/process.h"
#include "core/log/logger.h"
#include "core/time/clock.h"

namespace byoshin::generation {

using HandlerOr = absl::StatusOr<std::unique_ptr<lambda::Handler>>;

// The database and what is kept in it.
struct Stores {
  Stores(aws::rdsdata::Client& client, aws::rdsdata::Database place,
         const time::Clock& clock, std::string state_machine_arn)
      : database(client, std::move(place)),
        states({.store = processes,
                .clock = clock,
                .state_machine_arn = std::move(state_machine_arn)}) {}

  SqlDatabase database;
  SqlProcessStore processes{database};
  SqlGoalStore goals{database};
  ProcessingStateService states;
};

// The process of a function. Its parts live as long as it does.
class Function {
 public:
  explicit Function(std::string name) : process_(std::move(name)) {}

  lambda::Process& process() { return process_; }
  time::Clock& clock() { return process_.clock(); }
  log::Logger& logger() { return process_.logger(); }
  const env::Environment& environment() { return process_.environment(); }

  // For a client of AWS.
  aws::ClientDependencies dependencies() {
    return {.http = process_.http_client(),
            .clock = process_.clock(),
            .environment = process_.environment(),
            .logger = &process_.logger()};
  }

  // For a handler of the API.
  ApiDependencies Api(Stores& stores) {
    return {.states = stores.states,
            .logger = logger(),
            .config = LoadApiConfig(environment())};
  }

  // Connects the stores and runs the handler.
  int Run(const std::function<HandlerOr(Stores&)>& make_handler) {
    return RunWith("", make_handler);
  }

  // The same for a function that starts executions.
  int RunStarter(
      const std::function<HandlerOr(Stores&, Workflow&)>& make_handler) {
    aws::stepfunctions::JsonClient client(dependencies());
    const absl::StatusOr<std::string> arn = LoadStateMachineArn(environment());
    Workflow workflow(client, arn.value_or(""));
    return RunWith(arn.value_or(""), [&](Stores& stores) -> HandlerOr {
      if (!arn.ok()) return arn.status();
      return make_handler(stores, workflow);
    });
  }

 private:
  int RunWith(const std::string& state_machine_arn,
              const std::function<HandlerOr(Stores&)>& make_handler) {
    return process_.Run([&]() -> HandlerOr {
      absl::StatusOr<aws::rdsdata::Database> database =
          LoadDatabaseConfig(environment());
      if (!database.ok()) return database.status();
      stores_.emplace(data_api_, *std::move(database), clock(),
                      state_machine_arn);
      return make_handler(*stores_);
    });
  }

  // The database may be paused.
  aws::ClientDependencies DatabaseDependencies() {
    aws::ClientDependencies patient = dependencies();
    patient.retry = aws::rdsdata::kResumeRetryPolicy;
    return patient;
  }

  lambda::Process process_;
  aws::rdsdata::JsonClient data_api_{DatabaseDependencies()};
  std::optional<Stores> stores_;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_LAMBDAS_GENERATION_WIRING_H_
