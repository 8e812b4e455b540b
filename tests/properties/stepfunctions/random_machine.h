// State machines and tasks that a seed determines.
#ifndef BYOSHIN_TESTS_PROPERTIES_STEPFUNCTIONS_RANDOM_MACHINE_H_
#define BYOSHIN_TESTS_PROPERTIES_STEPFUNCTIONS_RANDOM_MACHINE_H_

#include <cstdint>
#include <string>

#include "local/stepfunctions/execution/testing/simulated_run.h"

namespace byoshin::properties {

// A valid definition with states of all types, mostly in JSONPath.
std::string RandomMachine(uint64_t seed);

// Its input.
inline constexpr char kRandomMachineInput[] = R"({"items": [1, 2, 3, 4]})";

// Tasks succeed, fail and hang. What a task does depends on its id, not on when
// it is run.
local::stepfunctions::TaskMocks RandomTasks(uint64_t seed);

}  // namespace byoshin::properties

#endif  // BYOSHIN_TESTS_PROPERTIES_STEPFUNCTIONS_RANDOM_MACHINE_H_
