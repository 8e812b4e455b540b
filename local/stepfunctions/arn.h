// The ARNs of Step Functions.
//
//   absl::StatusOr<MachineArn> arn = ParseMachineArn(
//       "arn:aws:states:us-east-1:000000000000:stateMachine:orders:3");
//   arn->machine;    //
//   "arn:aws:states:us-east-1:000000000000:stateMachine:orders" arn->qualifier;
//   // "3": a version, or the name of an alias
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_ARN_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_ARN_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::stepfunctions {

inline constexpr char kMachineResource[] = "stateMachine";
inline constexpr char kExecutionResource[] = "execution";
inline constexpr char kExpressResource[] = "express";
inline constexpr char kActivityResource[] = "activity";
inline constexpr char kMapRunResource[] = "mapRun";

struct Place {
  std::string region{};
  std::string account_id{};
};

// "arn:aws:states:REGION:ACCOUNT:TYPE:NAME"
std::string StatesArn(const Place& place, absl::string_view type,
                      absl::string_view name);

// InvalidArn where a text is no ARN, or one of another resource.
struct MachineArn {
  // Without the qualifier.
  std::string machine{};
  std::string name{};
  // Empty for none.
  std::string qualifier{};
  Place place{};
};
absl::StatusOr<MachineArn> ParseMachineArn(absl::string_view text);

struct ExecutionArn {
  std::string machine{};
  std::string machine_name{};
  std::string name{};
  bool express = false;
};
absl::StatusOr<ExecutionArn> ParseExecutionArn(absl::string_view text);

absl::Status CheckActivityArn(absl::string_view text);

// The name in "arn:aws:iam::000000000000:role/PATH/NAME"; InvalidArn if it is
// the ARN of no role.
absl::Status CheckRoleArn(absl::string_view text);

// InvalidName if it has characters that no name may have.
// https://docs.aws.amazon.com/step-functions/latest/apireference/API_CreateStateMachine.html
absl::Status CheckName(absl::string_view name);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_ARN_H_
