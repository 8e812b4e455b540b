// The documents of api.md.
#ifndef BYOSHIN_LOCAL_DASHBOARD_ANSWERS_H_
#define BYOSHIN_LOCAL_DASHBOARD_ANSWERS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/dashboard/series.h"
#include "local/dashboard/source.h"

namespace byoshin::local::dashboard {

std::string StatusJson(const Status& status, absl::string_view cursor);
std::string SeriesJson(const Series& series);
// One beyond `limit` only tells where the next page begins.
std::string RecordsJson(const std::vector<SlotRecord>& records,
                        std::size_t limit);
// Of more than `limit`, the newest.
std::string InvocationsJson(const std::vector<Invocation>& invocations,
                            std::size_t limit);
std::string DeadLettersJson(const DeadLetters& letters);
std::string LogsJson(const LogPage& page);
std::string ErrorJson(absl::string_view message);

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_ANSWERS_H_
