// A function with its log group and its role.
//
//   FunctionResources sender = AddFunction(
//       stack, {.code = code, .observation = observation},
//       {.name = "Sender", .log_name = "sender", .code_key = key,
//        .timeout = absl::Seconds(10),
//        .statements = {iam::Allow({"sqs:SendMessage"}, {queue.Arn()})}});
#ifndef BYOSHIN_INFRA_GEN_PARTS_FUNCTION_H_
#define BYOSHIN_INFRA_GEN_PARTS_FUNCTION_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/parts/accepted.h"
#include "infra/gen/parts/parameters.h"

namespace byoshin::infra::parts {

struct FunctionResources {
  cloudformation::Resource function;
  cloudformation::Resource log_group;
};

struct FunctionSpec {
  std::string name;  // "Sender"; the ids are SenderFunction, SenderRole, …
  std::string log_name;
  std::string description;
  cloudformation::Value code_key{};
  absl::Duration timeout;
  int memory_mb = kFunctionMemoryMb;
  cloudformation::Value::Members environment{};
  // In addition to writing its own logs and traces.
  std::vector<cloudformation::iam::Statement> statements{};
  // Accepted findings about the role that has these statements.
  std::vector<Accepted> accepted{};
  cloudformation::Value reserved_concurrency{};
  std::string condition{};
  // Resources that must be up to date before the function is.
  std::vector<std::string> depends_on{};
};

struct FunctionInputs {
  CodeInputs code;
  ObservationInputs observation;
};

// A function, its log group, which is created before it, and its role, which
// has the permissions of `spec` and may write logs and traces.
FunctionResources AddFunction(cloudformation::Template& stack,
                              const FunctionInputs& inputs,
                              const FunctionSpec& spec);

}  // namespace byoshin::infra::parts

#endif  // BYOSHIN_INFRA_GEN_PARTS_FUNCTION_H_
