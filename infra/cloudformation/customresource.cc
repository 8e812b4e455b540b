#include "infra/cloudformation/customresource.h"

#include <string>

#include "absl/time/time.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation {

Properties CustomResource::ToProperties() const {
  Properties written;
  written.Require("ServiceToken", function_arn);
  written.Set("ServiceTimeout", timeout);
  for (const auto& [name, value] : properties) written.Set(name, value);
  return written;
}

}  // namespace byoshin::infra::cloudformation
