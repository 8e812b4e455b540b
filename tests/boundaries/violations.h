// Requests that break one constraint of AWS's model each, and requests that
// reach each bound from inside.
//
//   const Shape input = kEventsModel.InputOf("PutRule").value();
//   for (const Probe& probe : ProbesOf(input)) {
//     Call("PutRule", probe.request);  // the error names probe.path
//   }
#ifndef BYOSHIN_TESTS_BOUNDARIES_VIOLATIONS_H_
#define BYOSHIN_TESTS_BOUNDARIES_VIOLATIONS_H_

#include <json/json.h>

#include <string>
#include <vector>

#include "local/wire/model.h"

namespace byoshin::boundaries {

struct Probe {
  enum class Kind {
    // Exceeds a limit, lacks a required member, or has a value that is none of
    // those allowed.
    kBreaksConstraint,
    kHasOtherType,
    // As long, short, large or small as is allowed.
    kReachesBound,
  };

  Kind kind = Kind::kBreaksConstraint;
  Json::Value request{};
  // The member, as messages name it: "tags.1.member.key"; for another type only
  // the name of the member.
  std::string path{};
};

std::vector<Probe> ProbesOf(const local::wire::Shape& input);

}  // namespace byoshin::boundaries

#endif  // BYOSHIN_TESTS_BOUNDARIES_VIOLATIONS_H_
