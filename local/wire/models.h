// The models of the services, compiled from third_party/models; see model.h.
#ifndef BYOSHIN_LOCAL_WIRE_MODELS_H_
#define BYOSHIN_LOCAL_WIRE_MODELS_H_

#include "local/wire/model.h"

namespace byoshin::local::wire {

extern const Model kCognitoidpModel;
extern const Model kEventsModel;
extern const Model kLogsModel;
extern const Model kSecretsmanagerModel;
extern const Model kStepfunctionsModel;

}  // namespace byoshin::local::wire

#endif  // BYOSHIN_LOCAL_WIRE_MODELS_H_
