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

// Where the code of functions is: what a template says is in a bucket.
class ZipSource {
 public:
  virtual ~ZipSource() = default;

  // An error says where it was looked for.
  virtual absl::StatusOr<Zip> Fetch(const std::string& bucket,
                                    const std::string& key) = 0;
};

// Both outlive the providers.
std::vector<std::unique_ptr<cloudformation::ResourceProvider>> LambdaProviders(
    Lambda& lambda, ZipSource& zips);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_CLOUDFORMATION_H_
