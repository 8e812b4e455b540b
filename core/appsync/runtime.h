// The runtime of AppSync's resolvers in JavaScript, as templates and requests
// name it.
#ifndef BYOSHIN_CORE_APPSYNC_RUNTIME_H_
#define BYOSHIN_CORE_APPSYNC_RUNTIME_H_

namespace byoshin::appsync {

inline constexpr char kRuntimeName[] = "APPSYNC_JS";
inline constexpr char kRuntimeVersion[] = "1.0.0";

}  // namespace byoshin::appsync

#endif  // BYOSHIN_CORE_APPSYNC_RUNTIME_H_
