#include "local/applications/function_variables.h"

#include <json/json.h>

#include <map>
#include <string>
#include <utility>

#include "core/env/environment.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::applications {

env::Environment VariablesOf(const cloudformation::StackResource& resource) {
  std::map<std::string, std::string> variables;
  const Json::Value& environment = resource.properties["Environment"];
  if (resource.type == "AWS::Lambda::Function" && environment.isObject() &&
      environment["Variables"].isObject()) {
    const Json::Value& values = environment["Variables"];
    for (const std::string& name : values.getMemberNames()) {
      if (values[name].isConvertibleTo(Json::stringValue)) {
        variables[name] = values[name].asString();
      }
    }
  }
  return env::FromMap(std::move(variables));
}

}  // namespace byoshin::local::applications
