// How keys in the store begin. An ARN, an id, or what the header of its user
// says follows.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_KEYS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_KEYS_H_

namespace byoshin::local::stepfunctions {

inline constexpr char kActivityPrefix[] = "activity/";
inline constexpr char kAliasPrefix[] = "alias/";
// Status changes that EventBridge has not got yet.
inline constexpr char kAnnouncementPrefix[] = "announcement/";
inline constexpr char kExecutionPrefix[] = "execution/";
// Ended executions by the time at which they are forgotten.
inline constexpr char kExpiryPrefix[] = "expiry/";
// The inputs of an execution.
inline constexpr char kLogPrefix[] = "log/";
// The executions of a state machine, the newest first.
inline constexpr char kListPrefix[] = "list/";
inline constexpr char kMachinePrefix[] = "machine/";
// The execution that a map run belongs to.
inline constexpr char kMapRunPrefix[] = "maprun/";
inline constexpr char kRevisionPrefix[] = "revision/";
// The ARNs of executions that run.
inline constexpr char kRunningPrefix[] = "running/";
inline constexpr char kVersionPrefix[] = "version/";

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_KEYS_H_
