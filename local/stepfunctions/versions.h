// Publishing what a state machine is now as a version.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_VERSIONS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_VERSIONS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "local/stepfunctions/catalog.h"
#include "local/stepfunctions/kept.pb.h"

namespace byoshin::local::stepfunctions {

// If the newest version is of the current revision, returns that.
// ServiceQuotaExceededException if there are too many.
absl::StatusOr<kept::Version> PublishCurrentRevision(
    Catalog& catalog, const kept::Machine& machine,
    const std::string& description, absl::Time now);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_VERSIONS_H_
