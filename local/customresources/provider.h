// Custom resources of templates: a function that CloudFormation asks to create,
// update and delete something.
//
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-custom-resources.html
#ifndef BYOSHIN_LOCAL_CUSTOMRESOURCES_PROVIDER_H_
#define BYOSHIN_LOCAL_CUSTOMRESOURCES_PROVIDER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/cloudformation/provider.h"
#include "local/customresources/responses.h"

namespace byoshin::local::customresources {

inline constexpr absl::Duration kDefaultServiceTimeout = absl::Hours(1);

struct ProviderWorld {
  // Both outlive the provider.
  time::Clock& clock;
  Responses& responses;
  // Invokes the function. `done` is called when it has ended, on any thread,
  // with the reason if it failed. Never null.
  std::function<void(const std::string& function_arn, std::string event,
                     std::function<void(absl::Status)> done)>
      invoke;
  // The URL of the cloud. Never null.
  std::function<std::string()> endpoint;
};

// For "AWS::CloudFormation::CustomResource" and all "Custom::NAME".
std::unique_ptr<cloudformation::ResourceProvider> CustomResourceProvider(
    ProviderWorld world);

}  // namespace byoshin::local::customresources

#endif  // BYOSHIN_LOCAL_CUSTOMRESOURCES_PROVIDER_H_
