// What a function of a deployment may do.
#ifndef BYOSHIN_INFRA_GEN_TESTING_PERMISSIONS_H_
#define BYOSHIN_INFRA_GEN_TESTING_PERMISSIONS_H_

#include <json/json.h>

#include <set>
#include <string>
#include <vector>

#include "infra/gen/testing/deployed_template.h"

namespace byoshin::infra::testing {

// "sqs:SendMessage on SchedulingQueue.Arn" and so on, from the policies of the
// function's role. Anything but plain permission fails the test.
std::set<std::string> PermissionsOf(const DeployedTemplate& deployed,
                                    const std::string& function);

// The texts of a list, or the one text that stands for a list.
std::vector<std::string> Texts(const Json::Value& value);

}  // namespace byoshin::infra::testing

#endif  // BYOSHIN_INFRA_GEN_TESTING_PERMISSIONS_H_
