// Identifiers that sort by time: util.autoUlid() and util.autoKsuid().
#ifndef BYOSHIN_LOCAL_APPSYNC_SCRIPT_IDENTIFIERS_H_
#define BYOSHIN_LOCAL_APPSYNC_SCRIPT_IDENTIFIERS_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"

namespace byoshin::local::appsync::script {

// https://github.com/ulid/spec: 26 characters, 48 bits of milliseconds and 80
// random ones.
std::string NewUlid(absl::Time now, absl::FunctionRef<std::uint64_t()> bits);

// https://github.com/segmentio/ksuid: 27 characters, 32 bits of seconds and 128
// random ones.
std::string NewKsuid(absl::Time now, absl::FunctionRef<std::uint64_t()> bits);

}  // namespace byoshin::local::appsync::script

#endif  // BYOSHIN_LOCAL_APPSYNC_SCRIPT_IDENTIFIERS_H_
