// Alarms, and the topic that they notify.
//
//   AlarmAdder alarms(stack, AddAlarmTopic(stack, observation, "Byoshin"));
//   alarms.Add("ErrorsAlarm", {.description = "…", …});
#ifndef BYOSHIN_INFRA_GEN_PARTS_ALARMS_H_
#define BYOSHIN_INFRA_GEN_PARTS_ALARMS_H_

#include <string>
#include <utility>
#include <vector>

#include "infra/cloudformation/cloudwatch.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/parts/parameters.h"

namespace byoshin::infra::parts {

// A topic with a subscription, if there is an address for it, and an output.
// Returns the actions of alarms.
cloudformation::Value AddAlarmTopic(cloudformation::Template& stack,
                                    const ObservationInputs& inputs);

class AlarmAdder {
 public:
  AlarmAdder(cloudformation::Template& stack, cloudformation::Value actions)
      : stack_(stack), actions_(std::move(actions)) {}

  void Add(const std::string& id, cloudformation::cloudwatch::Alarm alarm,
           const std::string& condition = "");

  // The ids of the alarms that always exist.
  std::vector<std::string> Take() { return std::move(ids_); }

 private:
  cloudformation::Template& stack_;
  const cloudformation::Value actions_;
  std::vector<std::string> ids_;
};

}  // namespace byoshin::infra::parts

#endif  // BYOSHIN_INFRA_GEN_PARTS_ALARMS_H_
