// Lambda's resources in templates: AWS::Lambda::Function, ::Permission,
// ::EventSourceMapping and ::EventInvokeConfig.
//
//   for (auto& provider : LambdaProviders(lambda, zips)) registry.Add(…);
#ifndef BYOSHIN_LOCAL_LAMBDA_CLOUDFORMATION_H_
#define BYOSHIN_LOCAL_LAMBDA_CLOUDFORMATION_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "local/cloudformation/provider.h"
#include "local/lambda/code_store.h"
#include "local/lambda/lambda.h"

namespace byoshin::local::lambda {

// The location of a function's code in a template.
struct CodeLocation {
  std::string bucket{};
  std::string key{};
  std::string function{};  // its logical id
};

// Provides the code of functions.
class ZipSource {
 public:
  virtual ~ZipSource() = default;

  // Errors say where the code was searched for.
  virtual absl::StatusOr<Zip> Fetch(const CodeLocation& location) = 0;
};

// Both must outlive the providers.
std::vector<std::unique_ptr<cloudformation::ResourceProvider>> LambdaProviders(
    Lambda& lambda, ZipSource& zips);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_CLOUDFORMATION_H_
