// What REST APIs have in common: the role of their logs, the lines of the
// access log, and deployments that change with the API.
#ifndef BYOSHIN_INFRA_GEN_PARTS_REST_API_H_
#define BYOSHIN_INFRA_GEN_PARTS_REST_API_H_

#include <string>
#include <vector>

#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/parts/accepted.h"

namespace byoshin::infra::parts {

// The role in which API Gateway writes logs, if the condition says so. Returns
// the description of a stage, which refers to it: so the stage waits for it,
// where DependsOn can't name a conditional resource.
cloudformation::Value AddLogRole(cloudformation::Template& stack,
                                 const std::string& condition);

// A stage without a web ACL of AWS WAF.
Accepted StageWithoutFirewall();

// A line for each request, as JSON, with further members after the usual ones.
std::string AccessLogFormat(cloudformation::Value::Members more = {});

// A hash of the resources as they are in the template. A deployment is a
// snapshot: with this in its id, a changed API gets a new one.
std::string ContentHash(const cloudformation::Template& stack,
                        const std::vector<std::string>& ids);

}  // namespace byoshin::infra::parts

#endif  // BYOSHIN_INFRA_GEN_PARTS_REST_API_H_
