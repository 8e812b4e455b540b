// The scheduler's records as items of their table.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_ITEM_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_ITEM_H_

#include <json/json.h>

#include <optional>

#include "local/applications/scheduler/series.h"

namespace byoshin::local::applications {

// The record that an item is, in DynamoDB's JSON, without lateness, which the
// table does not keep. Without value if it is another item, such as one whose
// key is not written as the scheduler writes it: the order of such keys is not
// that of time.
std::optional<SlotRecord> RecordOf(const Json::Value& item);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_ITEM_H_
