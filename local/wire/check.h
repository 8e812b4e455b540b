// Checks a JSON request against the model of its service, as AWS does before an
// operation sees it.
//
//   const RequestFaults faults = CheckRequest(*input, request);
//   if (!faults.malformed.empty()) ...          // "Name must be a string, ..."
//   if (!faults.constraints.empty()) ...        // "1 validation error ..."
#ifndef BYOSHIN_LOCAL_WIRE_CHECK_H_
#define BYOSHIN_LOCAL_WIRE_CHECK_H_

#include <json/json.h>

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/gateway/constraints.h"
#include "local/wire/model.h"

namespace byoshin::local::wire {

struct RequestFaults {
  // The first member that is not of its type; empty if there is none.
  std::string malformed{};
  // The members that exceed their limits. Incomplete if one is malformed.
  ConstraintErrors constraints{};
};

// Members that the model does not have are ignored, and a member that is null
// is absent. The values of sensitive members are not repeated. Of the request's
// members named in `exempt`, only the types are checked, and that none is
// missing.
RequestFaults CheckRequest(const Shape& input, const Json::Value& request,
                           absl::Span<const absl::string_view> exempt = {});

}  // namespace byoshin::local::wire

#endif  // BYOSHIN_LOCAL_WIRE_CHECK_H_
