// Parameters that every stack of functions has: where the code is, and how it
// is observed.
#ifndef BYOSHIN_INFRA_GEN_PARTS_PARAMETERS_H_
#define BYOSHIN_INFRA_GEN_PARTS_PARAMETERS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::parts {

inline constexpr char kCodeBucket[] = "CodeBucket";
inline constexpr char kCodePrefix[] = "CodePrefix";
inline constexpr char kArchitecture[] = "Architecture";
inline constexpr char kSetLogRole[] = "SetApiGatewayLogRole";
inline constexpr char kLogRetentionDays[] = "LogRetentionDays";
inline constexpr char kTracing[] = "Tracing";
inline constexpr char kAlarmEmail[] = "AlarmEmail";

struct CodeInputs {
  cloudformation::Value bucket;
  cloudformation::Value architecture;
  // The S3 key of each function's zip, by the function's name. Empty unless
  // AddCode() has added it.
  std::map<std::string, cloudformation::Value> keys;
};

struct ObservationInputs {
  cloudformation::Value log_retention;
  cloudformation::Value tracing;
  cloudformation::Value alarm_email;
  // Conditions.
  std::string traces_requests;
  std::string has_alarm_email;
};

// A function, and the zip with its code.
struct FunctionZip {
  std::string function;
  std::string zip;
};
// The parameter with the name of the function's zip: "CreateGroupCode".
std::string CodeParameter(absl::string_view function);

// All parameters of the code.
CodeInputs AddCode(cloudformation::Template& stack,
                   const std::vector<FunctionZip>& zips);

// The bucket and the prefix. AddCodeKey() for each zip and AddArchitecture()
// complete them.
cloudformation::Value AddCodeBucket(cloudformation::Template& stack);
cloudformation::Value AddArchitecture(cloudformation::Template& stack);
// A parameter `id` with the name of a function's zip; returns its S3 key.
cloudformation::Value AddCodeKey(cloudformation::Template& stack,
                                 absl::string_view id,
                                 absl::string_view function);

// Whether to set API Gateway's log role. `api` is what has the access log.
cloudformation::Value AddSetLogRole(cloudformation::Template& stack,
                                    absl::string_view api);

ObservationInputs AddObservation(cloudformation::Template& stack);

// A group of parameters in the console.
cloudformation::Value Group(absl::string_view label,
                            cloudformation::Value::Items parameters);

// Metadata: the zip for each code parameter, read by //infra:deploy and the
// local cloud, and the groups of parameters.
void AddMetadata(cloudformation::Template& stack,
                 cloudformation::Value::Members code,
                 cloudformation::Value::Items groups);
// Likewise, for the parameters of AddCode() and AddObservation() and, between
// them, `groups`.
void AddCodeMetadata(cloudformation::Template& stack,
                     const std::vector<FunctionZip>& zips,
                     cloudformation::Value::Items groups);

}  // namespace byoshin::infra::parts

#endif  // BYOSHIN_INFRA_GEN_PARTS_PARAMETERS_H_
