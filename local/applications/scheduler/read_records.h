// The records of a running cloud, read over the dashboard's API.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_READ_RECORDS_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_READ_RECORDS_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "local/applications/scheduler/series.h"
#include "local/cli/cloud_client.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {

// Calls `visit` with each record of the range, in order, until it returns
// false.
absl::Status ForEachRecord(cli::CloudClient& cloud,
                           const dashboard::TimeRange& range,
                           absl::FunctionRef<bool(const SlotRecord&)> visit);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_READ_RECORDS_H_
